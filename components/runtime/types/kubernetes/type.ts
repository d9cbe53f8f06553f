import { provisionerType } from "../provisionerType";
import { kubernetesNeeds } from "./classes";
import { decodeKubernetes, kubernetesFaults, kubernetesSchema } from "./config";
import {
  describeKubernetes,
  isSamePlace,
  kubernetesPlaceIn,
  kubernetesTarget,
  dataAfterMove,
  keepInNamespace,
} from "./place";
import { planKubernetes } from "./plan";
import { kubernetesSpec } from "./spec";

/** Each deployment gets its own objects in a namespace, rendered from the provisioner's templates. */
export const kubernetesType = provisionerType({
  type: "kubernetes",
  schema: kubernetesSchema,
  spec: kubernetesSpec,
  standIns: { namespace: "x", host: "http://*.x.localhost", image: "x" },
  usesKubernetes: true,
  takesDisk: true,
  faults: (all, context) => Object.entries(all).flatMap(([name, one]) => kubernetesFaults(name, one, context)),
  decode: decodeKubernetes,
  needs: kubernetesNeeds,
  plan: planKubernetes,
  placeIn: kubernetesPlaceIn,
  isSamePlace,
  keepInPlace: keepInNamespace,
  target: kubernetesTarget,
  kind: () => "Kubernetes",
  describePlace: describeKubernetes,
  dataAfterMove,
  create: async (plan, options) => (await import("./create.js")).createKubernetes(plan, options),
});
