import { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { ManifestSet } from "../resources/manifestSet";
import { component } from "../resources/package";
import type { Template } from "./platform";
import { type ChartValues, renderRuntime } from "./render";

export interface KubernetesRuntimeArgs {
  /** Kubeconfig (YAML text); a secret. Left out: the cluster that the program itself runs in. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current one. */
  readonly context?: pulumi.Input<string>;
  /** Identity of the cluster (its server URL). Changing it replaces the runtime, new one first. */
  readonly cluster: pulumi.Input<string>;
  /** Namespace, which must exist. Changing it replaces the runtime, new one first. */
  readonly namespace: pulumi.Input<string>;
  /** Id that the objects are named by: a DNS-1123 label of at most 40 characters. */
  readonly provisionId: pulumi.Input<string>;
  /** Image without tag. */
  readonly image: pulumi.Input<string>;
  /** Tag of the image. */
  readonly imageTag: pulumi.Input<string>;
  /** URL of the runtime. */
  readonly host: pulumi.Input<string>;
  /** Audience (JWT) of the runtime. Default: the host. */
  readonly audienceUrl?: pulumi.Input<string>;
  /** Number of slots, 1 or more. */
  readonly slots: pulumi.Input<number>;
  /** CPUs. */
  readonly cpu: pulumi.Input<number>;
  /** Memory in GB. */
  readonly memoryGb: pulumi.Input<number>;
  /** Disk in bytes. May grow; less than what is there is refused. */
  readonly storageBytes: pulumi.Input<number>;
  /** Directory for data. */
  readonly dataDir: pulumi.Input<string>;
  /** Environment, such as `prod`. */
  readonly environment: pulumi.Input<string>;
  /** Annotations of the deployment, for the templates. Default: none. */
  readonly annotations?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Go templates of the objects. Default: the built-in ones. */
  readonly templates?: pulumi.Input<pulumi.Input<Template>[]>;
  /** Path on the host that answers once the runtime is up. Left out: it is ready when it is rolled out. */
  readonly ping?: pulumi.Input<string>;
  /** True scales to zero and keeps the disk. Default: false. */
  readonly hibernated?: pulumi.Input<boolean>;
  /** Seconds until everything has to be ready. Default: 300. */
  readonly timeoutSeconds?: pulumi.Input<number>;
  /** `Retain` or `Delete`: what becomes of the disk on destroy. Default: what the templates say. */
  readonly claimsWhenDeleted?: pulumi.Input<string>;
}

/**
 * A runtime of its own in a Kubernetes cluster: the provisioner's templates rendered, applied, and awaited until they
 * are ready. Changes are made in place and never lose the disk.
 */
export class KubernetesRuntime extends pulumi.ComponentResource {
  /** Sum of what the bound claims really have, in bytes; null when there is none. */
  readonly storageBytes: pulumi.Output<number | null>;
  /** What is in the cluster: `apps/v1/StatefulSet/namespace/name`. */
  readonly inventory: pulumi.Output<string[]>;

  constructor(name: string, args: KubernetesRuntimeArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("KubernetesRuntime"), name, {}, opts);

    // Lends its template engine only. A kubeconfig that is none keeps it from every cluster, the user's own too.
    const engine = new Provider(
      `${name}-templates`,
      { kubeconfig: "none: templates are rendered without a cluster" },
      { parent: this },
    );
    const objects = pulumi
      .output({ values: chartValues(args), namespace: args.namespace, templates: args.templates ?? [] })
      .apply(({ values, namespace, templates }) =>
        renderRuntime(values, namespace, templates, { parent: this, provider: engine }),
      );

    const { host, ping, hibernated } = args;
    const pingUrl = pulumi
      .all([host, ping, hibernated])
      .apply(([host, ping, hibernated]) =>
        ping === undefined || hibernated === true ? undefined : { url: joinUrl(host, ping) },
      );
    const set = new ManifestSet(
      `${name}-objects`,
      {
        kubeconfig: args.kubeconfig,
        context: args.context,
        cluster: args.cluster,
        set: pulumi.interpolate`runtime-${args.provisionId}`,
        namespace: args.namespace,
        objects,
        timeoutSeconds: args.timeoutSeconds,
        ping: pingUrl as pulumi.Output<{ url: string }>,
        claimsWhenDeleted: args.claimsWhenDeleted,
      },
      { parent: this },
    );
    this.storageBytes = set.storageBytes;
    this.inventory = set.inventory;
    this.registerOutputs({ storageBytes: this.storageBytes, inventory: this.inventory });
  }
}

/** Values of the chart, with every default filled in. */
function chartValues(args: KubernetesRuntimeArgs): { readonly [K in keyof ChartValues]: pulumi.Input<ChartValues[K]> } {
  return {
    provisionId: args.provisionId,
    image: args.image,
    imageTag: args.imageTag,
    host: args.host,
    audienceUrl: args.audienceUrl ?? args.host,
    slots: args.slots,
    cpu: args.cpu,
    memoryGb: args.memoryGb,
    storageBytes: args.storageBytes,
    dataDir: args.dataDir,
    environment: args.environment,
    annotations: pulumi.output(args.annotations ?? {}),
    ping: pulumi.output(args.ping).apply((ping) => ping ?? ""),
    hibernated: pulumi.output(args.hibernated).apply((hibernated) => hibernated ?? false),
  };
}

const joinUrl = (host: string, path: string): string => `${host.replace(/\/+$/, "")}/${path.replace(/^\/+/, "")}`;
