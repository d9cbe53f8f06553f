import type { Command } from "commander";
import type { Context } from "../context";
import { actions } from "../options/action";
import { group } from "../options/group";
import { outputOptions } from "../options/output";
import { filled, positive } from "../options/parse";

/** `stackyard login` and `stackyard logout`. */
export function loginCommands(context: Context): Command[] {
  const run = actions(context);
  const login = group("login", "log in to a service, through which commands for runtimes then work");
  outputOptions(login, ["json", "yaml"])
    .argument("[url]", "URL of the service (default: the current one)")
    .option("--device", "log in with a browser on another machine")
    .option("--with-token", "read a token from standard input instead")
    .option("--tenant <name>", "tenant of later commands, if the token is valid for several", filled)
    .option("--port <n>", "port of this machine that the browser returns to (default: any free one)", positive)
    .option("--use", "only make a service with a login the current one")
    .option("--status", "only show the logins, and whether the services accept them")
    .action(run(async () => (await import("./login.js")).login));
  const logout = group("logout", "delete the login at a service; without one, commands work by themselves");
  logout
    .argument("[url]", "URL of the service (default: the current one)")
    .action(run(async () => (await import("./login.js")).logout));
  return [login, logout];
}
