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
    name: once(text("Name of the set, unique in its namespace.")),
    namespace: once(text("Namespace of objects that name none.")),
    objects: { type: "array", items: ANY_OBJECT, description: "Complete Kubernetes objects, applied in order." },
    as: text("User to be impersonated."),
    timeoutSeconds: count("Seconds until everything has to be ready. Default: 300."),
    ping: { ...ANY_OBJECT, description: "What to ask after everything is rolled out." },
    claimsWhenDeleted: text("Retain or Delete: what becomes of claims on destroy."),
    claimsWhenSmaller: text(
      "Refuse or Keep: whether larger claims are an error or kept when less is requested. Default: Refuse.",
    ),
    allowMove: flag("Whether a change that would replace the set is made. False: it is an error. Default: true."),
    adopt: text("Owner id of objects that are there already: creating the set takes them over and applies nothing."),
    record,
    removeFirst: flag("Remove what left the set before the new objects are applied. Default: false."),
    protectData: flag("Refuse to delete claims that stackyard:allowDataLoss does not name. Default: false."),
    outcome,
  },
  required: ["cluster", "name", "namespace", "objects"],
  former: { set: "name" },
  outputs: {
    inventory: { type: "array", items: { type: "string" }, description: "What is in the cluster." },
    storageBytes: { type: "number", description: "What the bound claims really have, in bytes." },
    ownerId: text("Which instance of the set this is; its objects are annotated with it."),
    clusterUid,
    incomplete: flag("True while the last update did not come to its end."),
    kept,
  },
  optional: ["storageBytes", "clusterUid", "incomplete", "kept"],
} satisfies ResourceSchema;
