import { Command } from "commander";
import { version } from "../package.json";
import type { Context } from "./context";
import { eksCommand } from "./eks/command";
import { colours, isColourful } from "./terminal/colours";
import { adoptCommand } from "./adopt/command";
import { bundleCommand } from "./bundle/command";
import { completionCommand } from "./completion/command";
import { bootstrapCommand } from "./bootstrap/command";
import { chartsCommand } from "./charts/command";
import { doctorCommand } from "./doctor/command";
import { deliveryCommands } from "./delivery/command";
import { loginCommands } from "./login/command";
import { lockCommand } from "./lock/command";
import { newCommand } from "./new/command";
import { provisionersCommand } from "./provisioners/command";
import { rayCommand } from "./ray/command";
import { runtimeCommand } from "./runtime/command";
import { operationsCommand } from "./service/command";
import { terasliceCommand } from "./teraslice/command";
import { usageCommand } from "./usage/command";

const EXAMPLES = `
Examples:
  stackyard new platform
  stackyard doctor prod
  stackyard usage prod --by user
  stackyard runtime up acme-prod --version 0.50.0 --slots 2
  stackyard runtime up -f deployments.yaml --parallel 4
  stackyard runtime list
  stackyard login https://stackyard.example.com
  stackyard operations list
  stackyard provisioners import set.json --stack dev
  stackyard ray up analytics
  stackyard ray submit analytics --working-dir . -- python job.py
  stackyard teraslice render job.yaml
  stackyard charts lock
  stackyard eks lock --stack prod
  stackyard bundle inspect ./bundle
  stackyard affected --since origin/main
  stackyard promote staging prod
  stackyard lock list
  stackyard adopt ray/analytics --stack new
`;

/** The whole command line. Wrong usage throws a CommanderError after reporting it. */
export function program(context: Context, name = "stackyard"): Command {
  const words = colours(isColourful(process.stdout));
  const root = new Command(name)
    .description(
      "Complements `pulumi`: a repository of your own, checks before the first update, usage and costs, runtimes of deployments, the provisioning service, the provisioner set, Ray, Teraslice, upstream charts, bundles, delivery to production.",
    )
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    // `runtime up` has its own --version.
    .enablePositionalOptions()
    .addHelpText("after", EXAMPLES)
    .addCommand(newCommand(context))
    .addCommand(doctorCommand(context))
    .addCommand(usageCommand(context))
    .addCommand(runtimeCommand(context))
    .addCommand(operationsCommand(context))
    .addCommand(provisionersCommand(context))
    .addCommand(rayCommand(context))
    .addCommand(terasliceCommand(context))
    .addCommand(chartsCommand(context))
    .addCommand(eksCommand(context))
    .addCommand(bootstrapCommand(context))
    .addCommand(lockCommand(context))
    .addCommand(adoptCommand(context))
    .addCommand(bundleCommand(context))
    .addCommand(completionCommand(context));
  for (const command of [...loginCommands(context), ...deliveryCommands(context)]) root.addCommand(command);
  settle(root, (title) => words.bold(title));
  return root;
}

/** The words of a command after the program's name, such as `runtime up`. */
export function pathOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${pathOf(parent)} ${command.name()}` : command.name();
}

/** Subcommands that are added later do not inherit these settings. */
function settle(command: Command, styleTitle: (title: string) => string): void {
  command.configureHelp({ styleTitle }).exitOverride().showHelpAfterError("(see --help)");
  for (const child of command.commands) settle(child, styleTitle);
}
