/** Package schema of ManifestSet. */

import { cluster, clusterUid, context, kubeconfig } from "../../framework/clusterFields";
import {
  countField,
  flagField,
  kept,
  objectsField,
  once,
  outcome,
  record,
  textField,
  textsField,
} from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "A set of Kubernetes manifests, which is applied, awaited, changed and deleted as one unit.",
  inputs: {
    kubeconfig,
    context,
    cluster,
    name: once(
      textField(
        "Name of the set (DNS-1123), unique in its namespace. It identifies the owner of the objects. Changing it replaces the set.",
      ),
    ),
    namespace: once(textField("Namespace of objects without a namespace. Changing it replaces the set.")),
    objects: objectsField("The manifests: complete Kubernetes objects, applied server-side in this order."),
    as: textField(
      "User to impersonate in the cluster; `system:serviceaccount:<namespace>:<name>` for a ServiceAccount. Default: the kubeconfig's.",
    ),
    timeoutSeconds: countField("Seconds until all objects must be ready. Default: 300."),
    ping: {
      $ref: "#/types/stackyard:index:Ping",
      description: "HTTP request that must succeed after the rollout. Default: none.",
    },
    claimsWhenDeleted: textField(
      "`Retain` or `Delete`: whether destroy keeps or deletes PersistentVolumeClaims. Default: the policy of the StatefulSet; claims in `objects` are deleted.",
    ),
    claimsWhenSmaller: textField(
      "How an update with smaller PersistentVolumeClaims than the existing ones is handled. `Refuse`: it is an error; `Keep`: the existing size is kept. Default: Refuse.",
    ),
    allowMove: flagField("`false`: a change that would replace the set is an error. Default: true."),
    adopt: textField(
      "Owner id (`stackyard.dev/owner-id`) of existing objects of this set, such as after its state was lost. Creating the set takes them over unchanged and applies nothing. It has no effect afterwards. Default: create the objects.",
    ),
    disk: textField(
      "Name of a kept PersistentVolumeClaim (`stackyard.dev/kept-disk`), or namespace/name, that a new StatefulSet of this set uses. One that exists with another disk is an error. Default: a new disk; kept claims of the same name are renamed.",
    ),
    expectedClusterUid: textField(
      "UID of the cluster that the set is created in; another cluster at that address is an error. It has no effect afterwards. Default: any cluster.",
    ),
    record,
    release: {
      $ref: "#/types/stackyard:index:OwnedRelease",
      description:
        "Helm release that belongs to the owner of the set. A change of it is a change by the owner, so that a stack with an older state is noticed. Default: none.",
    },
    shared: flagField(
      "`true`: a set of the same name may belong to another stack, as that of a namespace which is never deleted. What another stack has created is used as it is; only what is missing is created. Default: false; such a set is an error.",
    ),
    retained: flagField(
      "`true`: a deletion of the set leaves its objects in the cluster and removes the marks of their owner, so that the next set of the same name has them. Default: false.",
    ),
    removeFirst: flagField(
      "`true`: delete objects that left the set before the new objects are applied, for objects that can't exist at the same time. Default: false; they are deleted when the new objects are ready.",
    ),
    protectData: flagField(
      "`true`: delete PersistentVolumeClaims only if `stackyard:allowDataLoss` in the stack's config names them. Default: false.",
    ),
    outcome,
  },
  required: ["cluster", "name", "namespace", "objects"],
  former: { set: "name" },
  outputs: {
    inventory: textsField("Objects in the cluster, in the order of application: `apps/v1/StatefulSet/namespace/name`."),
    storageBytes: {
      type: "number",
      description: "Actual capacity of the bound PersistentVolumeClaims in bytes. Null if the set has none.",
      class: { nullable: true },
    },
    ownerId: textField(
      "Id of this instance of the set. Its objects have it as an annotation; it never deletes objects with another id.",
    ),
    clusterUid,
    generation: countField("Generation of the record of its owner in the cluster after the last change."),
    claims: {
      type: "object",
      additionalProperties: { type: "string" },
      description: "UIDs of the PersistentVolumeClaims after the last update, by `<namespace>/<claim>`.",
      class: { hidden: true },
    },
    incomplete: { ...flagField("True while the last update is incomplete."), class: { hidden: true } },
    kept,
  },
  optional: ["storageBytes", "clusterUid", "generation", "claims", "incomplete", "kept"],
  types: {
    Ping: {
      type: "object",
      description: "HTTP request that decides when a set is ready.",
      properties: {
        url: textField("Full URL. Any response except 429 and 5xx counts as a success."),
      },
      required: ["url"],
    },
    OwnedRelease: {
      type: "object",
      description: "A Helm release, which has no record of its owner itself.",
      properties: {
        namespace: textField("Namespace of the release."),
        name: textField("Name of the release."),
        digest: textField("Text that changes with the chart and its values."),
      },
      required: ["namespace", "name", "digest"],
    },
  },
} as const satisfies ResourceSchema;
