// Generated from provider/resources/*/*Schema.ts by `npm run generate`; a test keeps it true.

import * as pulumi from "@pulumi/pulumi";
import type { Outcome } from "./outcome";

/** HTTP request that decides when a set is ready. */
export interface Ping {
  /** Full URL. Any response except 429 and 5xx counts as a success. */
  readonly url: pulumi.Input<string>;
}

/** A Helm release, which has no record of its owner itself. */
export interface OwnedRelease {
  /** Namespace of the release. */
  readonly namespace: pulumi.Input<string>;
  /** Name of the release. */
  readonly name: pulumi.Input<string>;
  /** Text that changes with the chart and its values. */
  readonly digest: pulumi.Input<string>;
}

export interface ManifestSetArgs {
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
   * Name of the set (DNS-1123), unique in its namespace. It identifies the owner of the objects. Changing it replaces
   * the set.
   */
  readonly name: pulumi.Input<string>;
  /** Namespace of objects without a namespace. Changing it replaces the set. */
  readonly namespace: pulumi.Input<string>;
  /** The manifests: complete Kubernetes objects, applied server-side in this order. */
  readonly objects: pulumi.Input<pulumi.Input<Record<string, unknown>>[]>;
  /**
   * User to impersonate in the cluster; `system:serviceaccount:<namespace>:<name>` for a ServiceAccount. Default: the
   * kubeconfig's.
   */
  readonly as?: pulumi.Input<string>;
  /** Seconds until all objects must be ready. Default: 300. */
  readonly timeoutSeconds?: pulumi.Input<number>;
  /** HTTP request that must succeed after the rollout. Default: none. */
  readonly ping?: pulumi.Input<Ping>;
  /**
   * `Retain` or `Delete`: whether destroy keeps or deletes PersistentVolumeClaims. Default: the policy of the
   * StatefulSet; claims in `objects` are deleted.
   */
  readonly claimsWhenDeleted?: pulumi.Input<string>;
  /**
   * How an update with smaller PersistentVolumeClaims than the existing ones is handled. `Refuse`: it is an error;
   * `Keep`: the existing size is kept. Default: Refuse.
   */
  readonly claimsWhenSmaller?: pulumi.Input<string>;
  /** `false`: a change that would replace the set is an error. Default: true. */
  readonly allowMove?: pulumi.Input<boolean>;
  /**
   * Owner id (`stackyard.dev/owner-id`) of existing objects of this set, such as after its state was lost. Creating
   * the set takes them over unchanged and applies nothing. It has no effect afterwards. Default: create the objects.
   */
  readonly adopt?: pulumi.Input<string>;
  /**
   * Name of a kept PersistentVolumeClaim (`stackyard.dev/kept-disk`), or namespace/name, that a new StatefulSet of
   * this set uses. One that exists with another disk is an error. Default: a new disk; kept claims of the same name
   * are renamed.
   */
  readonly disk?: pulumi.Input<string>;
  /**
   * UID of the cluster that the set is created in; another cluster at that address is an error. It has no effect
   * afterwards. Default: any cluster.
   */
  readonly expectedClusterUid?: pulumi.Input<string>;
  /**
   * Stored in the state with the resource and used nowhere else. A change of its member `change` alone does not cause
   * an update.
   */
  readonly record?: pulumi.Input<Record<string, unknown>>;
  /**
   * Helm release that belongs to the owner of the set. A change of it is a change by the owner, so that a stack with
   * an older state is noticed. Default: none.
   */
  readonly release?: pulumi.Input<OwnedRelease>;
  /**
   * `true`: a set of the same name may belong to another stack, as that of a namespace which is never deleted. What
   * another stack has created is used as it is; only what is missing is created. Default: false; such a set is an
   * error.
   */
  readonly shared?: pulumi.Input<boolean>;
  /**
   * `true`: a deletion of the set leaves its objects in the cluster and removes the marks of their owner, so that the
   * next set of the same name has them. Default: false.
   */
  readonly retained?: pulumi.Input<boolean>;
  /**
   * `true`: delete objects that left the set before the new objects are applied, for objects that can't exist at the
   * same time. Default: false; they are deleted when the new objects are ready.
   */
  readonly removeFirst?: pulumi.Input<boolean>;
  /**
   * `true`: delete PersistentVolumeClaims only if `stackyard:allowDataLoss` in the stack's config names them.
   * Default: false.
   */
  readonly protectData?: pulumi.Input<boolean>;
  /**
   * If set (`{}`), a failure does not stop other resources; the output of the same name has the result. Default: a
   * failure fails the update.
   */
  readonly outcome?: pulumi.Input<Outcome>;
}

/** A set of Kubernetes manifests, which is applied, awaited, changed and deleted as one unit. */
export class ManifestSet extends pulumi.CustomResource {
  /** Objects in the cluster, in the order of application: `apps/v1/StatefulSet/namespace/name`. */
  declare public readonly inventory: pulumi.Output<string[]>;
  /** Actual capacity of the bound PersistentVolumeClaims in bytes. Null if the set has none. */
  declare public readonly storageBytes: pulumi.Output<number | null>;
  /**
   * Id of this instance of the set. Its objects have it as an annotation; it never deletes objects with another id.
   */
  declare public readonly ownerId: pulumi.Output<string>;
  /** UID of the cluster. Undefined if the kubeconfig's user may not read it. */
  declare public readonly clusterUid: pulumi.Output<string | undefined>;
  /** Generation of the record of its owner in the cluster after the last change. */
  declare public readonly generation: pulumi.Output<number | undefined>;
  /**
   * If set (`{}`), a failure does not stop other resources; the output of the same name has the result. Default: a
   * failure fails the update.
   */
  declare public readonly outcome: pulumi.Output<Outcome | undefined>;

  constructor(name: string, args: ManifestSetArgs, opts?: pulumi.CustomResourceOptions) {
    super(
      "stackyard:index:ManifestSet",
      name,
      {
        ...args,
        kubeconfig: args.kubeconfig === undefined ? undefined : pulumi.secret(args.kubeconfig),
        outcome: args.outcome,
        inventory: undefined,
        storageBytes: undefined,
        ownerId: undefined,
        clusterUid: undefined,
        generation: undefined,
      },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["kubeconfig", "kept"] }),
    );
  }
}
