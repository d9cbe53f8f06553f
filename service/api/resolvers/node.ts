import type { DeploymentRow, OperationRow, RolloutRow } from "../../database/tables";
import type { ApiContext } from "../context";
import type { NodeRow } from "../rows";

type NodeType = NodeRow["__typename"];
type Read = (
  id: string,
  tenant: string | undefined,
  context: ApiContext,
) => Promise<DeploymentRow | OperationRow | RolloutRow | undefined>;

const READS = {
  Deployment: async (id, tenant, { loaders }) => {
    // The id is the stack, which belongs to one deployment of all tenants.
    const row = await loaders.deployment.load(id);
    return tenant === undefined || row?.tenant === tenant ? row : undefined;
  },
  Operation: (id, tenant, { backend }) => backend.reads.operation(tenant, id),
  Rollout: (id, tenant, { backend }) => backend.fleet.rollout(tenant, id),
} satisfies Record<NodeType, Read>;

const isType = (text: string): text is NodeType => Object.hasOwn(READS, text);

/** Returns the field `nodeId` of a type. */
export const nodeIdOf =
  (type: NodeType) =>
  ({ id }: { readonly id: string }): string =>
    `${type}:${id}`;

/** Reads a node; undefined if the tenant has none with this id. */
export async function nodeOf(
  nodeId: string,
  tenant: string | undefined,
  context: ApiContext,
): Promise<NodeRow | undefined> {
  const [type = "", id = ""] = nodeId.split(/:(.*)/s);
  const row = isType(type) ? await READS[type](id, tenant, context) : undefined;
  return row && { ...row, __typename: type as NodeType };
}
