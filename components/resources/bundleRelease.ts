// Generated from provider/resources/*/*Schema.ts by `npm run generate`; a test keeps it true.

import * as pulumi from "@pulumi/pulumi";
import type { Outcome } from "./outcome";

/** A release that takes over objects of another one. */
export interface Taker {
  /** `<namespace>/<name>`. */
  readonly bundle: string;
  /** Objects, as in `adopt` of that release. */
  readonly adopt: readonly string[];
}

export interface BundleReleaseArgs {
  /** Kubeconfig (YAML text); a secret. Default: the cluster that the program itself runs in. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current context. */
  readonly context?: pulumi.Input<string>;
  /**
   * Address of the cluster (its server URL). Another cluster, by its UID, replaces the resource; another address does
   * not.
   */
  readonly cluster: pulumi.Input<string>;
  /**
   * Name of the release (DNS-1123), unique in its namespace. It identifies the owner of the objects. Changing it
   * replaces the release.
   */
  readonly name: pulumi.Input<string>;
  /**
   * Namespace of objects without a namespace. It must exist or be in the bundle. A ConfigMap `bundle-<name>` in it
   * records what is in the release. Changing it replaces the release.
   */
  readonly namespace: pulumi.Input<string>;
  /**
   * Sources of the content; the files of several are combined. Objects with the fields of a file for `stackyard
   * bundle --file`, such as `{ type: "http", url, directory }`, but with values instead of `{ env }` and `{ path }`.
   * Local paths are relative to the program's folder. Put secrets into `credentials`.
   */
  readonly sources: pulumi.Input<pulumi.Input<Record<string, unknown>>[]>;
  /** Secret fields of the source at the same index, such as `{ auth: { password } }`; a secret. Default: none. */
  readonly credentials?: pulumi.Input<pulumi.Input<Record<string, unknown>>[]>;
  /** Format of the content. Default: `plain+v0`. */
  readonly format?: pulumi.Input<string>;
  /** Values, for a format that supports them. With other formats they are an error. Default: none. */
  readonly values?: pulumi.Input<Record<string, unknown>>;
  /** Secret values, merged into `values`; a secret. Default: none. */
  readonly secretValues?: pulumi.Input<Record<string, unknown>>;
  /**
   * Digest of the content, as `stackyard bundle inspect` prints it. Other content is an error, and cached content is
   * not fetched again. Default: the digest that the sources have now; the preview shows a change of it.
   */
  readonly digest?: pulumi.Input<string>;
  /** `true`: take over fields that other managers own. Otherwise such a field is an error. Default: false. */
  readonly force?: pulumi.Input<boolean>;
  /**
   * Objects of other owners that may be taken over, as in the inventory: `apps/v1/Deployment/namespace/name`, with
   * `*` for any part of that; after it, or alone, `from helm`, `from kubectl` or `from argo`. Objects of another
   * bundle are with `from bundle <namespace>/<name>`. Default: none.
   */
  readonly adopt?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Releases that take over objects of this one. Objects that they adopt are not deleted when they leave the content.
   * Default: none.
   */
  readonly takers?: pulumi.Input<pulumi.Input<Taker>[]>;
  /**
   * Objects as in the inventory, or kinds as `batch/v1/Job`, to delete and recreate if the API server rejects the
   * change. Otherwise the rejection is an error. Default: none.
   */
  readonly replace?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Kinds to delete when they leave the bundle or the bundle is deleted, including objects in them that do not belong
   * to the bundle: `CustomResourceDefinition`, `Namespace`. Other objects of these kinds stay, with a warning.
   * Default: none.
   */
  readonly allowDeletion?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Breaking changes of CustomResourceDefinitions to allow: names of checks as `stackyard bundle verify` prints them,
   * and `invalidObjects` for objects that would become invalid; `<CRD>/<check>` for a single CRD. Other breaking
   * changes are errors. Default: none.
   */
  readonly allowCrdChanges?: pulumi.Input<pulumi.Input<string>[]>;
  /** Kinds that the cluster must have first, as `apiVersion/Kind`. Default: none. */
  readonly requires?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * `auto`: if the content does not become ready, the previous content is applied again, and the update still fails.
   * Default: `none`.
   */
  readonly rollback?: pulumi.Input<string>;
  /**
   * Objects that dependencies create, so that a preview expects them: CustomResourceDefinitions as
   * `<plural>.<group>`, namespaces as `Namespace/<name>`. Default: none.
   */
  readonly providedBy?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * User to impersonate in the cluster; `system:serviceaccount:<namespace>:<name>` for a ServiceAccount. Default: the
   * kubeconfig's.
   */
  readonly as?: pulumi.Input<string>;
  /**
   * When the content must be approved (`stackyard bundle approve`) before it is applied. `never`; `more`: if it
   * requests more than the approved content, such as permissions, cluster-scoped objects, webhooks, access to nodes
   * or objects of other owners; `always`: if its digest changes. Default: `never`.
   */
  readonly approval?: pulumi.Input<string>;
  /** `true`: an update waits for a missing approval. Otherwise a missing approval is an error. Default: false. */
  readonly awaitApproval?: pulumi.Input<boolean>;
  /** Seconds until all objects must be ready; also the limit for an approval before that. Default: 600. */
  readonly timeoutSeconds?: pulumi.Input<number>;
  /**
   * Seconds between two reconciliations by the provisioning service, which restores objects that differ from what was
   * applied last. At least 60. Default: none.
   */
  readonly reconcileSeconds?: pulumi.Input<number>;
  /**
   * `true`: create the namespace if it does not exist and is not in the bundle. It stays when the release is deleted.
   * Default: false.
   */
  readonly createNamespace?: pulumi.Input<boolean>;
  /**
   * `true`: create an ingress NetworkPolicy for each workload that declares ports, unless the bundle has
   * NetworkPolicies in that namespace. Default: false.
   */
  readonly networkPolicies?: pulumi.Input<boolean>;
  /**
   * `true`: delete PersistentVolumeClaims only if `stackyard:allowDataLoss` in the stack's config names them.
   * Default: false.
   */
  readonly protectData?: pulumi.Input<boolean>;
  /**
   * `true`: a deletion of the release leaves its objects in the cluster and removes the marks of their owner, so that
   * the next release of the same name has them. Default: false.
   */
  readonly retained?: pulumi.Input<boolean>;
  /**
   * If set (`{}`), a failure does not stop other resources; the output of the same name has the result. Default: a
   * failure fails the update.
   */
  readonly outcome?: pulumi.Input<Outcome>;
  /**
   * Outcomes of what it depends on. If one of them failed, this release is not changed and has failed too. Default:
   * none.
   */
  readonly blockedBy?: pulumi.Input<pulumi.Input<string>[]>;
}

/** The content of a bundle, which is applied, awaited, changed, pruned and deleted as one unit. */
export class BundleRelease extends pulumi.CustomResource {
  /** Resolved version of each source: the digest of an image or archive, or a commit. Undefined if `digest` is set. */
  declare public readonly sourceDigests: pulumi.Output<string[] | undefined>;
  /** Objects in the cluster, in the order of application: `apps/v1/Deployment/namespace/name`. */
  declare public readonly inventory: pulumi.Output<string[]>;
  /**
   * Id of this instance of the release. Its objects and its ConfigMap have it as an annotation; it never changes or
   * deletes objects with another id.
   */
  declare public readonly ownerId: pulumi.Output<string>;
  /** UID of the cluster. Undefined if the kubeconfig's user may not read it. */
  declare public readonly clusterUid: pulumi.Output<string | undefined>;
  /** Generation of the record of its owner in the cluster after the last change. */
  declare public readonly generation: pulumi.Output<number | undefined>;
  /** Differences from the bundle that the last refresh found. Undefined if there are none. */
  declare public readonly drift: pulumi.Output<string[] | undefined>;
  /**
   * Digest of the content, as `stackyard bundle inspect` prints it. Other content is an error, and cached content is
   * not fetched again. Default: the digest that the sources have now; the preview shows a change of it.
   */
  declare public readonly digest: pulumi.Output<string>;
  /**
   * If set (`{}`), a failure does not stop other resources; the output of the same name has the result. Default: a
   * failure fails the update.
   */
  declare public readonly outcome: pulumi.Output<Outcome | undefined>;

  constructor(name: string, args: BundleReleaseArgs, opts?: pulumi.CustomResourceOptions) {
    super(
      "stackyard:index:BundleRelease",
      name,
      {
        ...args,
        kubeconfig: args.kubeconfig === undefined ? undefined : pulumi.secret(args.kubeconfig),
        credentials: args.credentials === undefined ? undefined : pulumi.secret(args.credentials),
        secretValues: args.secretValues === undefined ? undefined : pulumi.secret(args.secretValues),
        digest: args.digest,
        outcome: args.outcome,
        sourceDigests: undefined,
        inventory: undefined,
        ownerId: undefined,
        clusterUid: undefined,
        generation: undefined,
        drift: undefined,
      },
      pulumi.mergeOptions(opts, {
        additionalSecretOutputs: ["kubeconfig", "credentials", "secretValues", "fingerprints", "incomplete", "kept"],
      }),
    );
  }
}
