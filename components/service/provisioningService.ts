import { randomBytes } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { keptSecret } from "../../foundation/pulumi/keptSecret";
import type { Cluster } from "../cluster/cluster";
import { namespaceObjects } from "../namespaces/plan";
import { ManifestSet } from "../resources/manifestSet";
import { ownStack } from "../resources/ownState";
import { component } from "../resources/package";
import { renderedChart } from "../charts/rendered";
import { SERVICE, type ServiceSecrets, type ServiceSettings } from "./config/schema";
import { chartValues, checksumOf, inSteps, secretObject, type Manifest } from "./plan";

export interface ProvisioningServiceArgs {
  /** The cluster to install on. */
  readonly cluster: Cluster;
  /** Plain, because the chart is rendered with it. The component marks the secrets in it as secret. */
  readonly settings: ServiceSettings;
}

/** How to reach the service. */
export interface ServiceEndpoint {
  readonly namespace: string;
  /**
   * URL of the status page; the API is at /graphql. Without an Ingress, it is reachable only from pods of the cluster.
   */
  readonly url: string;
  /** Command that forwards a local port to the service. */
  readonly forward: string;
}

/**
 * The provisioning service, installed by `charts/service`: its Secret, its migrations as a Job, then its pods and other
 * objects.
 */
export class ProvisioningService extends pulumi.ComponentResource {
  /** Resolves when the service is ready. */
  public readonly endpoint: pulumi.Output<ServiceEndpoint>;

  constructor(name: string, args: ProvisioningServiceArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("ProvisioningService"), name, {}, opts);
    const { cluster, settings } = args;
    const { namespace, timeoutSeconds, secrets } = settings;
    const common = { ...cluster.access, namespace, timeoutSeconds };
    const ground = settings.createNamespace ? [this.createNamespace(name, args)] : [];
    const secret = secrets && [
      new ManifestSet(
        `${name}-secret`,
        {
          ...common,
          name: `${SERVICE}-secret`,
          objects: pulumi.secret([secretObject(settings.secretName, secrets)]),
        },
        { parent: this, dependsOn: ground },
      ),
    ];
    const objects = this.rendered(name, args).apply(inSteps);
    const migrations = new ManifestSet(
      `${name}-migrations`,
      {
        ...common,
        name: `${SERVICE}-migrations`,
        objects: objects.apply((steps) => steps.migrations),
      },
      { parent: this, dependsOn: [...ground, ...(secret ?? [])] },
    );
    const set = new ManifestSet(
      `${name}-objects`,
      { ...common, name: SERVICE, objects: objects.apply((steps) => steps.rest) },
      { parent: this, dependsOn: migrations },
    );
    this.endpoint = set.urn.apply(() => endpointOf(settings));
    this.registerOutputs({ endpoint: this.endpoint });
  }

  /**
   * Creates the namespace. It is kept when the service is removed, because other objects may be in it, such as the
   * database.
   */
  private createNamespace(name: string, { cluster, settings }: ProvisioningServiceArgs): ManifestSet {
    const { namespace, protection } = settings;
    const objects = namespaceObjects(namespace, [{ kind: "service", config: protection, passes: "restricted" }]);
    return new ManifestSet(
      `${name}-namespace`,
      { ...cluster.access, name: "namespace", namespace, objects, shared: true, retained: true },
      { parent: this },
    );
  }

  /** The chart's objects, rendered with Helm's template engine. Unknown in a preview that creates the cluster. */
  private rendered(name: string, { cluster, settings }: ProvisioningServiceArgs): pulumi.Output<Manifest[]> {
    const { namespace, secrets, serviceMonitor } = settings;
    // The kubeconfig is secret, but whether the cluster has a kind is not.
    const monitored = pulumi.unsecret(pulumi.output(serviceMonitor.enabled ?? this.servesMonitors(cluster)));
    const secretChecksum = secrets && this.checksum(name, secrets);
    const platform = ownStack();
    return pulumi.all([monitored, secretChecksum]).apply(([isMonitored, sum]) => {
      const values = chartValues(settings, { platform, secretChecksum: sum, monitored: isMonitored });
      const question = { chart: "service", releaseName: SERVICE, namespace, values };
      return renderedChart("stackyard:service", question, { parent: this });
    });
  }

  private servesMonitors({ access }: Cluster): pulumi.Output<boolean> {
    return pulumi.all([access.kubeconfig, access.context]).apply(async ([kubeconfig, context]) => {
      const question = { kubeconfig, context, group: "monitoring.coreos.com", kind: "ServiceMonitor" };
      const answer = pulumi.runtime.invoke("stackyard:index:servesKind", question, { parent: this });
      return ((await answer) as { readonly served: boolean }).served;
    });
  }

  /** Keyed with a value that the state stores encrypted, so that pods reveal nothing about the secrets. */
  private checksum(name: string, secrets: ServiceSecrets): pulumi.Output<string> {
    const kept = keptSecret(`${name}-key`, randomBytes(32).toString("hex"), this);
    return pulumi.unsecret(kept.apply((key) => checksumOf(secrets, key)));
  }
}

const endpointOf = ({ namespace, ingress }: ServiceSettings): ServiceEndpoint => ({
  namespace,
  url: ingress
    ? `${ingress.tlsSecretName === "" ? "http" : "https"}://${ingress.host}/`
    : `http://${SERVICE}.${namespace}.svc/`,
  forward: `kubectl -n ${namespace} port-forward service/${SERVICE} 3000:http`,
});
