import type { MasterSettings } from "../../settings";
import type { JobFields, JobTarget } from "../fields";
import type { Role } from "./labels";
import { instanceLabel } from "./names";

/** Affinity and tolerations of a pod, without empty fields. */
export function placement(role: Role, { targets = [] }: JobFields, teraslice: MasterSettings): object {
  const of = (wanted: string): readonly JobTarget[] =>
    targets.filter(({ constraint = "required" }) => constraint === wanted);
  const controllers = role === "execution_controller" ? (teraslice.execution_controller_targets ?? []) : [];
  const required = [...of("required"), ...controllers];
  const preferred = of("preferred");
  const accepted = [...of("accepted"), ...controllers];
  const nodeAffinity = {
    ...(required.length > 0 && {
      // A single term, because a node must match only one of several.
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: required.map(expression) }],
      },
    }),
    ...(preferred.length > 0 && {
      preferredDuringSchedulingIgnoredDuringExecution: preferred.map((target) => ({
        weight: 1,
        preference: { matchExpressions: [expression(target)] },
      })),
    }),
  };
  const affinity = {
    ...(Object.keys(nodeAffinity).length > 0 && { nodeAffinity }),
    ...(role === "worker" &&
      teraslice.kubernetes_worker_antiaffinity && { podAntiAffinity: spreadAffinity(teraslice) }),
  };
  return {
    ...(Object.keys(affinity).length > 0 && { affinity }),
    ...(accepted.length > 0 && {
      tolerations: accepted.map(({ key, value }) => ({ key, operator: "Equal", value, effect: "NoSchedule" })),
    }),
  };
}

const expression = ({ key, value }: { readonly key: string; readonly value: string }): object => ({
  key,
  operator: "In",
  values: [value],
});

/** Prefers nodes without other pods of the cluster. */
function spreadAffinity({ name }: MasterSettings): object {
  const matchExpressions = [
    { key: "app.kubernetes.io/name", operator: "In", values: ["teraslice"] },
    { key: "app.kubernetes.io/instance", operator: "In", values: [instanceLabel(name)] },
  ];
  const podAffinityTerm = { labelSelector: { matchExpressions }, topologyKey: "kubernetes.io/hostname" };
  return { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm }] };
}
