import { runtimeSize } from "../size";
import { provisionId } from "../names";
import type { Deployment } from "../request/deployment";
import { ChoiceError } from "../choiceError";
import { chooseClickHouse } from "./choose";
import { type ClusterPlan, keptCluster, type PresentCluster, renderedCluster } from "./cluster/plan";
import type { DatabaseSettings } from "./database";
import type { PresentDatabase } from "./present";
import { type Reach, reachOf } from "../databaseAccess";
import { readableName } from "./readableName";
import type { DatabasePlatform } from "./settings";

/** Plan of a deployment's database on a shared server. */
export interface DatabasePlan extends Reach {
  readonly type: "static";
  readonly settings: DatabaseSettings;
  /** Address for writes. Not set if it is the one for reads. */
  readonly writer?: Reach;
  /** Name of the Secret for a runtime in Kubernetes. */
  readonly secret: string;
  /** Revision of its provisioner. Not set if the existing database stays unchanged. */
  readonly revision?: string;
}

export type ClickHousePlan = DatabasePlan | ClusterPlan;

/** The stack's existing database or cluster. */
type PresentClickHouse = PresentDatabase | PresentCluster;

/**
 * Plans the database of a deployment. Undefined if it has none and requests none. An existing database is kept: if the
 * deployment no longer requests it, access is revoked. A hibernated deployment's database does not change. `adopted`:
 * name of an existing database that a new stack takes over. Throws a {@link ChoiceError}.
 */
export function planClickHouse(
  platform: DatabasePlatform,
  deployment: Deployment,
  platformStack: string,
  present?: PresentClickHouse,
  adopted?: string,
): ClickHousePlan | undefined {
  const asked = deployment.resources?.clickhouse;
  const set = platform.clickhouse ?? {};
  const kept = keptPlan(set, deployment, asked !== undefined, present);
  if (kept !== undefined || asked === undefined) return kept;
  const provisioner = chooseClickHouse(set, deployment.id, asked.provisioner, present?.provisioner);
  const spec = set[provisioner];
  if (spec === undefined) throw new Error(`clickhouse provisioner "${provisioner}" is not in the set`);
  if (present !== undefined && present.type !== spec.type && present.isCreated)
    throw otherKind(deployment.id, provisioner);
  const id = provisionId(deployment.id);
  // `-` is the only character of a provision id that names don't allow, and ids contain no `_`.
  const name = `${spec.prefix}${id.replaceAll("-", "_")}`;
  const passwordVersion = `${spec.passwordVersion}.${asked.passwordVersion ?? 1}`;
  // The names of a database are fixed, because other names would mean another database.
  const fresh = spec.type === "static" ? readableName(spec.prefix, deployment.annotations, name) : name;
  const names = { database: present?.database ?? adopted ?? fresh, user: present?.user ?? name };
  const revision = platform.clickhouseRevisions?.[provisioner];
  const known = revision === undefined ? {} : { revision };
  if (spec.type === "kubernetes") {
    const before = present?.type === "kubernetes" ? present : undefined;
    const size = runtimeSize(deployment, platform.slot);
    const wanted = { deployment, provisioner, spec, size, passwordVersion, ...names };
    return { ...renderedCluster(wanted, before), ...known };
  }
  const { url, runtimeUrl, runtimeWriterUrl, cluster, sources, databaseWhenDeleted: whenDeleted } = spec;
  const optional = { ...(runtimeUrl && { runtimeUrl }), ...(runtimeWriterUrl && { runtimeWriterUrl }) };
  const reached = { url, ...optional, ...(cluster && { cluster }) };
  const owner = `${platformStack}/${deployment.id}`;
  const settings = {
    ...{ ...reached, provisioner, ...names, owner },
    ...{ sources, access: true, passwordVersion, whenDeleted },
  };
  return { ...planned(deployment, settings), ...known };
}

/** The existing database unchanged, if the deployment no longer requests it or is hibernated. */
function keptPlan(
  set: NonNullable<DatabasePlatform["clickhouse"]>,
  deployment: Deployment,
  isAsked: boolean,
  present: PresentClickHouse | undefined,
): ClickHousePlan | undefined {
  if (present?.isCreated !== true) return undefined;
  if (present.type === "kubernetes") {
    const stops = !isAsked || deployment.state === "hibernated";
    const spec = Object.hasOwn(set, present.provisioner) ? set[present.provisioner] : undefined;
    return stops ? keptCluster(deployment, present, isAsked, spec) : undefined;
  }
  if (!isAsked) return planned(deployment, { ...of(present), access: false });
  return present.access && deployment.state === "hibernated" ? planned(deployment, of(present)) : undefined;
}

const otherKind = (id: string, provisioner: string): ChoiceError =>
  new ChoiceError(
    `deployment "${id}" has its database with a clickhouse provisioner of another type than "${provisioner}" has; its data is not copied. ` +
      "Restore the provisioner, or name the one that has the database: --clickhouse NAME",
  );

function planned(deployment: Deployment, settings: DatabaseSettings): DatabasePlan {
  const secret = `clickhouse-runtime-${provisionId(deployment.id)}`;
  const { url, runtimeUrl = url, runtimeWriterUrl } = settings;
  const writer = runtimeWriterUrl && { writer: reachOf(runtimeWriterUrl) };
  return { type: "static", settings, ...reachOf(runtimeUrl), ...writer, secret };
}

function of(present: PresentDatabase): DatabaseSettings {
  const { url, runtimeUrl, runtimeWriterUrl, cluster, provisioner, database, user, owner } = present;
  const { sources, access, passwordVersion, whenDeleted } = present;
  const addresses = { url, ...(runtimeUrl && { runtimeUrl }), ...(runtimeWriterUrl && { runtimeWriterUrl }) };
  const known = { ...addresses, ...(cluster && { cluster }), ...(provisioner && { provisioner }) };
  return { ...known, database, user, owner, sources, access, passwordVersion, whenDeleted };
}
