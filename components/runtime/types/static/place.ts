import type { StateResource } from "../../../resources/ownState";
import { SLOT_ALLOCATION } from "../../../resources/tokens";
import type { StaticProvisioner } from "./spec";
import { moveCommand, restoreId } from "../../moveCommand";
import { locationName } from "../../names";
import { textIn, type Present } from "../../record/present";
import { ChoiceError } from "../../choiceError";
import type { Placed, PlanBase } from "../../planBase";

export interface StaticPlan extends PlanBase {
  readonly type: "static";
  readonly pool: string;
}

export interface StaticPlace {
  readonly type: "static";
  readonly pool: string;
  readonly deployment?: string;
  readonly host?: string;
}

export const planStatic = (base: Omit<PlanBase, "name">, { pool }: StaticProvisioner): StaticPlan => ({
  ...base,
  type: "static",
  name: locationName("static", pool),
  pool,
});

export function staticPlaceIn(_urn: string, { type, outputs }: StateResource): StaticPlace | undefined {
  if (type !== SLOT_ALLOCATION) return undefined;
  const [pool = "", deployment, host] = ["pool", "deployment", "host"].map((key) => textIn(outputs, key));
  return { type: "static", pool, deployment, host };
}

export const staticTarget = ({ pool }: StaticPlan): string => `pool "${pool}"`;

export const describeStatic = ({ host, pool }: StaticPlace): string =>
  `host ${host ?? "(not known yet)"} of pool "${pool}"`;

/** A deployment keeps its slots. The ledger knows their host. */
export function keepSlots(plan: StaticPlan, { place, name }: Present<StaticPlace>): Placed<StaticPlan> {
  const { id } = plan.deployment;
  if ((place.deployment ?? id) !== id) {
    throw new ChoiceError(
      `deployment "${id}": this stack has the slots of deployment "${place.deployment}"; slots belong to an id, which ` +
        `can't change. ${restoreId(place.deployment)}`,
    );
  }
  if (plan.pool === place.pool) return { plan: { ...plan, name }, notes: [] };
  throw new ChoiceError(
    `deployment "${id}" is at ${describeStatic(place)}; its provisioner "${plan.provisioner}" is ` +
      `${staticTarget(plan)} now. Restore the provisioner, or move the deployment with: ${moveCommand(plan)}`,
    "move",
  );
}
