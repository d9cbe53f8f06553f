export { readForCommand, type CommandValues } from "./commands";
export { databaseUrl } from "./databaseUrl";
export { EnvironmentError, readEnvironment, withFile, type Values } from "./environment";
export type { Address, StaticToken } from "./fields";
