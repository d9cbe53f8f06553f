import type { GardenerPlace } from "./gardener/place";
import type { GardenerPlan } from "./gardener/plan";
import { gardenerType } from "./gardener/type";
import type { KubernetesPlace } from "./kubernetes/place";
import type { KubernetesPlan } from "./kubernetes/plan";
import { kubernetesType } from "./kubernetes/type";
import type { RuntimeType } from "./runtimeType";
import type { PlanBase } from "./planBase";
import type { StaticPlace, StaticPlan } from "./static/place";
import { staticType } from "./static/type";

export type RuntimePlan = StaticPlan | KubernetesPlan | GardenerPlan;
export type Place = StaticPlace | KubernetesPlace | GardenerPlace;

/** Every type of provisioner. A new one has a folder beside this file, an entry here, and one in `Provisioner` of platform.ts. */
const TYPES = { static: staticType, kubernetes: kubernetesType, gardener: gardenerType } as const;

type AnyType = RuntimeType<unknown, PlanBase, unknown>;

/** What knows of a provisioner, a plan or a place: each has the name of its type. */
export const typeOf = ({ type }: { readonly type: keyof typeof TYPES }): AnyType => TYPES[type];

export const allTypes = (): readonly RuntimeType<unknown, PlanBase, Place>[] => Object.values(TYPES);
