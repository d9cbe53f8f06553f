import * as z from "zod";
import { mismatch, type Fault } from "../../../foundation/schema/faults";
import { strict } from "../../../foundation/schema/fields";
import { faultsOf, schemaWith } from "../../../foundation/schema/issues";
import { deploymentShape } from "../../../components/runtime/deployment";
import type { RuntimeChange } from "../../stack/change";
import { ID_EXPECTED, isDeploymentId, platformReference } from "../../stack/names";

/** A request for one runtime. */
export interface Request {
  readonly id: string;
  readonly change: RuntimeChange;
}

const PLATFORM_EXPECTED = "a platform stack such as dev or organization/stackyard/dev";

/** Fields of a request, from the program's own schema. A missing field keeps its current value. */
const schema = strict("an object of fields such as {slots: 2, version: 0.50.0}", {
  ...Object.fromEntries(Object.entries(deploymentShape).map(([name, field]) => [name, field.optional()])),
  platform: z.string({ error: PLATFORM_EXPECTED }).optional(),
});

/** Returns all faults in the deployment fields of a request, with `path` before each path. */
export function fieldFaults(fields: unknown, path: readonly string[] = []): Fault[] {
  const { error } = schema.safeParse(fields);
  if (!error) return [];
  const root = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), fields) as Readonly<
    Record<string, unknown>
  >;
  return faultsOf(error.issues, [...path], { root, schema: schemaWith(path, schema), secretKeys: new Set() });
}

/** Returns all faults of a request for `id`. A request without fields is valid: it asks for the current config. */
export function requestFaults(id: string, fields: unknown): Fault[] {
  const faults: Fault[] = isDeploymentId(id) ? [] : [mismatch([JSON.stringify(id)], "this id", ID_EXPECTED)];
  faults.push(...fieldFaults(fields ?? {}, [id]));
  const named = (fields as { platform?: unknown } | null)?.platform;
  if (typeof named === "string" && !isPlatform(named)) {
    faults.push(mismatch([id, "platform"], JSON.stringify(named), PLATFORM_EXPECTED));
  }
  return faults;
}

/** Builds the request from checked fields. */
export function runtimeRequest(id: string, { platform, ...deployment }: Readonly<Record<string, unknown>>): Request {
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
