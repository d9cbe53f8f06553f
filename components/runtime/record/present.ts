import type { StateResource } from "../../resources/ownState";
import type { RuntimeRecord } from "./record";

/** The location of a runtime and its request, according to its stack's state. */
export interface Present<Place> {
  /** Name of its resources. */
  readonly name: string;
  /** Not set if an older version created it. */
  readonly record?: RuntimeRecord;
  /** The latest request. Differs from `record` after a failed move. */
  readonly latest?: RuntimeRecord;
  /** Its current provisioner. */
  readonly provisioner?: string;
  readonly place: Place;
}

/**
 * Finds the runtime among the resources of a state, by URN. `placeIn` returns the location if a resource is a runtime.
 */
export function presentAmong<Place>(
  resources: Readonly<Record<string, StateResource>>,
  placeIn: (urn: string, resource: StateResource) => Place | undefined,
): Present<Place> | undefined {
  const entries = Object.entries(resources);
  const runtimes = entries.flatMap(([urn, resource]) => {
    const place = placeIn(urn, resource);
    const record = recordIn(resource.outputs);
    return place === undefined || record?.former === true ? [] : [{ name: runtimeName(urn), place, record }];
  });
  const outputOf = (type: string, key: string): string | undefined => {
    const found = entries.find(([, resource]) => resource.type === type);
    return found && textIn(found[1].outputs, key);
  };
  // From the last complete update. Identifies the current runtime if a failed move left two.
  const settled = outputOf("pulumi:pulumi:Stack", "provisioner");
  // Older versions stored the provisioner in a Stash.
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

/** Whether the deployment is protected, by the last complete request or one that only started. */
export const isProtected = ({ record, latest }: Pick<Present<unknown>, "record" | "latest">): boolean =>
  record?.deployment.protected === true || latest?.deployment.protected === true;

/** Name of the runtime that a resource of a state belongs to. */
export const runtimeName = (urn: string): string =>
  urn.slice(urn.lastIndexOf("::") + 2).replace(/-(?:objects|slots|shoot)$/, "");

/** The request that a resource of a state stores. */
export function recordIn({ record }: StateResource["outputs"]): RuntimeRecord | undefined {
  const { deployment, platform, provisioner } = (record ?? {}) as Partial<RuntimeRecord>;
  const isComplete = typeof deployment === "object" && typeof platform === "string" && typeof provisioner === "string";
  return isComplete ? (record as RuntimeRecord) : undefined;
}

const sinceOf = (record: RuntimeRecord | undefined): string => record?.change?.at ?? "";

/** An output that is a non-empty string. */
export function textIn(outputs: StateResource["outputs"], key: string): string | undefined {
  const value = outputs[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}
