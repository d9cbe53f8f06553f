import { UsageError } from "../../foundation/errors";
import type { Context } from "../context";
import { serviceOf } from "../service/access";
import { mutate } from "../service/mutation";
import { lifetimeText } from "../service/text";
import { structured, type OutputOptions } from "../options/output";
import { limitsInput, type CommonOptions, type LimitOptions } from "./options";

export type LifetimeOptions = CommonOptions & LimitOptions & OutputOptions & { readonly dryRun?: boolean };

/** Changes when a service hibernates and destroys a runtime by itself. */
export async function lifetime(context: Context, id: string, options: LifetimeOptions): Promise<void> {
  const limits = limitsInput(options);
  if (Object.keys(limits).length === 0)
    throw new UsageError("pass --time-to-live, --idle-limit or --stopped-retention");
  const types = { id: "ID!", lifetime: "LifetimeInput!" };
  const mutation = { field: "setDeploymentLifetime", types, values: { id, lifetime: limits } };
  const { deployment, plan } = await mutate(await serviceOf(options), mutation, options);
  const text = (): string => {
    if (plan) return [`${id}: nothing was changed`, ...plan.notes].join("\n");
    return `${id} ${deployment?.lifetime ? lifetimeText(deployment.lifetime) : "has no limits"}`;
  };
  context.print(structured(plan ?? deployment?.lifetime ?? null, options) ?? text());
}
