import { Command } from "commander";

/**
 * Creates a group of commands. Without a subcommand it prints its help; an unknown one is an error that suggests the
 * nearest.
 */
export function group(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .enablePositionalOptions();
}
