import type { CommandName } from "../usage";
import { DATABASE_VARIABLES, type DatabaseValues } from "./databaseUrl";
import { EnvironmentError, readVariables, type Env, type Values } from "./environment";

const COMMON = ["APP_LOG_LEVEL", ...DATABASE_VARIABLES] as const;

/** Values of the variables that commands read. */
export type CommandValues = DatabaseValues &
  Pick<Values, "APP_LOG_LEVEL"> &
  Partial<Pick<Values, "APP_ENCRYPTION_KEYS">>;

/** The variables that each command reads. No others are checked. */
export const COMMAND_VARIABLES: Readonly<Record<CommandName, readonly (keyof CommandValues)[]>> = {
  migrate: COMMON,
  reseal: [...COMMON, "APP_ENCRYPTION_KEYS"],
};

/** Reads the variables of a command. Throws one error with all faults. */
export function readForCommand(env: Env, command: CommandName): CommandValues {
  const { values, faults } = readVariables(env, COMMAND_VARIABLES[command]);
  if (faults.length > 0) throw new EnvironmentError(faults, command);
  return values;
}
