import type { RuntimeRecord } from "../../../components/runtime/record/record";
import type { ResourceState, StackState } from "../../../engine/pulumi/state/checkpoint";

export const DEV = "organization/stackyard/dev";

/** A record as the program keeps it, with what differs. */
export function record({
  deployment,
  ...fields
}: Partial<Omit<RuntimeRecord, "deployment">> & {
  deployment?: Partial<RuntimeRecord["deployment"]>;
} = {}): RuntimeRecord {
  return {
    deployment: {
      id: "acme",
      slots: 2,
      version: "0.50.0",
      environment: "prod",
      annotations: {},
      state: "running",
      ...deployment,
    },
    platform: DEV,
    provisioner: "spot",
    revision: "r1",
    change: { command: "runtime up", at: "2026-01-01T00:00:00.000Z" },
    ...fields,
  };
}

export const set = (fields: Partial<ResourceState> = {}): ResourceState => ({
  urn: "urn:pulumi:acme::stackyard-runtime::stackyard:index:ManifestSet::kubernetes-1-objects",
  type: "stackyard:index:ManifestSet",
  custom: true,
  ...fields,
});

/** A stack's state with what differs. */
export function stack(name: string, fields: Partial<StackState> = {}): StackState {
  const outputs = { host: `http://${name}`, provisioner: "spot", state: "running", cpu: 2 };
  return { name, outputs, resources: [set()], pending: 0, updated: new Date("2026-01-01T01:00:00Z"), ...fields };
}
