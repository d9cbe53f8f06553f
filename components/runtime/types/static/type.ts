import { provisionerType } from "../provisionerType";
import { decodeStatic, staticFaults, staticSchema } from "./config";
import { describeStatic, planStatic, staticPlaceIn, staticTarget, keepSlots } from "./place";
import { staticSpec } from "./spec";

/** Each deployment gets slots on an existing host of a pool. */
export const staticType = provisionerType({
  type: "static",
  schema: staticSchema,
  spec: staticSpec,
  faults: staticFaults,
  decode: decodeStatic,
  plan: planStatic,
  placeIn: staticPlaceIn,
  isSamePlace: (plan, place) => plan.pool === place.pool,
  keepInPlace: keepSlots,
  target: staticTarget,
  kind: staticTarget,
  describePlace: describeStatic,
  dataAfterMove: () => "",
  create: async (plan, options) => (await import("./create.js")).createStatic(plan, options),
});
