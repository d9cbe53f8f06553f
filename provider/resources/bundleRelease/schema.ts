/** What the package schema says of a BundleRelease. */

import { ANY_OBJECT, count, flag, kept, once, outcome, text } from "../../framework/fields";
import { cluster, clusterUid, context, kubeconfig } from "../../framework/clusterFields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "The content of a bundle applied, awaited, changed, pruned and deleted as one.",
  inputs: {
    kubeconfig,
    context,
    cluster,
    name: once(text("Name of the release, unique in its namespace.")),
    namespace: once(text("Namespace of objects that name none, and of the note on what is in the release.")),
    sources: { type: "array", items: ANY_OBJECT, description: "Where the content comes from, without what is secret." },
    credentials: {
      type: "array",
      items: ANY_OBJECT,
      secret: true,
      description: "What is secret of the source at the same place.",
    },
    format: text("Format of the content. Default: plain+v0."),
    values: { ...ANY_OBJECT, description: "Values, for a format that takes them." },
    secretValues: { ...ANY_OBJECT, secret: true, description: "What of the values is secret." },
    digest: text("Digest of the content. Optional; default: the digest of what the sources return."),
    force: flag("Take over fields that others manage. Default: false."),
    adopt: { type: "array", items: { type: "string" }, description: "Objects that may be taken over." },
    takers: {
      type: "array",
      items: ANY_OBJECT,
      description:
        "Releases that take over objects of this one, each as { bundle, adopt }: these objects are not removed.",
    },
    replace: {
      type: "array",
      items: { type: "string" },
      description:
        "Objects, or kinds as apiVersion/Kind, that are deleted and recreated if they can't be changed in place.",
    },
    allowDeletion: {
      type: "array",
      items: { type: "string" },
      description: "CustomResourceDefinition, Namespace: kinds that are removed also with what others have in them.",
    },
    allowCrdChanges: {
      type: "array",
      items: { type: "string" },
      description: "Checks of upgrades of CustomResourceDefinitions that may fail.",
    },
    requires: {
      type: "array",
      items: { type: "string" },
      description: "Kinds that have to be there, as apiVersion/Kind.",
    },
    rollback: text("auto or none: what becomes of content that does not become ready. Default: none."),
    providedBy: {
      type: "array",
      items: { type: "string" },
      description: "CustomResourceDefinitions and namespaces that come with what it needs.",
    },
    as: text("User to be impersonated."),
    approval: text("When the content has to be approved: never, more, always. Default: never."),
    awaitApproval: flag("Wait for an approval that is missing. Default: false."),
    timeoutSeconds: count("Seconds until everything has to be ready. Default: 600."),
    protectData: flag("Refuse to delete claims that stackyard:allowDataLoss does not name. Default: false."),
    outcome,
    blockedBy: { type: "array", items: { type: "string" }, description: "What it needs and what failed." },
  },
  required: ["cluster", "name", "namespace", "sources"],
  former: { ground: "providedBy" },
  outputs: {
    sourceDigests: { type: "array", items: { type: "string" }, description: "What each source was found to be." },
    inventory: { type: "array", items: { type: "string" }, description: "What is in the cluster." },
    ownerId: text("Which instance of the release this is; its objects are annotated with it."),
    clusterUid,
    fingerprints: {
      type: "array",
      items: { type: "string" },
      secret: true,
      description: "What each object was made from.",
    },
    drift: { type: "array", items: { type: "string" }, description: "What the last refresh found to be otherwise." },
    incomplete: {
      ...ANY_OBJECT,
      secret: true,
      description: "While the last update did not come to its end: the content that did last.",
    },
    kept,
  },
  optional: ["clusterUid", "sourceDigests", "drift", "incomplete", "kept"],
} satisfies ResourceSchema;
