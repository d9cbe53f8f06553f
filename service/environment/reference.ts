import { COMMAND_VARIABLES } from "./commands";
import { NOT_USED } from "./notUsed";
import type { Variable } from "./variable";
import { VARIABLES } from "./variables";

const INTRO = `# Environment of the service

<!-- Generated from service/environment/variables.ts by \`npm run generate\`; a test keeps it true. -->

The service reads these variables from its environment, and those that are missing there from the file \`.env\` of the folder that
it is started in. It checks all of them before it does anything else, and reports every fault at once:

\`\`\`text
The environment has 2 faults; the service was not started.
  - APP_ADDRESS: found "3000"; expected an address such as 127.0.0.1:3000 or :3000
  - APP_DATABASE_POOL: found "none"; expected a whole number from 8 to 200
\`\`\`

No message shows a secret. Names and defaults are those of the Kyma Runtime Provisioner where it has the variable.
`;

const COMMANDS_INTRO = `
## Variables of the commands

A command reads only what it uses, from the same places, and reports only faults of that.
`;

const NOT_USED_INTRO = `
## Variables of the original that are not used

The service starts with them, and logs each one that is set, with the reason.
`;

function fallbackOf({ fallback, fallbackDescription }: Variable): string {
  if (fallbackDescription !== undefined) return fallbackDescription;
  return fallback === undefined ? "–" : `\`${fallback}\``;
}

/** Generates docs/service-environment.md. */
export function environmentPage(): string {
  const rows = Object.entries<Variable>(VARIABLES).map(([name, variable]) => {
    const secret = variable.secret === true ? " A secret." : "";
    return `| \`${name}\` | ${fallbackOf(variable)} | ${variable.description}${secret} |`;
  });
  const table = ["| variable | default | what it is |", "| --- | --- | --- |", ...rows].join("\n");
  const commands = Object.entries(COMMAND_VARIABLES).map(
    ([command, names]) => `| \`stackyard-service ${command}\` | ${names.map((name) => `\`${name}\``).join(", ")} |`,
  );
  const ofCommands = ["| command | variables |", "| --- | --- |", ...commands].join("\n");
  const others = Object.entries(NOT_USED).map(([name, reason]) => `| \`${name}\` | ${reason} |`);
  const notUsed = ["| variable | reason |", "| --- | --- |", ...others].join("\n");
  return `${INTRO}\n${table}\n${COMMANDS_INTRO}\n${ofCommands}\n${NOT_USED_INTRO}\n${notUsed}\n`;
}
