package org.starlingqcd.correlators.cli.option;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** A section of a command's list of options. */
public enum HelpSection {
  /** Options that every user meets. */
  EVERYDAY(""),
  /** Options that bound or place memory. */
  MEMORY("Memory:"),
  /** Options for speed and for comparisons; the defaults suit most runs. */
  TUNING("Tuning; the defaults suit most runs:");

  /** Puts an option into another section than {@link #EVERYDAY}. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.FIELD)
  public @interface In {
    /** The section. */
    HelpSection value();
  }

  private final String heading;

  HelpSection(String heading) {
    this.heading = heading;
  }

  /** Lists the options of every command by section, and shortens the synopsis. */
  public static void apply(CommandLine command) {
    command.getCommandSpec().usageMessage().abbreviateSynopsis(true);
    command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, new Renderer());
    for (CommandLine subcommand : command.getSubcommands().values()) {
      apply(subcommand);
    }
  }

  /** Not a lambda, which the archive of classes cannot keep: its interface is for an old Java. */
  private static final class Renderer implements IHelpSectionRenderer {
    @Override
    public String render(Help help) {
      return optionList(help);
    }
  }

  private static String optionList(Help help) {
    Map<HelpSection, List<OptionSpec>> sections = new EnumMap<>(HelpSection.class);
    for (OptionSpec option : help.commandSpec().options()) {
      if (!option.hidden()) {
        sections.computeIfAbsent(of(option), section -> new ArrayList<>()).add(option);
      }
    }
    StringBuilder text = new StringBuilder();
    sections.forEach(
        (section, options) -> {
          if (!section.heading.isEmpty()) {
            text.append(String.format("%n%s%n", section.heading));
          }
          Help.Layout layout = help.createDefaultLayout();
          layout.addOptions(options, help.parameterLabelRenderer());
          text.append(layout);
        });
    return text.toString();
  }

  private static HelpSection of(OptionSpec option) {
    In in =
        option.userObject() instanceof AnnotatedElement field
            ? field.getAnnotation(In.class)
            : null;
    return in == null ? EVERYDAY : in.value();
  }
}
