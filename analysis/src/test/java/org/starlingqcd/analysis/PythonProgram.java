package org.starlingqcd.analysis;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A Python with h5py and numpy; tests that need it are skipped, with a message, without. */
public record PythonProgram(String python) {
  /** The sources of the Python package, which every program can import. */
  private static final Path PACKAGE = Path.of("../python/src").toAbsolutePath().normalize();

  /** The first Python that has h5py and numpy. */
  public static PythonProgram withLibraries() throws IOException, InterruptedException {
    StringBuilder why = new StringBuilder();
    for (String python : List.of("python3", "/usr/bin/python3")) {
      PythonProgram program = new PythonProgram(python);
      String answer = program.run(Path.of("."), "-c", "import h5py, numpy; print('there')");
      if (answer.equals("there\n")) {
        return program;
      }
      why.append(python).append(": ").append(answer.strip()).append("; ");
    }
    assumeTrue(false, "needs python3 with h5py and numpy: " + why);
    throw new IllegalStateException("skipped");
  }

  /** What Python prints with these arguments, or "failed: " and what it printed. */
  public String run(Path folder, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(python));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    builder.environment().put("PYTHONPATH", PACKAGE.toString());
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() == 0 ? output : "failed: " + output;
  }
}
