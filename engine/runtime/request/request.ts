import * as z from "zod";
import { mismatch, type Fault } from "../../../foundation/schema/faults";
import { strict } from "../../../foundation/schema/fields";
import { faultsOf } from "../../../foundation/schema/issues";
import { deploymentShape } from "../../../components/runtime/request/deployment";
import type { RuntimeChange } from "../../stack/change";
import { ID_EXPECTED, isDeploymentId, platformReference } from "../../stack/names";

/** One runtime that somebody asks for. */
export interface Request {
  readonly id: string;
  readonly change: RuntimeChange;
}

const PLATFORM_EXPECTED = "a platform stack such as dev or organization/stackyard/dev";

/** The fields of one request: those of the program's own schema, each of which keeps the current value when it is missing. */
const schema = strict("an object of fields such as {slots: 2, version: 0.50.0}", {
  ...Object.fromEntries(Object.entries(deploymentShape).map(([name, field]) => [name, field.optional()])),
  platform: z.string({ error: PLATFORM_EXPECTED }).optional(),
});

/** Every fault in the fields of a deployment that a request gives, with `path` before each path. */
export function fieldFaults(fields: unknown, path: readonly string[] = []): Fault[] {
  const { error } = schema.safeParse(fields);
  if (!error) return [];
  const root = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), fields) as Readonly<
    Record<string, unknown>
  >;
  return faultsOf(error.issues, [...path], { root, secretKeys: new Set() });
}

/** Every fault of a request for `id`. A request without any field asks for what exists. */
export function requestFaults(id: string, fields: unknown): Fault[] {
  const faults: Fault[] = isDeploymentId(id) ? [] : [mismatch([JSON.stringify(id)], "this id", ID_EXPECTED)];
  faults.push(...fieldFaults(fields ?? {}, [id]));
  const named = (fields as { platform?: unknown } | null)?.platform;
  if (typeof named === "string" && !isPlatform(named)) {
    faults.push(mismatch([id, "platform"], JSON.stringify(named), PLATFORM_EXPECTED));
  }
  return faults;
}

/** The request that fields without faults make. */
export function requestOf(id: string, { platform, ...deployment }: Readonly<Record<string, unknown>>): Request {
  const named = typeof platform === "string" ? platformReference(platform) : undefined;
  return { id, change: { deployment, platform: named } };
}

function isPlatform(text: string): boolean {
  try {
    platformReference(text);
    return true;
  } catch {
    return false;
  }
}
