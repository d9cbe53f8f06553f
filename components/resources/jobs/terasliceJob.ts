// Generated from provider/resources/*/*Schema.ts by `npm run generate`; a test keeps it true.

import * as pulumi from "@pulumi/pulumi";

/** An asset bundle of a job. */
export interface TerasliceAsset {
  /** Path of the zip file, relative to the folder of the program. */
  readonly path: string;
  /** SHA-256 of its content, hexadecimal. A change uploads it again. */
  readonly sha256: string;
}

export interface TerasliceJobArgs {
  /** Kubeconfig (YAML text); a secret. Default: the cluster that the program itself runs in. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current context. */
  readonly context?: pulumi.Input<string>;
  /**
   * Address of the cluster (its server URL). Another cluster, by its UID, replaces the resource; another address does
   * not.
   */
  readonly cluster: pulumi.Input<string>;
  /** Namespace of the master and of the pods of jobs. Changing it replaces the job. */
  readonly namespace: pulumi.Input<string>;
  /** Service of the master, which is reached through the Kubernetes API server. Changing it replaces the job. */
  readonly service: pulumi.Input<string>;
  /** Port of the Service. Default: 5678. */
  readonly port?: pulumi.Input<number>;
  /** Identifies the job at the master: the job has it as its label `stackyard`. Changing it replaces the job. */
  readonly owner: pulumi.Input<string>;
  /** The job as sent to the master, without `job_id`. */
  readonly job: pulumi.Input<Record<string, unknown>>;
  /** `running` or `registered`. Default: `running`. */
  readonly state?: pulumi.Input<string>;
  /** Asset bundles to upload before the job is registered. Default: none. */
  readonly assets?: pulumi.Input<pulumi.Input<TerasliceAsset>[]>;
  /**
   * Objects that the master will create for the job, as YAML documents in a string. Used by the preview and to check
   * whether the job can run. It is a string because the engine needs half a minute for the plain objects of a
   * thousand jobs. Default: none.
   */
  readonly footprint?: pulumi.Input<string>;
  /** Seconds until the job must be running, or be gone. Default: 600. */
  readonly timeoutSeconds?: pulumi.Input<number>;
  /** Seconds after which the master gives up on a response. Default: 300, as in Teraslice. */
  readonly responseSeconds?: pulumi.Input<number>;
}

/** A job that is registered with a Teraslice master, and running if requested. */
export class TerasliceJob extends pulumi.CustomResource {
  /** Id of the job at the master. */
  declare public readonly jobId: pulumi.Output<string>;
  /** UID of the cluster. Undefined if the kubeconfig's user may not read it. */
  declare public readonly clusterUid: pulumi.Output<string | undefined>;

  constructor(name: string, args: TerasliceJobArgs, opts?: pulumi.CustomResourceOptions) {
    super(
      "stackyard:index:TerasliceJob",
      name,
      {
        ...args,
        kubeconfig: args.kubeconfig === undefined ? undefined : pulumi.secret(args.kubeconfig),
        jobId: undefined,
        clusterUid: undefined,
      },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["kubeconfig"] }),
    );
  }
}
