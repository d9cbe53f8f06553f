import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from "node:fs";

/** All resources of the simulated account, in one file, so that they survive the provider's process. */
export interface Thing {
  readonly token: string;
  /** Unique per type; a role may have the same name as a cluster. */
  readonly id: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
  /** The outputs that moto returned. */
  readonly moto?: Readonly<Record<string, unknown>> | undefined;
  /** Changes of the version of a cluster, the oldest first. */
  readonly updates?: readonly VersionChange[] | undefined;
}

export interface VersionChange {
  readonly type: "VersionUpdate" | "VersionRollback";
  readonly version: string;
  /** As text of ISO 8601. */
  readonly at: string;
}

const file = (): string => process.env["STACKYARD_AWS_DOUBLE"] ?? "";

export function things(): Thing[] {
  return existsSync(file()) ? (JSON.parse(readFileSync(file(), "utf8")) as Thing[]) : [];
}

/** One change at a time, as each component of a program has a provider of its own. Others read it whole. */
function change(make: (all: readonly Thing[]) => readonly Thing[]): void {
  const [lock, next] = [`${file()}.lock`, `${file()}.next`];
  for (let attempts = 1; !takes(lock); attempts++) {
    if (attempts > 2000) throw new Error(`${lock} has been there for 10 s; remove it if no provider runs`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  }
  try {
    writeFileSync(next, JSON.stringify(make(things()), undefined, 1));
    renameSync(next, file());
  } finally {
    rmdirSync(lock);
  }
}

function takes(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

const isSame = (token: string, id: string) => (thing: Thing) => thing.token === token && thing.id === id;
export const find = (token: string, id: string): Thing | undefined => things().find(isSame(token, id));

export function keep(thing: Thing): void {
  const same = isSame(thing.token, thing.id);
  change((all) => [...all.filter((other) => !same(other)), thing]);
}

export function drop(token: string, id: string): void {
  // Deleting a node group deletes its Auto Scaling group with its tags.
  const resources = texts(find(token, id)?.outputs["resources"]);
  const same = isSame(token, id);
  const isGone = (thing: Thing): boolean =>
    same(thing) || resources.includes(String(thing.inputs["autoscalingGroupName"]));
  change((all) => all.filter((thing) => !isGone(thing)));
}

const texts = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  // Tags are no references.
  return Object.entries(value).flatMap(([key, inner]) => (key === "tags" ? [] : texts(inner)));
};

const IDS = /^(vpc|subnet|rtb|eipalloc|nat|igw|lt)-(double-\d+|[0-9a-f]{17})$/;

/** Returns ids in the inputs that don't exist in the account. */
export function dangling(inputs: unknown): string[] {
  const ids = new Set(things().map(({ id }) => id));
  return texts(inputs).filter((text) => IDS.test(text) && !ids.has(text));
}

/** Returns what refers to a resource by its id, its ARN or, for clusters and roles, its name. */
export function dependants(token: string, id: string): string[] {
  const thing = find(token, id);
  if (!thing) return [];
  const same = isSame(token, id);
  const named = /Cluster$|Role$/.test(thing.token) ? [thing.outputs["name"]] : [];
  const names = new Set([id, thing.outputs["arn"], ...named].filter((name) => typeof name === "string" && name !== ""));
  // A resource's own name is no reference: a queue may have the same name as a role.
  const referred = ({ inputs }: Thing): string[] => texts({ ...inputs, name: undefined });
  return things().flatMap((other) =>
    !same(other) && referred(other).some((text) => names.has(text))
      ? [`${other.token.split(":").at(-1)} ${other.id}`]
      : [],
  );
}
