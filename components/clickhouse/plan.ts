import { provisionId } from "../runtime/names";
import type { Deployment, Platform } from "../runtime/platform";
import { chooseClickHouse } from "./choose";
import type { PresentDatabase } from "./present";

/** What the database is made from, as its resource takes it. */
export interface DatabaseSettings {
  readonly url: string;
  readonly runtimeUrl?: string;
  readonly cluster?: string;
  /** Provisioner that it is with. */
  readonly provisioner?: string;
  readonly database: string;
  readonly user: string;
  /** Platform stack and deployment, for people; noted on the database. */
  readonly owner: string;
  readonly sources: readonly string[];
  /** Whether there is a user who may enter. */
  readonly access: boolean;
  readonly passwordVersion: string;
  readonly whenDeleted: "Retain" | "Delete";
}

/** The database that a deployment has. */
export interface ClickHousePlan {
  readonly settings: DatabaseSettings;
  /** How runtimes reach the server. */
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  /** Name of the Kubernetes Secret that a runtime in Kubernetes gets. */
  readonly secret: string;
}

/**
 * Undefined when the deployment has none and asks for none. One that it has stays with it, whatever it asks for: without asking for
 * it, it can't be entered any more. While it is hibernated, nothing of it changes. Throws a {@link ChoiceError}.
 */
export function planClickHouse(
  platform: Platform,
  deployment: Deployment,
  platformStack: string,
  present?: PresentDatabase,
): ClickHousePlan | undefined {
  const asked = deployment.resources?.clickhouse;
  if (asked === undefined)
    return present?.isMade === true ? planned(deployment, { ...of(present), access: false }) : undefined;
  if (present?.isMade === true && present.access && deployment.state === "hibernated") {
    return planned(deployment, of(present));
  }
  const set = platform.clickhouse ?? {};
  const provisioner = chooseClickHouse(set, deployment.id, asked.provisioner, present?.provisioner);
  const spec = set[provisioner];
  if (spec === undefined) throw new Error(`clickhouse provisioner "${provisioner}" is not in the set`);
  const { url, runtimeUrl, cluster, prefix, sources, passwordVersion, databaseWhenDeleted } = spec;
  // Of a provision id, only - is no letter of a name, and _ is not in it yet.
  const name = `${prefix}${provisionId(deployment.id).replaceAll("-", "_")}`;
  return planned(deployment, {
    url,
    ...(runtimeUrl === undefined ? {} : { runtimeUrl }),
    ...(cluster === undefined ? {} : { cluster }),
    provisioner,
    // It keeps its names, for under others it would be another one.
    database: present?.database ?? name,
    user: present?.user ?? name,
    owner: `${platformStack}/${deployment.id}`,
    sources,
    access: true,
    passwordVersion: `${passwordVersion}.${asked.passwordVersion ?? 1}`,
    whenDeleted: databaseWhenDeleted,
  });
}

function planned(deployment: Deployment, settings: DatabaseSettings): ClickHousePlan {
  const url = new URL(settings.runtimeUrl ?? settings.url);
  const secure = url.protocol === "https:";
  return {
    settings,
    host: url.hostname,
    port: url.port === "" ? (secure ? 8443 : 8123) : Number(url.port),
    secure,
    secret: `clickhouse-runtime-${provisionId(deployment.id)}`,
  };
}

function of(present: PresentDatabase): DatabaseSettings {
  const { url, runtimeUrl, cluster, provisioner, database, user, owner } = present;
  const { sources, access, passwordVersion, whenDeleted } = present;
  const known = { ...(runtimeUrl && { runtimeUrl }), ...(cluster && { cluster }), ...(provisioner && { provisioner }) };
  return { url, ...known, database, user, owner, sources, access, passwordVersion, whenDeleted };
}
