import * as z from "zod";
import { crossChecks } from "../../../components/provisioners/config/crossChecks";
import type { Fault } from "../../../foundation/schema/faults";
import { faultsOf, type FaultContext } from "../../../foundation/schema/issues";
import { provisionerSchema, type ProvisionerInput } from "../../../components/runtime/types/registry";

const schema = z.object({ provisioners: z.record(z.string(), provisionerSchema) });

/** Checks a converted set against the schema of the stack's config, without the files that it names. */
export function checkSet(provisioners: Readonly<Record<string, unknown>>): Fault[] {
  const place: FaultContext = { root: { provisioners }, schema, secretKeys: new Set() };
  const faults: Fault[] = [];
  const good: [string, ProvisionerInput][] = [];
  for (const [name, entry] of Object.entries(provisioners)) {
    const result = provisionerSchema.safeParse(entry);
    if (result.success) good.push([name, result.data]);
    else faults.push(...faultsOf(result.error.issues, ["provisioners", name], place));
  }
  const pieces = {
    provisionerNames: new Set(Object.keys(provisioners)),
    clusterGiven: true,
    provisioners: Object.fromEntries(good),
    defaultProvisioner: undefined,
    environments: {},
  };
  return [...faults, ...crossChecks(pieces, place)];
}
