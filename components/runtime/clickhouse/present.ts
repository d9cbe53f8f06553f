import type { StateResource } from "../../resources/ownState";
import { CLICKHOUSE_DATABASE } from "../../resources/tokens";
import type { DatabaseSettings } from "./database";

/** The stack's database according to its state. */
export interface PresentDatabase extends DatabaseSettings {
  readonly type: "static";
  /** Whether it was created for certain; an interrupted update may or may not have created it. */
  readonly isCreated: boolean;
}

/** Finds the database among the resources of a state, by URN. */
export function databaseIn(resources: Readonly<Record<string, StateResource>>): PresentDatabase | undefined {
  const outputs = Object.values(resources).find(({ type }) => type === CLICKHOUSE_DATABASE)?.outputs;
  if (outputs === undefined) return undefined;
  const { url, database, user, owner, access, passwordVersion } = outputs;
  const optional = ["runtimeUrl", "runtimeWriterUrl", "cluster", "provisioner"] as const;
  return {
    type: "static",
    url: String(url),
    ...Object.fromEntries(optional.flatMap((key) => (typeof outputs[key] === "string" ? [[key, outputs[key]]] : []))),
    database: String(database),
    user: String(user),
    owner: String(owner),
    sources: Array.isArray(outputs["sources"]) ? outputs["sources"].map(String) : [],
    access: access !== false,
    passwordVersion: String(passwordVersion),
    whenDeleted: outputs["whenDeleted"] === "Retain" ? "Retain" : "Delete",
    isCreated: typeof outputs["host"] === "string",
  };
}
