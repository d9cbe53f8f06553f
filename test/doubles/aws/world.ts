import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** Everything that there is in the doubled account, in one file, so that it outlives the provider's process. */
export interface Thing {
  readonly token: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
}

const file = (): string => process.env["STACKYARD_AWS_DOUBLE"] ?? "";

export function things(): Record<string, Thing> {
  return existsSync(file()) ? (JSON.parse(readFileSync(file(), "utf8")) as Record<string, Thing>) : {};
}

export function keep(id: string, thing: Thing): void {
  writeFileSync(file(), JSON.stringify({ ...things(), [id]: thing }, undefined, 1));
}

export function drop(id: string): void {
  // The Auto Scaling group of a node group goes with it, and its tags go with that.
  const left = Object.entries(things()).filter(
    ([other, { inputs }]) => other !== id && inputs["autoscalingGroupName"] !== `asg-${id}`,
  );
  writeFileSync(file(), JSON.stringify(Object.fromEntries(left), undefined, 1));
}

const texts = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  // A tag may name anything; it holds nothing.
  return Object.entries(value).flatMap(([key, inner]) => (key === "tags" ? [] : texts(inner)));
};

const IDS = /^(vpc|subnet|rtb|eipalloc|nat|igw|lt)-double-/;

/** Ids in the inputs that nothing in the account has. */
export function dangling(inputs: unknown): string[] {
  const all = things();
  return texts(inputs).filter((text) => IDS.test(text) && !Object.hasOwn(all, text));
}

/** What still refers to a thing by its id, its ARN or, for clusters and roles, its name. */
export function dependants(id: string): string[] {
  const { [id]: thing, ...others } = things();
  if (!thing) return [];
  const named = /Cluster$|Role$/.test(thing.token) ? [thing.outputs["name"]] : [];
  const names = new Set([id, thing.outputs["arn"], ...named].filter((name) => typeof name === "string" && name !== ""));
  return Object.entries(others).flatMap(([other, { inputs, token }]) =>
    texts(inputs).some((text) => names.has(text)) ? [`${token.split(":").at(-1)} ${other}`] : [],
  );
}
