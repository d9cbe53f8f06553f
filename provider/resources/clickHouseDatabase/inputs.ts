/** Inputs of a ClickHouseDatabase and their check. */

import type { DatabaseSettings } from "../../../components/runtime/clickhouse/database";
import { InputCheck } from "../../../foundation/pulumi/inputCheck";
import { UNKNOWN, type InputFailure, type Properties } from "../../../foundation/pulumi/resource";
import { serverEndpoint } from "./server";
import { NAME, SOURCES } from "./statements";
import { inputsOf, secretsOf } from "../../framework/resourceSchema";
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

const URL_OF = "the URL of a ClickHouse server's HTTP interface, such as https://admin:password@ch.example.com:8443";
const RUNTIME_URL = "the URL of an HTTP interface without user, such as https://ch.internal:8443";
const A_NAME = "a name of a-z, 0-9 and _, a letter first, 63 characters at most";
const DEFAULTS = { sources: SOURCES, access: true, passwordVersion: "1", whenDeleted: "Delete" };

export function checkDatabase(given: Properties): { inputs: Properties; failures: InputFailure[] } {
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value != null));
  const inputs: Properties = { ...DEFAULTS, ...said };
  const check = new InputCheck(secretsOf(schema));
  check.keys("", inputs, [...inputsOf(schema), "instance"]);
  check.text("url", inputs["url"], URL_OF, (text) => serverEndpoint(text) !== undefined);
  for (const key of ["database", "user"]) check.text(key, given[key], A_NAME, (text) => NAME.test(text));
  check.text("owner", given["owner"], "the name of the owner");
  for (const key of ["runtimeUrl", "runtimeWriterUrl"]) {
    if (inputs[key] === undefined) continue;
    check.text(key, inputs[key], RUNTIME_URL, (text) => serverEndpoint(text) !== undefined);
  }
  if (inputs["cluster"] !== undefined) check.text("cluster", inputs["cluster"], "the name of a cluster");
  if (inputs["adopt"] !== undefined) check.text("adopt", inputs["adopt"], "the id in the comment of the database");
  if (inputs["adoptPassword"] !== undefined) {
    check.text("adoptPassword", inputs["adoptPassword"], "the password of its user", (text) => text !== "");
  }
  check.flag("access", inputs["access"]);
  check.text("passwordVersion", inputs["passwordVersion"], "a text such as 2");
  const policies = ["Retain", "Delete"];
  check.text("whenDeleted", inputs["whenDeleted"], "Retain or Delete", (text) => policies.includes(text));
  const sources = inputs["sources"];
  const isKnown = (one: unknown): boolean => one === UNKNOWN || SOURCES.includes(String(one));
  if (sources !== UNKNOWN && !(Array.isArray(sources) && sources.every(isKnown))) {
    check.fail("sources", sources, `a list of ${SOURCES.join(", ")}`);
  }
  return { inputs, failures: check.failures };
}
