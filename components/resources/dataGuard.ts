// Generated from provider/resources/*/*Schema.ts by `npm run generate`; a test keeps it true.

import * as pulumi from "@pulumi/pulumi";

/** A part of a platform that holds data. */
export interface DataPart {
  /** Kubeconfig (YAML text); a secret. Default: the cluster that the program itself runs in. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current context. */
  readonly context?: pulumi.Input<string>;
  /** `set`: a ManifestSet; `bundle`: a BundleRelease; `release`: a Helm release; `shoot`: a Shoot. */
  readonly type: string;
  /** Namespace of the set, bundle, release or Shoot. */
  readonly namespace: string;
  /** Name of the set, bundle, release or Shoot. */
  readonly name: string;
  /** Objects of a set. */
  readonly inventory?: pulumi.Input<pulumi.Input<string>[]>;
  /** Of a bundle: kinds that are deleted even with objects of other owners in them. Default: none. */
  readonly allowDeletion?: readonly string[];
  /** Of a bundle: objects that it takes over from other owners. Default: none. */
  readonly adopt?: readonly string[];
  /** Its owner in the stack. Default: it is not compared with the record in the cluster. */
  readonly owner?: pulumi.Input<PartOwner>;
}

/** The owner of a part, as its record names it. */
export interface PartOwner {
  /** Of a release: namespace of the set that records its owner. Default: that of the release. */
  readonly namespace?: pulumi.Input<string>;
  /** Of a release: name of the set that records its owner. */
  readonly set?: pulumi.Input<string>;
  /** Its owner id. */
  readonly id: pulumi.Input<string>;
  /** Generation of its record; 0 if it has none yet. */
  readonly generation: pulumi.Input<number>;
  /** Of a release: its URN. */
  readonly urn?: pulumi.Input<string>;
}

export interface DataGuardArgs {
  /** Kubeconfig (YAML text); a secret. Default: the cluster that the program itself runs in. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current context. */
  readonly context?: pulumi.Input<string>;
  /** All parts. The preview checks parts that are missing in the next update, because they will be deleted. */
  readonly parts: readonly DataPart[];
}

/**
 * Prevents the deletion of parts of a platform with PersistentVolumeClaims that `stackyard:allowDataLoss` in the
 * stack's config does not name. It must depend on the parts, so that it is deleted before them.
 */
export class DataGuard extends pulumi.CustomResource {
  constructor(name: string, args: DataGuardArgs, opts?: pulumi.CustomResourceOptions) {
    super(
      "stackyard:index:DataGuard",
      name,
      {
        ...args,
        kubeconfig: args.kubeconfig === undefined ? undefined : pulumi.secret(args.kubeconfig),
        parts: args.parts.map((each) => ({
          ...each,
          kubeconfig: each.kubeconfig === undefined ? undefined : pulumi.secret(each.kubeconfig),
        })),
      },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["kubeconfig"] }),
    );
  }
}
