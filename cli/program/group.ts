import { Command } from "commander";

/** A group of commands: called alone it prints its help, a command it does not know is an error with the nearest one. */
export function group(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .enablePositionalOptions();
}
