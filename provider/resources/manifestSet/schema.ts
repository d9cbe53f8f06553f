/** What the package schema says of a ManifestSet. */

import { cluster, clusterUid, context, kubeconfig } from "../../framework/clusterFields";
import { ANY_OBJECT, count, flag, kept, once, outcome, record, text } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "A set of Kubernetes manifests applied, awaited, changed and deleted as one.",
  inputs: {
    kubeconfig,
    context,
    cluster,
    name: once(
      text("Name of the set, DNS-1123, unique in its namespace; owns the objects. Changing it replaces the set."),
    ),
    namespace: once(text("Namespace of objects that name none. Changing it replaces the set.")),
    objects: {
      type: "array",
      items: ANY_OBJECT,
      description: "The manifests, complete Kubernetes objects. Applied in the given order, server-side.",
    },
    as: text(
      "User to impersonate in the cluster; `system:serviceaccount:<namespace>:<name>` for a ServiceAccount. Default: the kubeconfig's.",
    ),
    timeoutSeconds: count("Seconds until everything has to be ready. Default: 300."),
    ping: {
      $ref: "#/types/stackyard:index:Ping",
      description: "Asked after everything is rolled out. Default: not asked.",
    },
    claimsWhenDeleted: text(
      "`Retain` or `Delete`: what becomes of claims on destroy. Default: what the StatefulSet's own policy says; claims in `objects` are deleted.",
    ),
    claimsWhenSmaller: text(
      "`Refuse` or `Keep`: what becomes of an update that asks for smaller claims than there are. Default: Refuse.",
    ),
    allowMove: flag("Whether a change that would replace the set is made. False: it is an error. Default: true."),
    adopt: text(
      "Owner id (`stackyard.dev/owner-id`) of objects of this set that are there already, as after its state got lost: creating the set takes them over as they are and applies nothing. Afterwards it does nothing. Default: the objects are made.",
    ),
    record,
    removeFirst: flag(
      "Whether what left the set is removed before the new objects are applied, because both can't be at the same time. Default: false, it is removed when the new ones are ready.",
    ),
    protectData: flag(
      "Whether claims are deleted only when `stackyard:allowDataLoss` of the stack's config names them. Default: false.",
    ),
    outcome,
  },
  required: ["cluster", "name", "namespace", "objects"],
  former: { set: "name" },
  outputs: {
    inventory: {
      type: "array",
      items: { type: "string" },
      description: "What is in the cluster: `apps/v1/StatefulSet/namespace/name`, in order of application.",
    },
    storageBytes: {
      type: "number",
      description: "Sum of what the bound claims really have, in bytes; null when the set has none.",
      class: { nullable: true },
    },
    ownerId: text(
      "Which instance of the set this is: its objects are annotated with it, and it deletes none that has another one's.",
    ),
    clusterUid,
    incomplete: { ...flag("True while the last update did not come to its end."), class: { hidden: true } },
    kept,
  },
  optional: ["storageBytes", "clusterUid", "incomplete", "kept"],
  types: {
    Ping: {
      type: "object",
      description: "Where and how long to knock before a set counts as ready.",
      properties: {
        url: text("Full URL; anything but a connection error, 429 or 5xx counts as an answer."),
      },
      required: ["url"],
    },
  },
} satisfies ResourceSchema;
