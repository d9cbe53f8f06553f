/** What makes approvals known to a cluster, and keeps them true. */

import { groupOf, textAt, type KubeObject } from "../../kubernetes/client/objects";
import { DECISIONS, GROUP, KIND } from "./approval";
import type { Json } from "../../foundation/json/isObject";

export const PLURAL = "bundleapprovals";
const NAME = `${PLURAL}.${GROUP}`;

const text: Json = { type: "string" };
const texts: Json = { type: "array", items: text };
const object = (properties: Json, required: readonly string[] = []): Json => ({ type: "object", properties, required });

const rule = object(
  { verbs: texts, apiGroups: texts, resources: texts, resourceNames: texts, nonResourceURLs: texts },
  ["verbs"],
);
const permission = object({ subject: text, namespace: text, role: text, rules: { type: "array", items: rule } }, [
  "subject",
  "rules",
]);
const asks: Json = {
  ...object({
    permissions: { type: "array", items: permission },
    clusterObjects: texts,
    webhooks: texts,
    host: texts,
    others: texts,
  }),
  // Newer tools may know of more to ask for.
  "x-kubernetes-preserve-unknown-fields": true,
};

const spec = object(
  {
    bundle: object({ name: { ...text, minLength: 1 }, namespace: { ...text, minLength: 1 } }, ["name", "namespace"]),
    digest: { ...text, pattern: "^sha256:[0-9a-f]{64}$" },
    decision: { ...text, enum: DECISIONS },
    by: { ...text, minLength: 1 },
    reason: { ...text, maxLength: 1000 },
    asks,
  },
  ["bundle", "digest", "decision", "by", "asks"],
);

/**
 * In no namespace: who may do anything in the namespace of a bundle may not therefore approve it.
 */
export const DEFINITION: KubeObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: NAME },
  spec: {
    group: GROUP,
    scope: "Cluster",
    names: { kind: KIND, listKind: `${KIND}List`, plural: PLURAL, singular: PLURAL.slice(0, -1) },
    versions: [
      {
        name: "v1alpha1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { ...object({ spec }, ["spec"]), description: "A decision about the content of a bundle." },
        },
        additionalPrinterColumns: [
          { name: "Namespace", type: "string", jsonPath: ".spec.bundle.namespace" },
          { name: "Bundle", type: "string", jsonPath: ".spec.bundle.name" },
          { name: "Decision", type: "string", jsonPath: ".spec.decision" },
          { name: "By", type: "string", jsonPath: ".spec.by" },
          { name: "Digest", type: "string", jsonPath: ".spec.digest", priority: 1 },
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
        ],
      },
    ],
  },
};

const ADMISSION = "admissionregistration.k8s.io/v1";

/** What the API server says to a decision that is not its author's own. */
export const NOT_IN_OWN_NAME = "spec.by must be the user who makes the approval";

/**
 * The API server itself sees to it that nobody signs for another, approves unasked, changes what was said or takes it back
 * unseen: also not by an owner that is not there, for which the collector of garbage would delete it.
 */
export const POLICY: KubeObject = {
  apiVersion: ADMISSION,
  kind: "ValidatingAdmissionPolicy",
  metadata: { name: NAME },
  spec: {
    failurePolicy: "Fail",
    matchConstraints: {
      resourceRules: [
        { apiGroups: [GROUP], apiVersions: ["*"], operations: ["CREATE", "UPDATE", "DELETE"], resources: [PLURAL] },
      ],
    },
    validations: [
      {
        expression:
          "object == null || (oldObject == null ? object.spec.by == request.userInfo.username : object.spec == oldObject.spec)",
        message: `${NOT_IN_OWN_NAME}, and spec can't be changed afterwards`,
      },
      {
        expression: `(object != null && (oldObject != null || object.spec.decision == "Requested")) || authorizer.group("${GROUP}").resource("${PLURAL}").check("approve").allowed()`,
        message: `to approve, to deny and to delete what was said needs the verb approve on ${NAME}`,
        reason: "Forbidden",
      },
      {
        expression:
          "object == null || !has(object.metadata.ownerReferences) || object.metadata.ownerReferences.size() == 0",
        message: "an approval has no owner that it would go with",
      },
    ],
  },
};

export const POLICY_BINDING: KubeObject = {
  apiVersion: ADMISSION,
  kind: "ValidatingAdmissionPolicyBinding",
  metadata: { name: NAME },
  spec: { policyName: NAME, validationActions: ["Deny"] },
};

/** Names of objects that decide about bundles, and which therefore no bundle may include. */
const GUARDS = [DEFINITION, POLICY, POLICY_BINDING];

export const decidesAboutBundles = (object: KubeObject): boolean =>
  (object.kind === KIND && groupOf(object.apiVersion) === GROUP) ||
  GUARDS.some(({ kind, metadata }) => kind === object.kind && metadata.name === object.metadata.name) ||
  addsGroup(object);

/** Another API server, or another definition, could answer for what was decided. */
const addsGroup = (object: KubeObject): boolean =>
  /^(APIService|CustomResourceDefinition)$/.test(object.kind) && textAt(object, "spec", "group") === GROUP;
