import type { GardenerPlace } from "./gardener/place";
import type { GardenerPlan } from "./gardener/plan";
import { gardenerType } from "./gardener/type";
import type { KubernetesPlace } from "./kubernetes/place";
import type { KubernetesPlan } from "./kubernetes/plan";
import { kubernetesType } from "./kubernetes/type";
import type { RuntimeType } from "./runtimeType";
import type { PlanBase } from "../planBase";
import type { StaticPlace, StaticPlan } from "./static/place";
import { staticType } from "./static/type";

export type RuntimePlan = StaticPlan | KubernetesPlan | GardenerPlan;
export type Place = StaticPlace | KubernetesPlace | GardenerPlace;

/**
 * All types of provisioners. To add one:
 * - implement {@link RuntimeType} in a folder beside this file, and add it here;
 * - add what runtime stacks read to `Provisioner` in ../platform/platform.ts, and its check to
 *   ../platform/platformOutputs.ts;
 * - add its config to `provisionerSchema` in components/provisioners/config/schema.ts, and decode it in
 *   components/provisioners/config/decode.ts;
 * - export it in components/provisioners/provisionerSet.ts, and give it a revision in revisions.ts;
 * - find its orphans in engine/orphans/, for runtimes whose state was lost.
 */
const TYPES = { static: staticType, kubernetes: kubernetesType, gardener: gardenerType } as const;

type AnyType = RuntimeType<unknown, PlanBase, unknown>;

/** The implementation for a provisioner, a plan or a place, by its `type`. */
export const typeOf = ({ type }: { readonly type: keyof typeof TYPES }): AnyType => TYPES[type];

export const allTypes = (): readonly RuntimeType<unknown, PlanBase, Place>[] => Object.values(TYPES);
