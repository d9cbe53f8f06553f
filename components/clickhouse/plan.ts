import { runtimeSize } from "../runtime/size";
import { provisionId } from "../runtime/names";
import type { Deployment, Platform } from "../runtime/platform/platform";
import { ChoiceError } from "../runtime/choiceError";
import { chooseClickHouse } from "./choose";
import { type ClusterPlan, keptCluster, type PresentCluster, renderedCluster } from "./cluster/plan";
import type { DatabaseSettings } from "./database";
import type { PresentDatabase } from "./present";
import { type Reach, reachOf } from "./reach";

/** The database that a deployment has on a server that many share. */
export interface DatabasePlan extends Reach {
  readonly type: "static";
  readonly settings: DatabaseSettings;
  /** Name of the Kubernetes Secret that a runtime in Kubernetes gets. */
  readonly secret: string;
  /** Revision of its provisioner. Absent if what exists stays as it is. */
  readonly revision?: string;
}

export type ClickHousePlan = DatabasePlan | ClusterPlan;

/** What the stack has already. */
export type PresentClickHouse = PresentDatabase | PresentCluster;

/**
 * Undefined when the deployment has none and asks for none. One that it has stays with it, whatever it asks for: without asking for
 * it, it can't be entered any more. While it is hibernated, nothing of it changes. Throws a {@link ChoiceError}.
 */
export function planClickHouse(
  platform: Platform,
  deployment: Deployment,
  platformStack: string,
  present?: PresentClickHouse,
): ClickHousePlan | undefined {
  const asked = deployment.resources?.clickhouse;
  const set = platform.clickhouse ?? {};
  const kept = keptPlan(set, deployment, asked !== undefined, present);
  if (kept !== undefined || asked === undefined) return kept;
  const provisioner = chooseClickHouse(set, deployment.id, asked.provisioner, present?.provisioner);
  const spec = set[provisioner];
  if (spec === undefined) throw new Error(`clickhouse provisioner "${provisioner}" is not in the set`);
  if (present !== undefined && present.type !== spec.type && present.isMade)
    throw otherKind(deployment.id, provisioner);
  const id = provisionId(deployment.id);
  // Of a provision id, only - is no letter of a name, and _ is not in it yet.
  const name = `${spec.prefix}${id.replaceAll("-", "_")}`;
  const passwordVersion = `${spec.passwordVersion}.${asked.passwordVersion ?? 1}`;
  // It keeps its names, for under others it would be another one.
  const names = { database: present?.database ?? name, user: present?.user ?? name };
  const revision = platform.clickhouseRevisions?.[provisioner];
  const known = revision === undefined ? {} : { revision };
  if (spec.type === "kubernetes") {
    const before = present?.type === "kubernetes" ? present : undefined;
    const size = runtimeSize(deployment, platform.slot);
    const wanted = { deployment, provisioner, spec, size, passwordVersion, ...names };
    return { ...renderedCluster(wanted, before), ...known };
  }
  const { url, runtimeUrl, cluster, sources, databaseWhenDeleted: whenDeleted } = spec;
  const reached = { url, ...(runtimeUrl && { runtimeUrl }), ...(cluster && { cluster }) };
  const owner = `${platformStack}/${deployment.id}`;
  const settings = {
    ...{ ...reached, provisioner, ...names, owner },
    ...{ sources, access: true, passwordVersion, whenDeleted },
  };
  return { ...planned(deployment, settings), ...known };
}

/** What is there as it is, where nobody asks for it any more and where the deployment is hibernated. */
function keptPlan(
  set: NonNullable<Platform["clickhouse"]>,
  deployment: Deployment,
  isAsked: boolean,
  present: PresentClickHouse | undefined,
): ClickHousePlan | undefined {
  if (present?.isMade !== true) return undefined;
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
      "Restore the provisioner, or name the one that it is with: --clickhouse NAME",
  );

function planned(deployment: Deployment, settings: DatabaseSettings): DatabasePlan {
  const secret = `clickhouse-runtime-${provisionId(deployment.id)}`;
  return { type: "static", settings, ...reachOf(settings.runtimeUrl ?? settings.url), secret };
}

function of(present: PresentDatabase): DatabaseSettings {
  const { url, runtimeUrl, cluster, provisioner, database, user, owner } = present;
  const { sources, access, passwordVersion, whenDeleted } = present;
  const known = { ...(runtimeUrl && { runtimeUrl }), ...(cluster && { cluster }), ...(provisioner && { provisioner }) };
  return { url, ...known, database, user, owner, sources, access, passwordVersion, whenDeleted };
}
