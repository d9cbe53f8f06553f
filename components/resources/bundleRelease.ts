// Generated from provider/resources/*/schema.ts by `npm run generate`; a test keeps it true.

import * as pulumi from "@pulumi/pulumi";
import type { Outcome } from "./outcome";

/** A release that takes over objects of another one. */
export interface Taker {
  /** `<namespace>/<name>`. */
  readonly bundle: string;
  /** As in its `adopt`. */
  readonly adopt: readonly string[];
}

export interface BundleReleaseArgs {
  /** Kubeconfig (YAML text); a secret. Default: the cluster that the program itself runs in. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current one. */
  readonly context?: pulumi.Input<string>;
  /**
   * Address of the cluster (its server URL). Another cluster, by its UID, replaces the resource; another address does
   * not.
   */
  readonly cluster: pulumi.Input<string>;
  /** Name of the release, DNS-1123, unique in its namespace; owns the objects. Changing it replaces the release. */
  readonly name: pulumi.Input<string>;
  /**
   * Namespace of objects that name none. It has to exist, or to be in the bundle. A ConfigMap `bundle-<name>` in it
   * notes what is in the release. Changing it replaces the release.
   */
  readonly namespace: pulumi.Input<string>;
  /**
   * Where the content comes from, put together: objects with the fields of a file for `stackyard bundle --file`, such
   * as `{ type: "http", url, directory }`, but with values instead of `{ env }` and `{ path }`. Local paths are
   * relative to the program's folder. What is secret belongs into `credentials`.
   */
  readonly sources: pulumi.Input<pulumi.Input<Record<string, unknown>>[]>;
  /** What is secret of the source at the same place, such as `{ auth: { password } }`; a secret. Default: nothing. */
  readonly credentials?: pulumi.Input<pulumi.Input<Record<string, unknown>>[]>;
  /** Format of the content. Default: `plain+v0`. */
  readonly format?: pulumi.Input<string>;
  /** Values, for a format that takes them; others refuse them. Default: none. */
  readonly values?: pulumi.Input<Record<string, unknown>>;
  /** Secret values, merged into the others, objects key by key. A secret. Default: none. */
  readonly secretValues?: pulumi.Input<Record<string, unknown>>;
  /**
   * Digest of the content, as `stackyard bundle inspect` reports it; then nothing else is applied, and cached content
   * is not fetched again. Default: the digest that the sources have now; the preview shows a changed one.
   */
  readonly digest?: pulumi.Input<string>;
  /** Whether fields that others manage are taken over; otherwise they are an error that names them. Default: false. */
  readonly force?: pulumi.Input<boolean>;
  /**
   * Objects of other owners that may be taken over, as in the inventory: `apps/v1/Deployment/namespace/name`, with
   * `*` for any part of that; after it, or alone, `from helm`, `from kubectl` or `from argo`. Objects of another
   * bundle are with `from bundle <namespace>/<name>`. Default: none.
   */
  readonly adopt?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Releases that take over objects of this one: what they adopt from it is not removed when it leaves the content.
   * Default: none.
   */
  readonly takers?: pulumi.Input<pulumi.Input<Taker>[]>;
  /**
   * Objects as in the inventory, or kinds as `batch/v1/Job`, that are deleted and recreated if the API server refuses
   * the change; otherwise the refusal is an error. Default: none.
   */
  readonly replace?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * `CustomResourceDefinition`, `Namespace`: deleted when they leave the bundle or the bundle is deleted, with the
   * objects of others in them. Otherwise they stay, with a warning. Default: neither.
   */
  readonly allowDeletion?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Changes of CustomResourceDefinitions that may break their users, by the names of their checks as `stackyard
   * bundle verify` prints them, and `invalidObjects` for objects that would become invalid; `<CRD>/<check>` for one
   * only. Others are errors. Default: none.
   */
  readonly allowCrdChanges?: pulumi.Input<pulumi.Input<string>[]>;
  /** Kinds that the cluster must have before, as `apiVersion/Kind`. Default: none. */
  readonly requires?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * `auto`: if the content does not become ready, the previous content is applied again, and the update still fails.
   * Default: `none`.
   */
  readonly rollback?: pulumi.Input<string>;
  /**
   * What its dependencies create: names of CustomResourceDefinitions, `<plural>.<group>`, and namespaces,
   * `Namespace/<name>`. A preview then expects them. Default: none.
   */
  readonly providedBy?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * User to impersonate in the cluster; `system:serviceaccount:<namespace>:<name>` for a ServiceAccount. Default: the
   * kubeconfig's.
   */
  readonly as?: pulumi.Input<string>;
  /**
   * When the content must be approved before it is applied (`stackyard bundle approve`): `never`; `more`, if it
   * requests more than the approved content: rights, cluster-scoped objects, webhooks, access to nodes, objects of
   * others; `always`, if its digest changes. Default: `never`.
   */
  readonly approval?: pulumi.Input<string>;
  /** Whether an update waits for a missing approval; otherwise it is an error. Default: false. */
  readonly awaitApproval?: pulumi.Input<boolean>;
  /** Time limit in seconds until all objects are ready, and before that for an approval. Default: 600. */
  readonly timeoutSeconds?: pulumi.Input<number>;
  /**
   * Whether its namespace is created if it does not exist and is not in the bundle. It stays when the release is
   * deleted. Default: false.
   */
  readonly createNamespace?: pulumi.Input<boolean>;
  /**
   * Whether workloads that declare ports get a NetworkPolicy each, for ingress, where the bundle contains none in its
   * namespace. Default: false.
   */
  readonly networkPolicies?: pulumi.Input<boolean>;
  /**
   * Whether claims are deleted only when `stackyard:allowDataLoss` of the stack's config names them. Default: false.
   */
  readonly protectData?: pulumi.Input<boolean>;
  /**
   * Given (`{}`): a failure stops no other resource, and the output of that name says how it went. Default: it fails
   * the update.
   */
  readonly outcome?: pulumi.Input<Outcome>;
  /** What it needs and what failed: then nothing of it is changed, and it has failed too. Default: nothing. */
  readonly blockedBy?: pulumi.Input<pulumi.Input<string>[]>;
}

/** The content of a bundle applied, awaited, changed, pruned and deleted as one. */
export class BundleRelease extends pulumi.CustomResource {
  /**
   * What each source was found to be: the digest of an image or archive, a commit. Undefined where `digest` was
   * given.
   */
  declare public readonly sourceDigests: pulumi.Output<string[] | undefined>;
  /** What is in the cluster: `apps/v1/Deployment/namespace/name`, in order of application. */
  declare public readonly inventory: pulumi.Output<string[]>;
  /**
   * Which instance of the release this is: its objects are annotated with it, and it deletes none that has another
   * one's.
   */
  declare public readonly ownerId: pulumi.Output<string>;
  /** UID of the cluster; undefined where the kubeconfig's user may not read it. */
  declare public readonly clusterUid: pulumi.Output<string | undefined>;
  /** What the last refresh found to be otherwise than the bundle has it; undefined when all was well. */
  declare public readonly drift: pulumi.Output<string[] | undefined>;
  /**
   * Digest of the content, as `stackyard bundle inspect` reports it; then nothing else is applied, and cached content
   * is not fetched again. Default: the digest that the sources have now; the preview shows a changed one.
   */
  declare public readonly digest: pulumi.Output<string>;
  /**
   * Given (`{}`): a failure stops no other resource, and the output of that name says how it went. Default: it fails
   * the update.
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
        drift: undefined,
      },
      pulumi.mergeOptions(opts, {
        additionalSecretOutputs: ["kubeconfig", "credentials", "secretValues", "fingerprints", "incomplete", "kept"],
      }),
    );
  }
}
