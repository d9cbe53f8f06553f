// Generated from provider/resources/*/*Schema.ts by `npm run generate`; a test keeps it true.

import * as pulumi from "@pulumi/pulumi";

/** The folder of a job. */
export interface RayWorkingDir {
  /** Path of the folder, relative to the folder of the program. */
  readonly path: string;
  /** SHA-256 of its content, hexadecimal. A change submits the job again. */
  readonly sha256: string;
}

export interface RayJobArgs {
  /** Kubeconfig (YAML text); a secret. Default: the cluster that the program itself runs in. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current context. */
  readonly context?: pulumi.Input<string>;
  /**
   * Address of the cluster (its server URL). Another cluster, by its UID, replaces the resource; another address does
   * not.
   */
  readonly cluster: pulumi.Input<string>;
  /** Namespace of the Ray cluster. Changing it replaces the job. */
  readonly namespace: pulumi.Input<string>;
  /**
   * Service of the cluster's head, which is reached through the Kubernetes API server. Changing it replaces the job.
   */
  readonly service: pulumi.Input<string>;
  /** Port of the dashboard at the Service. Default: 8265. */
  readonly port?: pulumi.Input<number>;
  /** Secret in the namespace with the cluster's token in its key `auth_token`. Default: the cluster requires none. */
  readonly tokenSecret?: pulumi.Input<string>;
  /**
   * Identifies the job in the Ray cluster: its runs have it as the metadata `stackyard`. Changing it replaces the
   * job.
   */
  readonly owner: pulumi.Input<string>;
  /** Command line that Ray runs in a shell. */
  readonly entrypoint: pulumi.Input<string>;
  /** Folder that the job runs in a copy of. Default: none, or `working_dir` of `runtimeEnv`. */
  readonly workingDir?: pulumi.Input<RayWorkingDir>;
  /** Runtime environment, with the keys that Ray documents, such as `pip` and `env_vars`. Default: none. */
  readonly runtimeEnv?: pulumi.Input<Record<string, unknown>>;
  /** CPUs that the entrypoint itself reserves. Default: none; it runs on the head. */
  readonly cpus?: pulumi.Input<number>;
  /** GPUs that the entrypoint itself reserves. Default: none. */
  readonly gpus?: pulumi.Input<number>;
  /** Memory in GB that the entrypoint itself reserves. Default: none. */
  readonly memoryGb?: pulumi.Input<number>;
  /** Custom resources that the entrypoint itself reserves. Default: none. */
  readonly resources?: pulumi.Input<Record<string, pulumi.Input<number>>>;
  /** Metadata that Ray shows with the job. Default: none. */
  readonly metadata?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** How often a failed run is repeated in an update. Default: 0. */
  readonly retries?: pulumi.Input<number>;
  /** `completed` or `running`: what an update waits for. Default: `completed`. */
  readonly waitFor?: pulumi.Input<string>;
  /** Seconds until the job must be completed, or run, with all retries. It is stopped then. Default: 3600. */
  readonly timeoutSeconds?: pulumi.Input<number>;
}

/**
 * A job of a Ray cluster, submitted through Ray's jobs API. A change of what runs submits it again; a deletion
 * stops it.
 */
export class RayJob extends pulumi.CustomResource {
  /** Id of the last run in the Ray cluster. */
  declare public readonly submissionId: pulumi.Output<string>;
  /** Status of the last run: `SUCCEEDED`, or `RUNNING` if the update did not wait for its end. */
  declare public readonly status: pulumi.Output<string>;
  /** UID of the cluster. Undefined if the kubeconfig's user may not read it. */
  declare public readonly clusterUid: pulumi.Output<string | undefined>;

  constructor(name: string, args: RayJobArgs, opts?: pulumi.CustomResourceOptions) {
    super(
      "stackyard:index:RayJob",
      name,
      {
        ...args,
        kubeconfig: args.kubeconfig === undefined ? undefined : pulumi.secret(args.kubeconfig),
        submissionId: undefined,
        status: undefined,
        clusterUid: undefined,
      },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["kubeconfig"] }),
    );
  }
}
