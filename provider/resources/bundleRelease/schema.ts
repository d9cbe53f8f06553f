/** What the package schema says of a BundleRelease. */

import { ANY_OBJECT, count, flag, kept, listOf, once, outcome, plain, text } from "../../framework/fields";
import { cluster, clusterUid, context, kubeconfig } from "../../framework/clusterFields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "The content of a bundle applied, awaited, changed, pruned and deleted as one.",
  inputs: {
    kubeconfig,
    context,
    cluster,
    name: once(
      text(
        "Name of the release, DNS-1123, unique in its namespace; owns the objects. Changing it replaces the release.",
      ),
    ),
    namespace: once(
      text(
        "Namespace of objects that name none. It has to exist, or to be in the bundle. A ConfigMap `bundle-<name>` in it notes what is in the release. Changing it replaces the release.",
      ),
    ),
    sources: {
      type: "array",
      items: ANY_OBJECT,
      description:
        'Where the content comes from, put together: objects with the fields of a file for `stackyard bundle --file`, such as `{ type: "http", url, directory }`, but with values instead of `{ env }` and `{ path }`. Local paths are relative to the program\'s folder. What is secret belongs into `credentials`.',
    },
    credentials: {
      type: "array",
      items: ANY_OBJECT,
      secret: true,
      description:
        "What is secret of the source at the same place, such as `{ auth: { password } }`; a secret. Default: nothing.",
    },
    format: text("Format of the content. Default: `plain+v0`."),
    values: { ...ANY_OBJECT, description: "Values, for a format that takes them; others refuse them. Default: none." },
    secretValues: {
      ...ANY_OBJECT,
      secret: true,
      description: "Secret values, merged into the others, objects key by key. A secret. Default: none.",
    },
    digest: {
      ...text(
        "Digest of the content, as `stackyard bundle inspect` reports it; then nothing else is applied, and cached content is not fetched again. Default: the digest that the sources have now; the preview shows a changed one.",
      ),
      class: { exposed: true, always: true },
    },
    force: flag(
      "Whether fields that others manage are taken over; otherwise they are an error that names them. Default: false.",
    ),
    adopt: {
      type: "array",
      items: { type: "string" },
      description:
        "Objects of other owners that may be taken over, as in the inventory: `apps/v1/Deployment/namespace/name`, with `*` for any part of that; after it, or alone, `from helm`, `from kubectl` or `from argo`. Objects of another bundle are with `from bundle <namespace>/<name>`. Default: none.",
    },
    takers: listOf(
      "Taker",
      "Releases that take over objects of this one: what they adopt from it is not removed when it leaves the content. Default: none.",
    ),
    replace: {
      type: "array",
      items: { type: "string" },
      description:
        "Objects as in the inventory, or kinds as `batch/v1/Job`, that are deleted and recreated if the API server refuses the change; otherwise the refusal is an error. Default: none.",
    },
    allowDeletion: {
      type: "array",
      items: { type: "string" },
      description:
        "`CustomResourceDefinition`, `Namespace`: deleted when they leave the bundle or the bundle is deleted, with the objects of others in them. Otherwise they stay, with a warning. Default: neither.",
    },
    allowCrdChanges: {
      type: "array",
      items: { type: "string" },
      description:
        "Changes of CustomResourceDefinitions that may break their users, by the names of their checks as `stackyard bundle verify` prints them, and `invalidObjects` for objects that would become invalid; `<CRD>/<check>` for one only. Others are errors. Default: none.",
    },
    requires: {
      type: "array",
      items: { type: "string" },
      description: "Kinds that the cluster must have before, as `apiVersion/Kind`. Default: none.",
    },
    rollback: text(
      "`auto`: if the content does not become ready, the previous content is applied again, and the update still fails. Default: `none`.",
    ),
    providedBy: {
      type: "array",
      items: { type: "string" },
      description:
        "What its dependencies create: names of CustomResourceDefinitions, `<plural>.<group>`, and namespaces, `Namespace/<name>`. A preview then expects them. Default: none.",
    },
    as: text(
      "User to impersonate in the cluster; `system:serviceaccount:<namespace>:<name>` for a ServiceAccount. Default: the kubeconfig's.",
    ),
    approval: text(
      "When the content must be approved before it is applied (`stackyard bundle approve`): `never`; `more`, if it requests more than the approved content: rights, cluster-scoped objects, webhooks, access to nodes, objects of others; `always`, if its digest changes. Default: `never`.",
    ),
    awaitApproval: flag("Whether an update waits for a missing approval; otherwise it is an error. Default: false."),
    timeoutSeconds: count(
      "Time limit in seconds until all objects are ready, and before that for an approval. Default: 600.",
    ),
    createNamespace: flag(
      "Whether its namespace is created if it does not exist and is not in the bundle. It stays when the release is deleted. Default: false.",
    ),
    networkPolicies: flag(
      "Whether workloads that declare ports get a NetworkPolicy each, for ingress, where the bundle contains none in its namespace. Default: false.",
    ),
    protectData: flag(
      "Whether claims are deleted only when `stackyard:allowDataLoss` of the stack's config names them. Default: false.",
    ),
    outcome,
    blockedBy: {
      type: "array",
      items: { type: "string" },
      description:
        "What it needs and what failed: then nothing of it is changed, and it has failed too. Default: nothing.",
    },
  },
  required: ["cluster", "name", "namespace", "sources"],
  former: { ground: "providedBy" },
  outputs: {
    sourceDigests: {
      type: "array",
      items: { type: "string" },
      description:
        "What each source was found to be: the digest of an image or archive, a commit. Undefined where `digest` was given.",
    },
    inventory: {
      type: "array",
      items: { type: "string" },
      description: "What is in the cluster: `apps/v1/Deployment/namespace/name`, in order of application.",
    },
    ownerId: text(
      "Which instance of the release this is: its objects are annotated with it, and it deletes none that has another one's.",
    ),
    clusterUid,
    fingerprints: {
      type: "array",
      items: { type: "string" },
      secret: true,
      class: { hidden: true },
      description: "What each object was made from.",
    },
    drift: {
      type: "array",
      items: { type: "string" },
      description: "What the last refresh found to be otherwise than the bundle has it; undefined when all was well.",
    },
    incomplete: {
      ...ANY_OBJECT,
      secret: true,
      class: { hidden: true },
      description: "While the last update did not come to its end: the content that did last.",
    },
    kept,
  },
  optional: ["clusterUid", "sourceDigests", "drift", "incomplete", "kept"],
  types: {
    Taker: {
      type: "object",
      description: "A release that takes over objects of another one.",
      properties: {
        bundle: plain(text("`<namespace>/<name>`.")),
        adopt: plain({ type: "array", items: { type: "string" }, description: "As in its `adopt`." }),
      },
      required: ["bundle", "adopt"],
    },
  },
} satisfies ResourceSchema;
