import { validate } from "uuid";
import { messageOf } from "../../../foundation/errors";
import type { DeploymentChange } from "../../../engine/stack/change";
import { platformReference } from "../../../engine/stack/names";
import type { PageArgs } from "../../database/queries/page";
import { ApiError } from "../errors";
import type { LimitsChange } from "../../lifetimes/rules";
import type { DeploymentInput, LifetimeInput } from "../schema.types";

const MOST = 500;

/** Checks cursors of lists. Without this check, a client with a wrong cursor would read the first page forever. */
export const CURSORS: Readonly<
  Record<"deployments" | "times" | "operations" | "numbered" | "disks" | "bundles", (text: string) => boolean>
> = {
  /** Any text has a position in the order of names. */
  deployments: () => true,
  times: (text) => /^[\dT:.-]{23}Z\/[^/]+$/.test(text),
  operations: (text) => validate(text),
  numbered: (text) => /^\d{1,18}$/.test(text),
  disks: (text) => /^[^/]*\/[^/]*$/.test(text),
  bundles: (text) => /^[^ ]+ urn:/.test(text),
};

type Nullable<T> = { readonly [K in keyof T]?: T[K] | null };
type Position<Filter> = Pick<PageArgs<Filter>, "first" | "last" | "after" | "before" | "direction">;

/** Converts the arguments of a list. Null means not set. */
export function pageArgs<Filter extends object>(
  args: Nullable<Position<Filter>> & { readonly filter?: Filter | null },
  isCursor: (text: string) => boolean,
): Position<Filter> & { readonly filter: Given<Filter> } {
  const { first, last, after, before, direction, filter } = args;
  const position = given({ first, last, after, before, direction });
  for (const path of ["after", "before"] as const) {
    if (position[path] !== undefined) expectCursor(position[path], isCursor, path);
  }
  for (const path of ["first", "last"] as const) {
    const size = position[path] ?? 0;
    if (size >= 0 && size <= MOST) continue;
    const reason = `found ${size}; expected a whole number from 0 to ${MOST}`;
    throw new ApiError({ code: "BAD_INPUT", path, reason });
  }
  return { ...position, filter: given(filter ?? ({} as Filter)) };
}

/** Throws if a text is not a valid cursor. */
export function expectCursor(text: string, isCursor: (text: string) => boolean, path = "after"): void {
  if (isCursor(text)) return;
  const reason = `found ${JSON.stringify(text.slice(0, 100))}; expected a cursor that this list gave`;
  throw new ApiError({ code: "BAD_INPUT", path, reason });
}

type Given<T> = { [K in keyof T]?: NonNullable<T[K]> };

/** Removes fields that are null or undefined. */
export function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as Given<T>;
}

/** Converts an input to the change that `stackyard runtime up` would request. */
export function changeOf(input: DeploymentInput): DeploymentChange {
  const { resources, cluster, kyma, runtime, ...plain } = given(input);
  // The deployment's schema checks these fields, with the same errors as for a stack file.
  const fields = { ...plain, ...given({ cluster, kyma, runtime }) } as DeploymentChange;
  if (resources === undefined) return fields;
  const { clickhouse } = given(resources);
  return { ...fields, resources: clickhouse === undefined ? {} : { clickhouse: given(clickhouse) } };
}

/** Converts limits of a lifetime. Null removes a limit, so it is kept here. */
export const limitsOf = (input: LifetimeInput): LimitsChange =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));

/** Returns the full name of a platform, as a StackReference expects it. */
export function platformOf(text: string): string {
  try {
    return platformReference(text);
  } catch (error) {
    throw new ApiError({ code: "BAD_INPUT", path: "platform", reason: messageOf(error).replace(/^platform: /, "") });
  }
}
