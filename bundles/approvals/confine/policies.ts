/**
 * Policies that let confined users write only approved content. CEL has no hash functions, so the API server compares
 * the content itself, with the defaults that it sets. The content is kept in a ControllerRevision, which is immutable,
 * and a kind that every API server has: with parameters of a custom kind, deleting its definition would block every
 * write to the cluster.
 */

import type { Json } from "../../../foundation/json/isObject";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { OWNER_ANNOTATION } from "../../../kubernetes/identity/ownerId";
import { BUNDLE_LABEL, BUNDLE_NAMESPACE_LABEL } from "../../../kubernetes/owners/ownership";
import { GROUP } from "../approval";
import { ADMISSION, CONTENT_LABEL, PLURAL } from "../definition";

/** Namespace of the approved content of all bundles. */
export const PLACE = "kube-system";

/** In the API server's message. */
export const NOT_APPROVED = "is not what was approved of bundle";

/** Fields with another value in each object, chosen by the API server, and what only Stackyard reads. */
const CHOSEN = {
  service: ["clusterIP", "clusterIPs", "healthCheckNodePort", "ports"],
  job: ["selector", "template"],
  jobLabels: ["controller-uid", "job-name", "batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name"],
  annotations: [OWNER_ANNOTATION, "stackyard.dev/hook-run"],
};

const list = JSON.stringify;
const mapAt = (root: string, path: string): string =>
  `${root}${path
    .split(".")
    .map((step) => `.?${step}`)
    .join("")}.orValue({})`;

/** CEL: each value of a map is as approved, or as it was before. `except`: CEL of keys. */
const sameMap = (path: string, except: string): string => {
  const [now, approved, old] = ["object", "variables.approved", "oldObject"].map((root) => mapAt(root, path));
  return (
    `(${now}.map(k, k) + ${approved}.map(k, k)).all(k, k in ${except} || ${now}[?k] == ${approved}[?k] || ` +
    `(oldObject != null && ${now}[?k] == ${old}[?k]))`
  );
};

/** CEL: the same for one value, of which `part` is compared. */
const sameValue = (path: string, part = (value: string): string => value): string => {
  const [now, approved, old] = ["object", "variables.approved", "oldObject"].map((root) =>
    part(
      `${root}${path
        .split(".")
        .map((step) => `.?${step}`)
        .join("")}`,
    ),
  );
  return `(${now} == ${approved} || (oldObject != null && ${now} == ${old}))`;
};

const isKind = (group: string, kind: string): string =>
  `(request.kind.group == "${group}" && request.kind.kind == "${kind}")`;

const ports = (value: string): string =>
  `${value}.orValue([]).map(p, [p.?name, p.?port, p.?protocol, p.?targetPort, p.?appProtocol])`;

/** CEL about the object of the request, of which `variables.approved` is the approved content. */
const SAME: readonly string[] = [
  // The content of a Secret is not kept.
  `(object.map(k, k) + variables.approved.map(k, k)).all(k, k in ["apiVersion", "kind", "metadata", "status", "spec"] || ` +
    `(${isKind("", "Secret")} && k in ["data", "stringData"]) || object[?k] == variables.approved[?k] || ` +
    `(oldObject != null && object[?k] == oldObject[?k]))`,
  sameMap(
    "spec",
    `(${isKind("", "Service")} ? ${list(CHOSEN.service)} : ${isKind("batch", "Job")} ? ${list(CHOSEN.job)} : [])`,
  ),
  `!${isKind("", "Service")} || ${sameValue("spec.ports", ports)}`,
  `!${isKind("batch", "Job")} || (${sameMap("spec.template.spec", "[]")} && ` +
    `${sameMap("spec.template.metadata.labels", list(CHOSEN.jobLabels))} && ` +
    `${sameMap("spec.template.metadata.annotations", list(CHOSEN.annotations))})`,
  sameMap("metadata.labels", "[]"),
  sameMap("metadata.annotations", list(CHOSEN.annotations)),
  sameValue("metadata.finalizers"),
  sameValue("metadata.ownerReferences"),
];

const keyOf = (object: string): string =>
  `${object}.apiVersion + "/" + ${object}.kind + "/" + (${object}.metadata.?namespace.orValue("") == "" ? "" : ` +
  `${object}.metadata.namespace + "/") + ${object}.metadata.name`;

const forbidden = (expression: string, messageExpression: string): Json => ({
  expression,
  messageExpression,
  message: `this ${NOT_APPROVED}`,
  reason: "Forbidden",
});

const OF_BUNDLE = `" ${NOT_APPROVED} " + params.data.namespace + "/" + params.data.name`;
const writes = `request.operation in ["CREATE", "UPDATE"]`;

const policy = (name: string, spec: Json): KubeObject[] => [
  {
    apiVersion: ADMISSION,
    kind: "ValidatingAdmissionPolicy",
    metadata: { name },
    spec: { failurePolicy: "Fail", ...spec },
  },
];

const CONFINED = `confined.${PLURAL}.${GROUP}`;
const CONTENT = `content.${PLURAL}.${GROUP}`;
const any = { apiVersions: ["*"], operations: ["*"] };

const binding = (name: string, more: Json = {}): KubeObject => ({
  apiVersion: ADMISSION,
  kind: "ValidatingAdmissionPolicyBinding",
  metadata: { name },
  spec: { policyName: name, validationActions: ["Deny"], ...more },
});

/** In the order in which they are installed. */
export const CONFINEMENT: readonly KubeObject[] = [
  ...policy(CONTENT, {
    matchConstraints: {
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": PLACE } },
      resourceRules: [{ apiGroups: ["apps"], ...any, resources: ["controllerrevisions"] }],
    },
    matchConditions: [
      {
        name: "content",
        expression: `[object, oldObject].exists(o, o != null && "${CONTENT_LABEL}" in o.metadata.?labels.orValue({}))`,
      },
    ],
    validations: [
      {
        expression: `authorizer.group("${GROUP}").resource("${PLURAL}").check("approve").allowed()`,
        message: `writing approved content requires the verb approve on ${PLURAL}.${GROUP}`,
        reason: "Forbidden",
      },
    ],
  }),
  binding(CONTENT),
  ...policy(CONFINED, {
    paramKind: { apiVersion: "apps/v1", kind: "ControllerRevision" },
    matchConstraints: {
      resourceRules: [{ apiGroups: ["*"], ...any, resources: ["*/*"] }],
      excludeResourceRules: [
        { apiGroups: [GROUP], ...any, resources: [PLURAL] },
        // Heartbeats, of which a cluster has many.
        { apiGroups: ["coordination.k8s.io"], ...any, resources: ["leases"] },
        { apiGroups: ["", "events.k8s.io"], ...any, resources: ["events"] },
      ],
    },
    matchConditions: [{ name: "user", expression: "request.userInfo.username in params.data.users" }],
    variables: [
      { name: "key", expression: `${writes} ? ${keyOf("object")} : ${keyOf("oldObject")}` },
      { name: "approved", expression: "params.data.contents[variables.key]" },
      { name: "isHere", expression: `${writes} && variables.key in params.data.contents` },
    ],
    validations: [
      forbidden(
        `request.operation != "CONNECT" && request.?subResource.orValue("") == ""`,
        `request.resource.resource + "/" + request.?subResource.orValue("") + ${OF_BUNDLE}`,
      ),
      forbidden(
        `!(${writes}) || variables.key in params.data.objects || ` +
          `variables.key == "v1/ConfigMap/" + params.data.namespace + "/bundle-" + params.data.name`,
        `variables.key + ${OF_BUNDLE}`,
      ),
      forbidden(
        `request.operation != "DELETE" || (!(variables.key in params.data.keeps) && ` +
          `oldObject.metadata.?labels[?"${BUNDLE_LABEL}"] == optional.of(params.data.name) && ` +
          `oldObject.metadata.?labels[?"${BUNDLE_NAMESPACE_LABEL}"] == optional.of(params.data.namespace))`,
        `"to delete " + variables.key + ${OF_BUNDLE}`,
      ),
      ...SAME.map((expression) =>
        forbidden(`!variables.isHere || (${expression})`, `"this content of " + variables.key + ${OF_BUNDLE}`),
      ),
    ],
  }),
  binding(CONFINED, {
    paramRef: {
      namespace: PLACE,
      selector: { matchLabels: { [CONTENT_LABEL]: "true" } },
      // Without any, nobody is confined.
      parameterNotFoundAction: "Allow",
    },
  }),
];
