// Generated from provider/resources/*/schema.ts by `npm run generate`; a test keeps it true.

import * as pulumi from "@pulumi/pulumi";

/** An asset bundle of a job. */
export interface TerasliceAsset {
  /** Path of the zip file, relative to the folder of the program. */
  readonly path: string;
  /** SHA-256 of its content, hexadecimal; another one is handed over again. */
  readonly sha256: string;
}

export interface TerasliceJobArgs {
  /** Kubeconfig (YAML text); a secret. Default: the cluster that the program itself runs in. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current one. */
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
  /** Finds the job again at the master: the job has it as its label `stackyard`. Changing it replaces the job. */
  readonly owner: pulumi.Input<string>;
  /** The job as the master is sent it, without `job_id`. */
  readonly job: pulumi.Input<Record<string, unknown>>;
  /** `running` or `registered`. Default: `running`. */
  readonly state?: pulumi.Input<string>;
  /** Asset bundles, handed over before the job is registered. Default: none. */
  readonly assets?: pulumi.Input<pulumi.Input<TerasliceAsset>[]>;
  /**
   * What the master will make of it, as the documents of a YAML text: for preview, and for the check whether it can
   * run. A text, because a thousand jobs of plain objects would take the engine half a minute. Default: nothing.
   */
  readonly footprint?: pulumi.Input<string>;
  /** Seconds until it has to run, or to be gone. Default: 600. */
  readonly timeoutSeconds?: pulumi.Input<number>;
  /** Seconds that the master itself lets an answer take. Default: 300, as Teraslice has it. */
  readonly responseSeconds?: pulumi.Input<number>;
}

/** A job registered with a Teraslice master, and run as wanted. */
export class TerasliceJob extends pulumi.CustomResource {
  /** The id that the master gave it. */
  declare public readonly jobId: pulumi.Output<string>;
  /** UID of the cluster; undefined where the kubeconfig's user may not read it. */
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
