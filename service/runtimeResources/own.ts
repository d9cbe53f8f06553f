import { isObject } from "../../foundation/json/isObject";
import { textAt, type KubeObject } from "../../kubernetes/objects/objects";
import type { Backend } from "../api/backend";
import type { DeploymentRow, OperationRow } from "../database/tables";
import { SERVICE_ACTORS } from "../operations/input";
import { ANNOTATIONS, LABELS } from "./kind";
import type { Wanted } from "./request/wanted";

/** The deployment of a Runtime. */
export interface Own {
  readonly deployment: DeploymentRow;
  /** Its newest operation, of any caller. */
  readonly newest: OperationRow | undefined;
  /** Generation of the Runtime that was requested last. */
  readonly requested: number | undefined;
}

/** Deployments with one UID that are looked at. */
const MOST = 20;

const byAge = (one: DeploymentRow, other: DeploymentRow): number => Number(one.createdAt) - Number(other.createdAt);

export type OwnReads = Pick<Backend["reads"], "deployments" | "operations" | "newest">;

/**
 * The deployment that a Runtime has requested, whatever its labels say now. Each request records the Runtime's UID in the
 * deployment, so the record begins and ends with it.
 */
export async function ownOf(
  { metadata: { uid = "", labels = {} } }: KubeObject,
  reads: OwnReads,
): Promise<Own | undefined> {
  const filter = { annotations: { [ANNOTATIONS.uid]: uid }, deleted: true };
  const { nodes } = await reads.deployments({ tenant: undefined, filter, first: MOST });
  // A caller of the API may give the annotation to another deployment too.
  const isNamed = ({ name, tenant }: DeploymentRow): boolean =>
    name === labels[LABELS.runtimeId] && tenant === labels[LABELS.globalAccount];
  const deployment = nodes.find(isNamed) ?? nodes.toSorted(byAge)[0];
  if (deployment === undefined) return undefined;
  const { id, name, tenant, desiredConfig } = deployment;
  const asked = { deployment: name, requestedBy: SERVICE_ACTORS.runtimes, kind: ["provision", "update"] } as const;
  const [[newest], last] = await Promise.all([
    reads.newest([id]),
    reads.operations({ tenant, filter: asked, first: 1 }),
  ]);
  // A request that failed is not in the desired config, and a request of long ago is not among the operations.
  const requested = generationIn(last.nodes[0]?.change.deployment) ?? generationIn(desiredConfig.deployment);
  return { deployment, newest, requested };
}

function generationIn(deployment: unknown): number | undefined {
  const generation = textAt(isObject(deployment) ? deployment["annotations"] : undefined, ANNOTATIONS.generation);
  return generation === undefined ? undefined : Number(generation);
}

/** A runtime keeps its id and its tenant. Pure. */
export function identityFaults(
  { id, tenant }: Pick<Wanted, "id" | "tenant">,
  deployment: Pick<DeploymentRow, "name" | "tenant"> | undefined,
): string[] {
  if (deployment === undefined) return [];
  const kept = [
    { label: LABELS.runtimeId, found: id, has: deployment.name },
    { label: LABELS.globalAccount, found: tenant, has: deployment.tenant },
  ];
  return kept
    .filter(({ found, has }) => found !== has)
    .map(
      ({ label, found, has }) =>
        `metadata.labels[${JSON.stringify(label)}]: found ${JSON.stringify(found)}; expected ${JSON.stringify(has)}, which the runtime keeps`,
    );
}
