import type { StaticProvisioner } from "../../platform/platform";
import type { RuntimeType } from "../runtimeType";
import { createStatic } from "./create";
import {
  describeStatic,
  planStatic,
  staticPlaceIn,
  staticTarget,
  keepSlots,
  type StaticPlace,
  type StaticPlan,
} from "./place";

/** Each deployment gets slots on an existing host of a pool. */
export const staticType: RuntimeType<StaticProvisioner, StaticPlan, StaticPlace> = {
  plan: planStatic,
  placeIn: staticPlaceIn,
  isSamePlace: (plan, place) => plan.pool === place.pool,
  keepInPlace: keepSlots,
  target: staticTarget,
  kind: staticTarget,
  describePlace: describeStatic,
  dataAfterMove: () => "",
  create: createStatic,
};
