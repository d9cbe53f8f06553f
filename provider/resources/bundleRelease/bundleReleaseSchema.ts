/** Package schema of BundleRelease. */

import { cluster, clusterUid, context, kubeconfig } from "../../framework/clusterFields";
import {
  countField,
  flagField,
  kept,
  listField,
  objectField,
  objectsField,
  once,
  outcome,
  plainField,
  textField,
  textsField,
} from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "The content of a bundle, which is applied, awaited, changed, pruned and deleted as one unit.",
  inputs: {
    kubeconfig,
    context,
    cluster,
    name: once(
      textField(
        "Name of the release (DNS-1123), unique in its namespace. It identifies the owner of the objects. Changing it replaces the release.",
      ),
    ),
    namespace: once(
      textField(
        "Namespace of objects without a namespace. It must exist or be in the bundle. A ConfigMap `bundle-<name>` in it records what is in the release. Changing it replaces the release.",
      ),
    ),
    sources: objectsField(
      'Sources of the content; the files of several are combined. Objects with the fields of a file for `stackyard bundle --file`, such as `{ type: "http", url, directory }`, but with values instead of `{ env }` and `{ path }`. Local paths are relative to the program\'s folder. Put secrets into `credentials`.',
    ),
    credentials: {
      ...objectsField(
        "Secret fields of the source at the same index, such as `{ auth: { password } }`; a secret. Default: none.",
      ),
      secret: true,
    },
    format: textField("Format of the content. Default: `plain+v0`."),
    values: objectField(
      "Values, for a format that supports them. With other formats they are an error. Default: none.",
    ),
    secretValues: { ...objectField("Secret values, merged into `values`; a secret. Default: none."), secret: true },
    digest: {
      ...textField(
        "Digest of the content, as `stackyard bundle inspect` prints it. Other content is an error, and cached content is not fetched again. Default: the digest that the sources have now; the preview shows a change of it.",
      ),
      class: { exposed: true, always: true },
    },
    force: flagField(
      "`true`: take over fields that other managers own. Otherwise such a field is an error. Default: false.",
    ),
    adopt: textsField(
      "Objects of other owners that may be taken over, as in the inventory: `apps/v1/Deployment/namespace/name`, with `*` for any part of that; after it, or alone, `from helm`, `from kubectl` or `from argo`. Objects of another bundle are with `from bundle <namespace>/<name>`. Default: none.",
    ),
    takers: listField(
      "Taker",
      "Releases that take over objects of this one. Objects that they adopt are not deleted when they leave the content. Default: none.",
    ),
    replace: textsField(
      "Objects as in the inventory, or kinds as `batch/v1/Job`, to delete and recreate if the API server rejects the change. Otherwise the rejection is an error. Default: none.",
    ),
    allowDeletion: textsField(
      "Kinds to delete when they leave the bundle or the bundle is deleted, including objects in them that do not belong to the bundle: `CustomResourceDefinition`, `Namespace`. Other objects of these kinds stay, with a warning. Default: none.",
    ),
    allowCrdChanges: textsField(
      "Breaking changes of CustomResourceDefinitions to allow: names of checks as `stackyard bundle verify` prints them, and `invalidObjects` for objects that would become invalid; `<CRD>/<check>` for a single CRD. Other breaking changes are errors. Default: none.",
    ),
    requires: textsField("Kinds that the cluster must have first, as `apiVersion/Kind`. Default: none."),
    rollback: textField(
      "`auto`: if the content does not become ready, the previous content is applied again, and the update still fails. Default: `none`.",
    ),
    providedBy: textsField(
      "Objects that dependencies create, so that a preview expects them: CustomResourceDefinitions as `<plural>.<group>`, namespaces as `Namespace/<name>`. Default: none.",
    ),
    as: textField(
      "User to impersonate in the cluster; `system:serviceaccount:<namespace>:<name>` for a ServiceAccount. Default: the kubeconfig's.",
    ),
    approval: textField(
      "When the content must be approved (`stackyard bundle approve`) before it is applied. `never`; `more`: if it requests more than the approved content, such as permissions, cluster-scoped objects, webhooks, access to nodes or objects of other owners; `always`: if its digest changes. Default: `never`.",
    ),
    awaitApproval: flagField(
      "`true`: an update waits for a missing approval. Otherwise a missing approval is an error. Default: false.",
    ),
    timeoutSeconds: countField(
      "Seconds until all objects must be ready; also the limit for an approval before that. Default: 600.",
    ),
    reconcileSeconds: countField(
      "Seconds between two reconciliations by the provisioning service, which restores objects that differ from what was applied last. At least 60. Default: none.",
    ),
    createNamespace: flagField(
      "`true`: create the namespace if it does not exist and is not in the bundle. It stays when the release is deleted. Default: false.",
    ),
    networkPolicies: flagField(
      "`true`: create an ingress NetworkPolicy for each workload that declares ports, unless the bundle has NetworkPolicies in that namespace. Default: false.",
    ),
    protectData: flagField(
      "`true`: delete PersistentVolumeClaims only if `stackyard:allowDataLoss` in the stack's config names them. Default: false.",
    ),
    retained: flagField(
      "`true`: a deletion of the release leaves its objects in the cluster and removes the marks of their owner, so that the next release of the same name has them. Default: false.",
    ),
    outcome,
    blockedBy: textsField(
      "Outcomes of what it depends on. If one of them failed, this release is not changed and has failed too. Default: none.",
    ),
  },
  required: ["cluster", "name", "namespace", "sources"],
  former: { ground: "providedBy" },
  outputs: {
    sourceDigests: textsField(
      "Resolved version of each source: the digest of an image or archive, or a commit. Undefined if `digest` is set.",
    ),
    inventory: textsField("Objects in the cluster, in the order of application: `apps/v1/Deployment/namespace/name`."),
    ownerId: textField(
      "Id of this instance of the release. Its objects and its ConfigMap have it as an annotation; it never changes or deletes objects with another id.",
    ),
    clusterUid,
    generation: countField("Generation of the record of its owner in the cluster after the last change."),
    fingerprints: { ...textsField("Source of each object."), secret: true, class: { hidden: true } },
    drift: textsField("Differences from the bundle that the last refresh found. Undefined if there are none."),
    incomplete: {
      ...objectField("Last content that was applied completely, while the last update is incomplete."),
      secret: true,
      class: { hidden: true },
    },
    kept,
  },
  optional: ["clusterUid", "generation", "sourceDigests", "drift", "incomplete", "kept"],
  types: {
    Taker: {
      type: "object",
      description: "A release that takes over objects of another one.",
      properties: {
        bundle: plainField(textField("`<namespace>/<name>`.")),
        adopt: plainField(textsField("Objects, as in `adopt` of that release.")),
      },
      required: ["bundle", "adopt"],
    },
  },
} as const satisfies ResourceSchema;
