// Generated from provider/resources/*/schema.ts by `npm run generate`; a test keeps it true.

import * as pulumi from "@pulumi/pulumi";
import type { Outcome } from "./outcome";

/** Where and how long to knock before a set counts as ready. */
export interface Ping {
  /** Full URL; anything but a connection error, 429 or 5xx counts as an answer. */
  readonly url: pulumi.Input<string>;
}

export interface ManifestSetArgs {
  /** Kubeconfig (YAML text); a secret. Default: the cluster that the program itself runs in. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current one. */
  readonly context?: pulumi.Input<string>;
  /**
   * Address of the cluster (its server URL). Another cluster, by its UID, replaces the resource; another address does
   * not.
   */
  readonly cluster: pulumi.Input<string>;
  /** Name of the set, DNS-1123, unique in its namespace; owns the objects. Changing it replaces the set. */
  readonly name: pulumi.Input<string>;
  /** Namespace of objects that name none. Changing it replaces the set. */
  readonly namespace: pulumi.Input<string>;
  /** The manifests, complete Kubernetes objects. Applied in the given order, server-side. */
  readonly objects: pulumi.Input<pulumi.Input<Record<string, unknown>>[]>;
  /**
   * User to impersonate in the cluster; `system:serviceaccount:<namespace>:<name>` for a ServiceAccount. Default: the
   * kubeconfig's.
   */
  readonly as?: pulumi.Input<string>;
  /** Seconds until everything has to be ready. Default: 300. */
  readonly timeoutSeconds?: pulumi.Input<number>;
  /** Asked after everything is rolled out. Default: not asked. */
  readonly ping?: pulumi.Input<Ping>;
  /**
   * `Retain` or `Delete`: what becomes of claims on destroy. Default: what the StatefulSet's own policy says; claims
   * in `objects` are deleted.
   */
  readonly claimsWhenDeleted?: pulumi.Input<string>;
  /** `Refuse` or `Keep`: what becomes of an update that asks for smaller claims than there are. Default: Refuse. */
  readonly claimsWhenSmaller?: pulumi.Input<string>;
  /** Whether a change that would replace the set is made. False: it is an error. Default: true. */
  readonly allowMove?: pulumi.Input<boolean>;
  /**
   * Owner id (`stackyard.dev/owner-id`) of objects of this set that are there already, as after its state got lost:
   * creating the set takes them over as they are and applies nothing. Afterwards it does nothing. Default: the
   * objects are made.
   */
  readonly adopt?: pulumi.Input<string>;
  /** Kept in the state with the resource; applied nowhere. Its member `change` never causes an update by itself. */
  readonly record?: pulumi.Input<Record<string, unknown>>;
  /**
   * Whether what left the set is removed before the new objects are applied, because both can't be at the same time.
   * Default: false, it is removed when the new ones are ready.
   */
  readonly removeFirst?: pulumi.Input<boolean>;
  /**
   * Whether claims are deleted only when `stackyard:allowDataLoss` of the stack's config names them. Default: false.
   */
  readonly protectData?: pulumi.Input<boolean>;
  /**
   * Given (`{}`): a failure stops no other resource, and the output of that name says how it went. Default: it fails
   * the update.
   */
  readonly outcome?: pulumi.Input<Outcome>;
}

/** A set of Kubernetes manifests applied, awaited, changed and deleted as one. */
export class ManifestSet extends pulumi.CustomResource {
  /** What is in the cluster: `apps/v1/StatefulSet/namespace/name`, in order of application. */
  declare public readonly inventory: pulumi.Output<string[]>;
  /** Sum of what the bound claims really have, in bytes; null when the set has none. */
  declare public readonly storageBytes: pulumi.Output<number | null>;
  /**
   * Which instance of the set this is: its objects are annotated with it, and it deletes none that has another one's.
   */
  declare public readonly ownerId: pulumi.Output<string>;
  /** UID of the cluster; undefined where the kubeconfig's user may not read it. */
  declare public readonly clusterUid: pulumi.Output<string | undefined>;
  /**
   * Given (`{}`): a failure stops no other resource, and the output of that name says how it went. Default: it fails
   * the update.
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
      },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["kubeconfig", "kept"] }),
    );
  }
}
