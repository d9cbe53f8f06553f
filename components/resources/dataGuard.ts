// Generated from provider/resources/*/schema.ts by `npm run generate`; a test keeps it true.

import * as pulumi from "@pulumi/pulumi";

/** A part of a platform that holds data. */
export interface DataPart {
  /** Kubeconfig (YAML text); a secret. Default: the cluster that the program itself runs in. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current one. */
  readonly context?: pulumi.Input<string>;
  /** `set`: a ManifestSet; `bundle`: a BundleRelease; `release`: a Helm release. */
  readonly type: string;
  /** Namespace of the set, bundle or release. */
  readonly namespace: string;
  /** Name of the set, bundle or release. */
  readonly name: string;
  /** Of a set: what is in it. */
  readonly inventory?: pulumi.Input<pulumi.Input<string>[]>;
  /** Of a bundle: kinds that are removed also with what others have in them. Default: none. */
  readonly allowDeletion?: readonly string[];
  /** Of a bundle: what it takes over from others. Default: nothing. */
  readonly adopt?: readonly string[];
}

export interface DataGuardArgs {
  /** Kubeconfig (YAML text); a secret. Default: the cluster that the program itself runs in. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current one. */
  readonly context?: pulumi.Input<string>;
  /** All parts. One that is missing in the next update is going to be deleted, and is looked at in the preview. */
  readonly parts: readonly DataPart[];
}

/**
 * Refuses that parts of a platform are deleted with claims that `stackyard:allowDataLoss` of the stack's config
 * does not name. It has to depend on the parts, so that it is deleted before them.
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
