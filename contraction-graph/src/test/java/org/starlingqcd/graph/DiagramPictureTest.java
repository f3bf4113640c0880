package org.starlingqcd.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class DiagramPictureTest {
  @Test
  void svg_everyDiagramOfSigma_hasADotPerMesonAndAnArrowPerLine() throws Exception {
    DiagramSet set = Channels.diagrams("sigma");
    for (int d = 0; d < set.diagramCount(); d += 7) {
      int letters = 0;
      for (int cycle : set.diagramAt(d)) {
        letters += set.cycleAt(cycle).length;
      }
      String svg = DiagramPicture.svg(set, d);
      Document document =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(new InputSource(new StringReader(svg)));
      assertEquals(letters, document.getElementsByTagName("circle").getLength());
      long arrows = svg.lines().filter(line -> line.contains("marker-mid")).count();
      assertEquals(letters, arrows);
      assertTrue(svg.contains("light"));
    }
  }

  @Test
  void svg_unknownDiagram_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> DiagramPicture.svg(new DiagramSet(), 0));
  }
}
