import { RunError } from "@pulumi/pulumi";
import type * as z from "zod";
import { matching, strict } from "../../../foundation/schema/fields";
import { feature } from "../../feature";
import { presentOf } from "../../runtime/present";
import { staticType } from "../../runtime/types/static/type";
import { provisionerKeys } from "../config/schema";
import { createOne, deploymentFields, planBaseOf, runtimeOutputs } from "./settings";

const schema = strict("an object with pool, ledger, slots and version", {
  pool: matching(/\S/, "the name of a pool").describe("Pool in the ledger, as `pool` of a `StaticPool` names it."),
  ledger: provisionerKeys.ledger.unwrap().describe("PostgreSQL URL of the ledger of slots; a secret."),
  ...deploymentFields,
}).describe("The runtime.");

interface StaticRuntimePart {
  readonly runtime?: z.output<typeof schema> | undefined;
}

/** The component for slots on a host of a pool. It is no feature of a platform. */
export const staticRuntime = feature({
  name: "provisioners",
  keys: { runtime: schema },
  component: {
    name: "StaticRuntime",
    description: "One runtime that consists of slots on a host of a pool.",
    cluster: "none",
    places: [{ at: ["runtime"], named: ["id"] }],
    outputs: runtimeOutputs,
  },

  decode: (read): StaticRuntimePart => ({ runtime: read("runtime") }),

  async look({ runtime }, state) {
    const place = presentOf(await state)?.place;
    if (!runtime || runtime.allowMove || place?.type !== "static" || place.pool === runtime.pool) return;
    throw new RunError(
      `pool: found ${JSON.stringify(runtime.pool)}; expected ${JSON.stringify(place.pool)}, where ${runtime.id} has its slots and data; set allowMove: true to move it without its data`,
    );
  },
  async create({ runtime }, site) {
    if (!runtime) return undefined;
    const { pool, ledger: ledgerUrl } = runtime;
    const plan = staticType.plan(planBaseOf(runtime, "static"), { type: "static", pool });
    return createOne(plan, runtime, site, { ledgerUrl });
  },
});
