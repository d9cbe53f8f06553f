import { isObject } from "../../../../foundation/json/isObject";
import type { StateResource } from "../../../resources/ownState";
import { SHOOT } from "../../../resources/tokens";
import { ChoiceError } from "../../choiceError";
import { textIn, type Present } from "../../record/present";
import type { Placed } from "../../planBase";
import type { GardenerPlan } from "./plan";

export interface GardenerPlace {
  readonly type: "gardener";
  /** Address of Gardener. */
  readonly cluster: string;
  /** Namespace of its project. */
  readonly namespace: string;
  /** Name of the Shoot. */
  readonly shoot: string;
}

export function gardenerPlaceIn(_urn: string, { type, outputs }: StateResource): GardenerPlace | undefined {
  if (type !== SHOOT) return undefined;
  const shoot = isObject(outputs["shoot"]) ? outputs["shoot"] : {};
  const metadata = isObject(shoot["metadata"]) ? shoot["metadata"] : {};
  return {
    type: "gardener",
    cluster: textIn(outputs, "cluster") ?? "",
    namespace: textIn(metadata, "namespace") ?? "",
    shoot: textIn(metadata, "name") ?? "",
  };
}

export const isSameShoot = ({ spec, shootName }: GardenerPlan, place: GardenerPlace): boolean =>
  spec.cluster === place.cluster && spec.namespace === place.namespace && shootName === place.shoot;

export const gardenerTarget = ({ spec, shootName }: GardenerPlan): string =>
  `Shoot ${spec.namespace}/${shootName} of ${spec.cluster}`;

export const describeGardener = ({ namespace, shoot, cluster }: GardenerPlace): string =>
  `Shoot ${namespace}/${shoot} of ${cluster}`;

/** A cluster keeps its project and name, even if its provisioner would choose others for a new one. */
export function keepInShoot(plan: GardenerPlan, { place, name }: Present<GardenerPlace>): Placed<GardenerPlan> {
  const { deployment, spec } = plan;
  const asked = deployment.cluster?.name;
  if (spec.namespace !== place.namespace || (asked !== undefined && asked !== place.shoot)) {
    throw new ChoiceError(
      `deployment "${deployment.id}" is ${describeGardener(place)}; found ${gardenerTarget(plan)} wanted. A Shoot keeps its name and its project: ` +
        "restore cluster.name and the provisioner's project, or create another deployment and destroy this one",
    );
  }
  return { plan: { ...plan, name, shootName: place.shoot }, notes: [] };
}
