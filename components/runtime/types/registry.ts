import * as z from "zod";
import { gardenerType } from "./gardener/type";
import { kubernetesType } from "./kubernetes/type";
import type { ProvisionerType } from "./provisionerType";
import { staticType } from "./static/type";

/** All types of provisioners, in the order in which a platform creates their provisioners. */
const TYPES = [staticType, kubernetesType, gardenerType] as const;

type Type = (typeof TYPES)[number];
export type ProvisionerInput = z.output<Type["schema"]>;
export type Provisioner = Parameters<Type["plan"]>[1];
export type RuntimePlan = ReturnType<Type["plan"]>;
export type Place = NonNullable<ReturnType<Type["placeIn"]>>;

export const allTypes: readonly ProvisionerType[] = TYPES;

/** The type with a name; undefined if there is none. */
export const typeNamed = (name: unknown): ProvisionerType | undefined => allTypes.find(({ type }) => type === name);

/** The type of a provisioner, a plan or a place. */
export function typeOf({ type }: { readonly type: string }): ProvisionerType {
  const found = typeNamed(type);
  if (found === undefined) throw new Error(`no type of provisioner ${type}`);
  return found;
}

/** The entries of a type, by name. */
export const ofType = <T extends { readonly type: string }>(
  { type }: Pick<ProvisionerType, "type">,
  entries: Readonly<Record<string, T>>,
): Record<string, T> => Object.fromEntries(Object.entries(entries).filter(([, entry]) => entry.type === type));

/** The pool of a provisioner in the ledger; undefined if it has none. */
export const poolOf = (provisioner: Provisioner): string | undefined =>
  "pool" in provisioner ? provisioner.pool : undefined;

const union = <T>(schemas: readonly z.ZodObject[], error?: string): z.ZodType<T> =>
  z.discriminatedUnion("type", schemas as [z.ZodObject, ...z.ZodObject[]], { error }) as z.ZodType as z.ZodType<T>;

/** An entry of `provisioners` in the stack config. */
export const provisionerSchema = union<ProvisionerInput>(
  TYPES.map(({ schema }) => schema),
  TYPES.map(({ type }) => type).join(" or "),
).describe("One provisioner.");

/** A provisioner in the outputs of a platform. */
export const provisionerSpec = union<Provisioner>(TYPES.map(({ spec }) => spec));
