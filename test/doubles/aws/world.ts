import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** Everything that there is in the doubled account, in one file, so that it outlives the provider's process. */
export interface Thing {
  readonly token: string;
  /** No other of its type has it; a role may be called like a cluster. */
  readonly id: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
  /** Those of the outputs that moto reported. */
  readonly moto?: Readonly<Record<string, unknown>> | undefined;
}

const file = (): string => process.env["STACKYARD_AWS_DOUBLE"] ?? "";

export function things(): Thing[] {
  return existsSync(file()) ? (JSON.parse(readFileSync(file(), "utf8")) as Thing[]) : [];
}
const write = (all: readonly Thing[]): void => writeFileSync(file(), JSON.stringify(all, undefined, 1));

const isSame = (token: string, id: string) => (thing: Thing) => thing.token === token && thing.id === id;
export const find = (token: string, id: string): Thing | undefined => things().find(isSame(token, id));

export function keep(thing: Thing): void {
  const same = isSame(thing.token, thing.id);
  write([...things().filter((other) => !same(other)), thing]);
}

export function drop(token: string, id: string): void {
  // The Auto Scaling group of a node group goes with it, and its tags go with that.
  const resources = texts(find(token, id)?.outputs["resources"]);
  const same = isSame(token, id);
  write(things().filter((thing) => !same(thing) && !resources.includes(String(thing.inputs["autoscalingGroupName"]))));
}

const texts = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  // A tag may name anything; it holds nothing.
  return Object.entries(value).flatMap(([key, inner]) => (key === "tags" ? [] : texts(inner)));
};

const IDS = /^(vpc|subnet|rtb|eipalloc|nat|igw|lt)-(double-\d+|[0-9a-f]{17})$/;

/** Ids in the inputs that nothing in the account has. */
export function dangling(inputs: unknown): string[] {
  const ids = new Set(things().map(({ id }) => id));
  return texts(inputs).filter((text) => IDS.test(text) && !ids.has(text));
}

/** What still refers to a thing by its id, its ARN or, for clusters and roles, its name. */
export function dependants(token: string, id: string): string[] {
  const thing = find(token, id);
  if (!thing) return [];
  const same = isSame(token, id);
  const named = /Cluster$|Role$/.test(thing.token) ? [thing.outputs["name"]] : [];
  const names = new Set([id, thing.outputs["arn"], ...named].filter((name) => typeof name === "string" && name !== ""));
  // A thing's own name refers to nothing: a queue may be called like a role.
  const referred = ({ inputs }: Thing): string[] => texts({ ...inputs, name: undefined });
  return things().flatMap((other) =>
    !same(other) && referred(other).some((text) => names.has(text))
      ? [`${other.token.split(":").at(-1)} ${other.id}`]
      : [],
  );
}
