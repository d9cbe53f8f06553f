import type { KubernetesProvisioner } from "../../platform/platform";
import type { RuntimeType } from "../runtimeType";
import { createKubernetes } from "./create";
import {
  describeKubernetes,
  isSamePlace,
  kubernetesPlaceIn,
  kubernetesTarget,
  dataAfterMove,
  keepInNamespace,
  type KubernetesPlace,
} from "./place";
import { planKubernetes, type KubernetesPlan } from "./plan";

/** Each deployment gets its own objects in a namespace, rendered from the provisioner's templates. */
export const kubernetesType: RuntimeType<KubernetesProvisioner, KubernetesPlan, KubernetesPlace> = {
  plan: planKubernetes,
  placeIn: kubernetesPlaceIn,
  isSamePlace,
  keepInPlace: keepInNamespace,
  target: kubernetesTarget,
  kind: () => "Kubernetes",
  describePlace: describeKubernetes,
  dataAfterMove,
  create: createKubernetes,
};
