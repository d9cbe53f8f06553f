/** Objects that add approvals to a cluster and protect them. */

import { groupOf, textAt, type KubeObject } from "../../kubernetes/objects/objects";
import { DECISIONS, GROUP, KIND } from "./approval";
import type { Json } from "../../foundation/json/isObject";

export const PLURAL = "bundleapprovals";
/** On ControllerRevisions with the approved content for confined users. */
export const CONTENT_LABEL = "stackyard.dev/approved-content";
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
    lifted: texts,
  }),
  // Newer versions may add fields.
  "x-kubernetes-preserve-unknown-fields": true,
};

const spec = object(
  {
    bundle: object({ name: { ...text, minLength: 1 }, namespace: { ...text, minLength: 1 } }, ["name", "namespace"]),
    digest: { ...text, pattern: "^sha256:[0-9a-f]{64}$" },
    decision: { ...text, enum: DECISIONS },
    by: { ...text, minLength: 1 },
    reason: { ...text, maxLength: 1000 },
    confined: texts,
    asks,
  },
  ["bundle", "digest", "decision", "by", "asks"],
);

/** Cluster-scoped, so that full permissions in a bundle's namespace don't include its approval. */
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

export const ADMISSION = "admissionregistration.k8s.io/v1";

/** The API server's message for a decision in another user's name. */
export const NOT_IN_OWN_NAME = "spec.by must be the user who makes the approval";

/**
 * Makes the API server ensure that no user decides in another's name, approves without permission, changes a decision,
 * or deletes one unnoticed, not even through a missing owner that lets the garbage collector delete it.
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
        message: `approving, denying and deleting decisions requires the verb approve on ${NAME}`,
        reason: "Forbidden",
      },
      {
        expression:
          "object == null || !has(object.metadata.ownerReferences) || object.metadata.ownerReferences.size() == 0",
        message: "an approval must not have owner references",
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

/** Names of the objects that protect approvals. A bundle must not include them. */
const GUARDS = [DEFINITION, POLICY, POLICY_BINDING];

export const decidesAboutBundles = (object: KubeObject): boolean =>
  (object.kind === KIND && groupOf(object.apiVersion) === GROUP) ||
  // Also the policies of confined users, whose names end with it.
  GUARDS.some(({ kind, metadata }) => kind === object.kind && object.metadata.name.endsWith(metadata.name)) ||
  object.metadata.labels?.[CONTENT_LABEL] !== undefined ||
  addsGroup(object);

/** Another API server or definition for the group could forge decisions. */
const addsGroup = (object: KubeObject): boolean =>
  /^(APIService|CustomResourceDefinition)$/.test(object.kind) && textAt(object, "spec", "group") === GROUP;
