import { setNameOf } from "../../../foundation/pulumi/setName";
import type { StateResource } from "../../resources/ownState";
import { MANIFEST_SET, SLOT_ALLOCATION } from "../../resources/tokens";
import type { Manifest } from "../templates/render";
import type { RuntimeRecord } from "./record";

/** Where a runtime is, and what it was asked to be, as the state of its stack says. */
export interface Present {
  /** Name of its resources. */
  readonly name: string;
  /** Absent where an older version made it. */
  readonly record?: RuntimeRecord;
  /** What was asked for last: another request than `record` after a move that began and failed. */
  readonly latest?: RuntimeRecord;
  /** Provisioner that it is with. */
  readonly provisioner?: string;
  readonly place: StaticPlace | KubernetesPlace;
}

export interface StaticPlace {
  readonly type: "static";
  readonly pool: string;
  readonly host?: string;
}

export interface KubernetesPlace {
  readonly type: "kubernetes";
  /** Address of its cluster. */
  readonly cluster: string;
  readonly namespace: string;
  /** Name of its set: `runtime-<provision id>`. */
  readonly set: string;
  /** Its objects as they were applied. */
  readonly objects: readonly Manifest[];
  readonly claimsWhenDeleted?: string;
}

/** The runtime among the resources of a state, by URN. */
export function presentOf(resources: Readonly<Record<string, StateResource>>): Present | undefined {
  const entries = Object.entries(resources);
  const runtimes = entries.flatMap(([urn, { type, outputs }]) => {
    // Other sets of the stack, such as one with Secrets for the runtime, say nothing of where it is.
    const isOther = type === MANIFEST_SET && !urn.includes("KubernetesRuntime$");
    const place = isOther ? undefined : placeOf(type, outputs);
    const name = urn.slice(urn.lastIndexOf("::") + 2).replace(/-(?:objects|slots)$/, "");
    return place === undefined ? [] : [{ name, place, record: recordIn(outputs) }];
  });
  const outputOf = (type: string, key: string): string | undefined =>
    text(entries.find(([, resource]) => resource.type === type)?.[1].outputs[key]);
  // What the last update that came to its end says; it names the one of two that a failed move has left.
  const settled = outputOf("pulumi:pulumi:Stack", "provisioner");
  // An older version kept the provisioner in a Stash.
  const remembered = settled ?? outputOf("pulumi:index:Stash", "output");
  const byAge = runtimes.sort((a, b) => (sinceOf(a.record) < sinceOf(b.record) ? -1 : 1));
  const found = byAge.find(({ record }) => record !== undefined && record.provisioner === settled) ?? byAge[0];
  if (found === undefined) return undefined;
  return {
    ...found,
    latest: byAge.findLast(({ record }) => record !== undefined)?.record,
    provisioner: found.record?.provisioner ?? remembered,
  };
}

function placeOf(type: string, outputs: StateResource["outputs"]): Present["place"] | undefined {
  if (type === SLOT_ALLOCATION) {
    return { type: "static", pool: text(outputs["pool"]) ?? "", host: text(outputs["host"]) };
  }
  if (type !== MANIFEST_SET) return undefined;
  return {
    type: "kubernetes",
    cluster: text(outputs["cluster"]) ?? "",
    namespace: text(outputs["namespace"]) ?? "",
    set: text(setNameOf(outputs)) ?? "",
    objects: (Array.isArray(outputs["objects"]) ? outputs["objects"] : []) as Manifest[],
    claimsWhenDeleted: text(outputs["claimsWhenDeleted"]),
  };
}

function recordIn({ record }: StateResource["outputs"]): RuntimeRecord | undefined {
  const { deployment, platform, provisioner } = (record ?? {}) as Partial<RuntimeRecord>;
  const isComplete = typeof deployment === "object" && typeof platform === "string" && typeof provisioner === "string";
  return isComplete ? (record as RuntimeRecord) : undefined;
}

const sinceOf = (record: RuntimeRecord | undefined): string => record?.change?.at ?? "";

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
