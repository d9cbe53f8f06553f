import { validate } from "uuid";
import { messageOf } from "../../../foundation/errors";
import type { DeploymentChange } from "../../../engine/stack/change";
import { platformReference } from "../../../engine/stack/names";
import { ApiError } from "../errors";
import type { LimitsChange } from "../../lifetimes/rules";
import type { DeploymentInput, LifetimeInput } from "../schema.types";

const MOST = 500;

/** Checks cursors of lists. Without this check, a client with a wrong cursor would read the first page forever. */
export const CURSORS: Readonly<Record<"deployments" | "operations" | "numbered" | "disks", (text: string) => boolean>> =
  {
    /** Any text has a position in the order of names. */
    deployments: () => true,
    operations: (text) => validate(text),
    numbered: (text) => /^\d{1,18}$/.test(text),
    disks: (text) => /^[^/]*\/[^/]*$/.test(text),
  };

/** Converts the arguments of a list. Null means not set. */
export function pageArgs<Filter extends object>(
  args: { readonly first?: number | null; readonly after?: string | null; readonly filter?: Filter | null },
  isCursor: (text: string) => boolean,
): { first?: number; after?: string; filter: Given<Filter> } {
  const { first, after, filter } = args;
  if (typeof after === "string") expectCursor(after, isCursor);
  if (typeof first === "number" && (first < 0 || first > MOST)) {
    const reason = `found ${first}; expected a whole number from 0 to ${MOST}`;
    throw new ApiError({ code: "BAD_INPUT", path: "first", reason });
  }
  return { ...given({ first, after }), filter: given(filter ?? ({} as Filter)) };
}

/** Throws if a text is not a valid cursor. */
export function expectCursor(after: string, isCursor: (text: string) => boolean): void {
  if (isCursor(after)) return;
  const reason = `found ${JSON.stringify(after.slice(0, 100))}; expected a cursor that this list gave`;
  throw new ApiError({ code: "BAD_INPUT", path: "after", reason });
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
