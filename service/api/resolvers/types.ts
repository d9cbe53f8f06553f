import { isOutdated } from "../../../engine/runtime/outdated";
import { hideSecretValues } from "../../../engine/stack/secretValues";
import { withoutSecrets } from "../../database/sealing/audited";
import type { ApiContext } from "../context";
import { runtimeOf, type ConfigRow, type RuntimeRow } from "../rows";
import type {
  DeploymentOperationsArgs,
  DeploymentResolvers,
  OperationResolvers,
  OutcomeResolvers,
  RolloutItemResolvers,
  RolloutResolvers,
  StageResolvers,
} from "../schema.types";
import type { Orphan as OrphanRow } from "../../orphans/orphans";
import type { AuditRow, DeploymentRow, DriftRow, EventRow, OperationRow } from "../../database/tables";
import { CURSORS, pageArgs } from "./arguments";
import { nodeIdOf } from "./node";
import { connection } from "./queries";

function duration({ startedAt, endedAt }: { readonly startedAt: Date | null; readonly endedAt: Date | null }) {
  return startedAt === null ? null : Math.max(0, (endedAt?.getTime() ?? Date.now()) - startedAt.getTime()) / 1000;
}

const platformOf = ({ desiredConfig: { platform } }: DeploymentRow): string | undefined =>
  typeof platform === "string" ? platform : undefined;

const isUnderWay = (operation: OperationRow | undefined): boolean =>
  operation?.state === "pending" || operation?.state === "in_progress";

export const Deployment = {
  nodeId: nodeIdOf("Deployment"),
  config: ({ desiredConfig }) => configOf(desiredConfig),
  id: ({ name }) => name,
  stack: ({ id }) => id,
  platform: (row) => platformOf(row) ?? null,
  desiredConfig: ({ desiredConfig }) => hideSecretValues(desiredConfig),
  wish: ({ desiredConfig }) => hideSecretValues(desiredConfig),
  runtime: (row) => runtimeOf(row) ?? null,
  lastOperation: async ({ id }, _args, { loaders }) => (await loaders.newestOperation.load(id)) ?? null,
  currentOperation: async ({ id }, _args, { loaders }) => {
    const newest = await loaders.newestOperation.load(id);
    return newest && isUnderWay(newest) ? newest : null;
  },
  drift: async ({ id }, _args, { loaders }) => (await loaders.drift.load(id)) ?? null,
  health: async ({ id }, _args, { loaders }) => (await loaders.health.load(id)) ?? null,
  lifetime: async ({ id }, _args, { loaders }) => (await loaders.lifetime.load(id)) ?? null,
  outdated: async (row, _args, { loaders }) => {
    const platform = platformOf(row);
    const current = platform === undefined ? undefined : await loaders.revisions.load(platform);
    return (current && isOutdated(row.revisions, current)) ?? null;
  },
  contents: async ({ id }, _args, { backend }) => (await backend.reads.contents(id)) ?? null,
  operations: async (row: DeploymentRow, args: Partial<DeploymentOperationsArgs>, { backend, loaders }: ApiContext) => {
    const page = pageArgs(args, CURSORS.operations);
    const { first, after, before, last } = page;
    if ((after ?? before ?? last) === undefined) {
      return connection(await loaders.operations.load({ first, deployment: row.id }));
    }
    return connection(
      await backend.reads.operations({ ...page, filter: { deployment: row.name }, tenant: row.tenant }),
    );
  },
} satisfies DeploymentResolvers;

export const Operation = {
  nodeId: nodeIdOf("Operation"),
  config: ({ change }) => configOf(change),
  change: ({ change }) => hideSecretValues(change),
  deployment: async (row, _args, context) => (await deploymentOf(row, context)) ?? null,
  deploymentId: async (row, _args, context) => (await deploymentOf(row, context))?.name ?? row.deploymentId,
  stages: ({ id }, _args, { loaders }) => loaders.stages.load(id),
  durationSeconds: duration,
  result: ({ result }) => result && { ...result, outputs: visible(result.outputs) },
  outcome: async (row, _args, context) => {
    if (!row.result) return null;
    const deployment = (await deploymentOf(row, context))?.name ?? row.deploymentId;
    return { ...row.result, deployment, tenant: row.tenant };
  },
} satisfies OperationResolvers;

/** The deployment's part of a config or of a change. */
const configOf = (config: object): ConfigRow => {
  const { deployment } = hideSecretValues(config) as { readonly deployment?: ConfigRow };
  return deployment ?? {};
};

export const Outcome = {
  changes: ({ changes }) => Object.entries(changes).map(([action, count]) => ({ action, count })),
  runtime: (row) => (Object.keys(row.outputs).length > 0 ? row : null),
} satisfies OutcomeResolvers;

/** If another tenant has adopted the stack since, the deployment belongs to that tenant. */
async function deploymentOf(
  { deploymentId, tenant }: OperationRow,
  { loaders }: ApiContext,
): Promise<DeploymentRow | undefined> {
  const row = await loaders.deployment.load(deploymentId);
  return row?.tenant === tenant ? row : undefined;
}

export const Stage = { durationSeconds: duration } satisfies StageResolvers;

export const AuditEntry = { details: ({ details }: AuditRow) => withoutSecrets(details) };

export const OperationEvent = { operation: ({ operationId }: EventRow) => operationId };

const FIELDS = ["host", "audienceUrl", "cpu", "memoryGb", "storageBytes", "dataDir", "provisioner", "state"] as const;

/** Returns the outputs without secrets, such as a database's password. */
function visible(outputs: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(FIELDS.filter((name) => outputs[name] !== undefined).map((name) => [name, outputs[name]]));
}

/**
 * Returns null for an output of another type, which an older version may have written, instead of failing the whole
 * response.
 */
const output = (name: (typeof FIELDS)[number], type: "string" | "number") => (row: RuntimeRow) =>
  typeof row.outputs[name] === type ? row.outputs[name] : null;

export const Runtime = {
  host: output("host", "string"),
  audienceUrl: output("audienceUrl", "string"),
  cpu: output("cpu", "number"),
  memoryGb: output("memoryGb", "number"),
  storageBytes: output("storageBytes", "number"),
  dataDir: output("dataDir", "string"),
  provisioner: output("provisioner", "string"),
  state: ({ outputs }: RuntimeRow) =>
    outputs["state"] === "running" || outputs["state"] === "hibernated" ? outputs["state"] : null,
};

export const Rollout = {
  nodeId: nodeIdOf("Rollout"),
  items: ({ id }, _args, { backend }) => backend.fleet.items(id),
} satisfies RolloutResolvers;

const planned = ({ changes }: Pick<DriftRow, "changes">) => changes?.changes ?? [];

export const RolloutItem = {
  deploymentId: async ({ deploymentId }, _args, { loaders }) =>
    (await loaders.deployment.load(deploymentId))?.name ?? deploymentId,
  changes: planned,
} satisfies RolloutItemResolvers;

export const Drift = { changes: planned };

export const Orphan = {
  tenant: (orphan: OrphanRow) => ("tenant" in orphan ? orphan.tenant : null),
  provisioner: (orphan: OrphanRow) => ("provisioner" in orphan ? orphan.provisioner : null),
  parts: (orphan: OrphanRow) => ("parts" in orphan ? orphan.parts : []),
};
