import { PROCESSES } from "../clusterConfig";

const NAME = "pods-as-processes";

/** A container of a pod has these places at most. */
const PLACES = JSON.stringify([...Array(16).keys()]);

/**
 * An admission policy that places each pod whose images the node knows there, whatever nodes it asks for: one machine stands for all
 * pools. For the same reason, what such a pod requests is not reserved; its limits stay.
 */
export function placementPolicy(images: readonly string[]): readonly object[] {
  const known = images.map((name) => `c.image.matches(${JSON.stringify(name)})`).join(" || ");
  const patches = [
    `[JSONPatch{op: "add", path: "/spec/nodeSelector", value: {"${PROCESSES}": "true"}}]`,
    `(has(object.spec.affinity) ? [JSONPatch{op: "remove", path: "/spec/affinity"}] : [])`,
    `(has(object.spec.tolerations) ? [] : [JSONPatch{op: "add", path: "/spec/tolerations", value: []}])`,
    `[JSONPatch{op: "add", path: "/spec/tolerations/-", value: {"key": "${PROCESSES}", "operator": "Exists"}}]`,
    `${PLACES}.filter(i, i < object.spec.containers.size() && has(object.spec.containers[i].resources))` +
      `.map(i, JSONPatch{op: "add", path: "/spec/containers/" + string(i) + "/resources/requests", value: {"cpu": "1m", "memory": "1Mi"}})`,
  ];
  return [
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "MutatingAdmissionPolicy",
      metadata: { name: NAME },
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
        },
        matchConditions: [
          { name: "containers", expression: `object.spec.containers.all(c, ${known})` },
          {
            name: "init-containers",
            expression: `!has(object.spec.initContainers) || object.spec.initContainers.all(c, ${known})`,
          },
        ],
        failurePolicy: "Fail",
        reinvocationPolicy: "Never",
        mutations: [{ patchType: "JSONPatch", jsonPatch: { expression: patches.join(" + ") } }],
      },
    },
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "MutatingAdmissionPolicyBinding",
      metadata: { name: NAME },
      spec: { policyName: NAME },
    },
  ];
}
