import { nearest } from "../../../foundation/text/nearest";
import { runtimeSize } from "../size";
import { provisionId } from "../names";
import type { Deployment } from "../request/deployment";
import { ChoiceError } from "../choiceError";
import { type ClusterPlan, keptCluster, type PresentCluster, renderedCluster } from "./cluster/plan";
import type { DatabaseSettings } from "./database";
import type { PresentDatabase } from "./present";
import { type Reach, reachOf } from "../databaseAccess";
import { readableName } from "./readableName";
import type { DatabasePlatform, ClickHouseProvisioner } from "./settings";

/**
 * Chooses the provisioner of a deployment's database: the requested one, or else the current one, or else the default
 * or only one. A changed default never moves a database. Throws a {@link ChoiceError}.
 */
function chooseClickHouse(
  set: Readonly<Record<string, ClickHouseProvisioner>>,
  id: string,
  wanted: string | undefined,
  present: string | undefined,
): string {
  const names = Object.keys(set);
  const usual = names.find((one) => set[one]?.default) ?? (names.length === 1 ? names[0] : undefined);
  const name = wanted ?? present ?? usual;
  if (name !== undefined && names.includes(name)) return name;
  const deployment = `deployment "${id}"`;
  if (wanted === undefined && present !== undefined) {
    throw new ChoiceError(
      `${deployment} has its database with clickhouse provisioner "${present}", which is no longer in the platform's set; restore the provisioner, or name another one of the same server: --clickhouse NAME`,
    );
  }
  if (names.length === 0) {
    throw new ChoiceError(
      `${deployment}: found resources.clickhouse; expected none, because the platform has no clickhouse provisioner; add one to stackyard:clickhouse`,
      "input",
      "resources.clickhouse",
    );
  }
  const found =
    wanted === undefined
      ? "no clickhouse provisioner, and several to choose from"
      : `clickhouse provisioner "${wanted}"`;
  const near = wanted === undefined ? undefined : nearest(wanted, names);
  const meant = near === undefined ? "" : `; did you mean ${near}?`;
  throw new ChoiceError(
    `${deployment}: found ${found}; expected one of ${names.join(", ")}${meant}`,
    "input",
    "resources.clickhouse.provisioner",
  );
}

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
