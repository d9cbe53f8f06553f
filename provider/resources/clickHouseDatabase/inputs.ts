/** Inputs of a ClickHouseDatabase and their check. */

import type { DatabaseSettings } from "../../../components/runtime/clickhouse/database";
import { UNKNOWN, type Properties } from "../../../foundation/pulumi/resource";
import { serverEndpoint } from "./server";
import { NAME, SOURCES } from "./statements";
import { checkInputs, oneWordOf } from "../../framework/resourceSchema";
import type { CheckedInputs, InputRules, TextRule } from "../../framework/resourceSchema";
import { schema } from "./clickHouseDatabaseSchema";

export interface DatabaseInputs extends DatabaseSettings {
  /**
   * Random id, chosen before the creation and recorded in the database's comment. A database with another id belongs to
   * another owner.
   */
  readonly instance?: string;
  /** Instance id of an existing database. The creation adopts this database, and does nothing if it does not exist. */
  readonly adopt?: string;
  /** Password of the adopted database's user; a secret. Default: a new password. */
  readonly adoptPassword?: string;
}

/**
 * Host, port and secure are the address for runtimes. The outputs are missing if an interrupted update may or may not
 * have created the database.
 */
export interface DatabaseState extends DatabaseInputs {
  readonly host?: string;
  readonly port?: number;
  readonly secure?: boolean;
  /** Missing without access. */
  readonly password?: string;
  /** Of its last change; missing in states of earlier versions. */
  readonly generation?: number;
  /** The engine stopped in the middle of an update, see engine/pulumi/state/pending.ts. */
  readonly interrupted?: true;
}

const isServerUrl = (text: string): boolean => serverEndpoint(text) !== undefined;
const SERVER_URL =
  "the URL of a ClickHouse server's HTTP interface, such as https://admin:password@ch.example.com:8443";
const RUNTIME_URL: TextRule = [
  "the URL of an HTTP interface without user, such as https://ch.internal:8443",
  isServerUrl,
];
const A_NAME: TextRule = ["a name of a-z, 0-9 and _, a letter first, 63 characters at most", (text) => NAME.test(text)];
const DEFAULTS = { sources: SOURCES, access: true, passwordVersion: "1", whenDeleted: "Delete" };

const RULES: InputRules = {
  url: [SERVER_URL, isServerUrl],
  database: A_NAME,
  user: A_NAME,
  owner: ["the name of the owner"],
  runtimeUrl: RUNTIME_URL,
  runtimeWriterUrl: RUNTIME_URL,
  cluster: ["the name of a cluster"],
  adopt: ["the id in the comment of the database"],
  adoptPassword: ["the password of its user"],
  passwordVersion: ["a text such as 2"],
  whenDeleted: oneWordOf("Retain", "Delete"),
  sources(check, sources) {
    const isKnown = (one: unknown): boolean => one === UNKNOWN || SOURCES.includes(String(one));
    if (Array.isArray(sources) && sources.every(isKnown)) return;
    check.fail("sources", sources, `a list of ${SOURCES.join(", ")}`);
  },
};

export const checkDatabase = (given: Properties): CheckedInputs =>
  checkInputs(schema, given, RULES, { defaults: DEFAULTS, also: ["instance"] });
