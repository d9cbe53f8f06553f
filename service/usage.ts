import { nearest } from "../foundation/text/nearest";

/** Commands of the service's program besides serving. */
const COMMANDS = ["migrate", "reseal"] as const;

export type CommandName = (typeof COMMANDS)[number];

export const USAGE = `Usage: stackyard-service [command]

Without a command, the service runs until SIGTERM or SIGINT.

Commands:
  migrate                   run the migrations of the database, and end
  migrate down <migration>  revert the migrations after this one, for a return to an earlier version, and end
  reseal                    encrypt all secrets of the database with the first key of APP_ENCRYPTION_KEYS, and end

Settings are environment variables, or lines of a file .env in the working folder: see docs/service-environment.md.
`;

/** Parses the command line; `fault` describes an error. Pure. */
export function parseArguments(
  args: readonly string[],
): { readonly command?: CommandName; readonly downTo?: string } | { readonly help: true } | { readonly fault: string } {
  if (args.some((arg) => ["help", "--help", "-h"].includes(arg))) return { help: true };
  const [name, ...others] = args;
  if (name === undefined) return {};
  const command = COMMANDS.find((one) => one === name);
  if (command === "migrate" && others[0] === "down") {
    const [, downTo, ...more] = others;
    if (downTo !== undefined && more.length === 0) return { command, downTo };
    return { fault: "expected the name of one migration after migrate down, the last one that stays" };
  }
  if (command !== undefined && others.length === 0) return { command };
  const wrong = command === undefined ? name : (others[0] ?? "");
  const expected = command === undefined ? `one of ${COMMANDS.join(", ")}, or nothing` : `nothing after ${command}`;
  const near = command === undefined ? nearest(name, COMMANDS) : undefined;
  const meant = near === undefined ? "" : `; did you mean ${near}?`;
  return { fault: `found the argument ${JSON.stringify(wrong)}; expected ${expected}${meant}` };
}
