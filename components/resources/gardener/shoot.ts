import * as pulumi from "@pulumi/pulumi";
import { SHOOT } from "../tokens";

export interface ShootArgs {
  /** Kubeconfig of the Gardener project (YAML text); a secret. Default: the cluster that the program itself runs in. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current one. */
  readonly context?: pulumi.Input<string>;
  /** Address of Gardener (its server URL). */
  readonly cluster: pulumi.Input<string>;
  /** The Shoot: a complete object with name and namespace. What can't change in place is an error. */
  readonly shoot: pulumi.Input<Record<string, unknown>>;
  /** Operation of the service that changes it, an annotation of the Shoot. */
  readonly operationId?: pulumi.Input<string>;
  /** False returns as soon as Gardener has accepted a change; the next update that waits looks again. Default: true. */
  readonly wait?: pulumi.Input<boolean>;
  /** Seconds by stage, such as `WaitingForClusterCreation`. Default: those of the original Runtime Provisioner. */
  readonly timeouts?: pulumi.Input<Record<string, pulumi.Input<number>>>;
  /** Where audit logs go: tenants by provider of the Seed, then by region. Default: nowhere. */
  readonly auditLogs?: pulumi.Input<Record<string, unknown>>;
  /** Whether a deletion is forced where Gardener can't end it; what is left in the cloud stays there. Default: false. */
  readonly allowForceDeletion?: pulumi.Input<boolean>;
  /** Kept in the state with the resource; applied nowhere. Its member `change` never causes an update by itself. */
  readonly record?: pulumi.Input<Record<string, unknown>>;
}

/** A cluster that Gardener creates; resource of our own provider. It is never replaced. */
export class Shoot extends pulumi.CustomResource {
  /** UID of the Shoot. */
  declare public readonly uid: pulumi.Output<string>;
  /** Domain of the cluster. */
  declare public readonly domain: pulumi.Output<string | undefined>;
  /** Seed of its control plane. */
  declare public readonly seed: pulumi.Output<string | undefined>;
  /** Its Kubernetes version; newer than asked for where Gardener has raised it. */
  declare public readonly kubernetesVersion: pulumi.Output<string>;
  /** URL of its API server. */
  declare public readonly apiServer: pulumi.Output<string | undefined>;
  /** Whether it is hibernated. */
  declare public readonly hibernated: pulumi.Output<boolean>;
  /** CPUs of its least number of nodes; undefined where the CloudProfile can't be read. */
  declare public readonly cpu: pulumi.Output<number | undefined>;
  /** Memory of those in GB. */
  declare public readonly memoryGb: pulumi.Output<number | undefined>;

  constructor(name: string, args: ShootArgs, opts?: pulumi.CustomResourceOptions) {
    super(
      SHOOT,
      name,
      {
        ...args,
        kubeconfig: args.kubeconfig === undefined ? undefined : pulumi.secret(args.kubeconfig),
        uid: undefined,
        generation: undefined,
        domain: undefined,
        seed: undefined,
        kubernetesVersion: undefined,
        apiServer: undefined,
        hibernated: undefined,
        cpu: undefined,
        memoryGb: undefined,
      },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["kubeconfig"] }),
    );
  }
}
