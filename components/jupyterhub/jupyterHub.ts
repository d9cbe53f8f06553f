import { createHmac, randomBytes } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import type { Charts } from "../charts/charts";
import type { Cluster } from "../cluster/cluster";
import { createRelease, releaseOf } from "../cluster/ownedRelease";
import { namespaceObjects } from "../namespaces/plan";
import type { DataPart } from "../resources/dataGuard";
import { dataPart, partOwner } from "../resources/guard/dataPart";
import { ManifestSet } from "../resources/manifestSet";
import { component } from "../resources/package";
import { mergeValues, type Values } from "../../foundation/json/merge";
import { keptSecret } from "../../foundation/pulumi/keptSecret";
import { SECRET_SET } from "./clusterObjects";
import { loadBalancer } from "./loadBalancer";
import { HUB_SECRET, planSecret, planValues, type Tokens } from "./plan";
import { withRayFiles } from "./rayAccess";
import { rayPolicy, raySecret, type NotebookRay } from "./raySecret";
import type { JupyterHubSettings } from "./settings";

const NAMESPACE_SET = "namespace";

export interface JupyterHubArgs {
  /** The cluster to install on. */
  readonly cluster: Cluster;
  /** The fetched charts, including the upstream one. */
  readonly charts: Charts;
  /** Plain, because the shape of the graph depends on it. The component marks the client secret in it as secret. */
  readonly settings: JupyterHubSettings;
  /** ARNs of the IAM roles for data, by `dataAccess` entry. Required if the settings name an entry. */
  readonly roleArns?: pulumi.Input<Record<string, string>>;
  /** Ray cluster that notebooks connect to by default. Default: none. */
  readonly ray?: NotebookRay;
}

/**
 * JupyterHub, installed by the upstream chart in our wrapper. Its secrets are in a separate Secret instead of the
 * release's values.
 */
export class JupyterHub extends pulumi.ComponentResource {
  /** The public URL, or the command that forwards a port if there is none. */
  public readonly url: pulumi.Output<string>;
  public readonly namespace: pulumi.Output<string>;
  /** Host name or address of the load balancer, which the public host must resolve to; undefined if there is none. */
  public readonly loadBalancer: pulumi.Output<string> | undefined;
  /** The parts that hold data. */
  public readonly dataParts: readonly DataPart[];

  constructor(name: string, args: JupyterHubArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("JupyterHub"), name, {}, opts);
    const { settings, cluster } = args;
    const { namespace } = settings;

    const ground = this.createNamespace(name, args);
    const data = this.tokens(name).apply((tokens) => planSecret(settings, tokens));
    // If the config contains encrypted values, any user value may be one.
    const own = settings.valuesAreSecret ? pulumi.secret(settings.values) : settings.values;
    const ray = settings.ray ? args.ray : undefined;
    const shared = { parent: this, dependsOn: ground };
    const fromRay = ray
      ? [raySecret, rayPolicy].flatMap((make) => make(`${name}-ray`, { cluster, namespace, ray }, shared) ?? [])
      : [];
    const inputs = pulumi.all([checksumOf(data), roleOf(args), own]);
    const values = inputs.apply(([secretChecksum, roleArn, users]) => {
      // The user's values are for the upstream chart, and are merged last.
      const planned = planValues(settings, { secretChecksum, roleArn, ray: ray?.access });
      const { jupyterhub, ...wrapper } = mergeValues(planned, { jupyterhub: users });
      return { ...wrapper, jupyterhub: withRayFiles(jupyterhub as Values, ray?.access) };
    });
    const { timeoutSeconds, releaseName } = settings;
    const account = { release: releaseName, namespace };
    const plan = { cluster, charts: args.charts, chart: "jupyterhub", account, values, timeoutSeconds } as const;
    const owner = { namespace, name: SECRET_SET };
    const objects = pulumi.secret([secretObject(data)]);
    const secret = new ManifestSet(
      `${name}-secret`,
      { ...cluster.access, ...owner, objects, release: releaseOf(plan) },
      { parent: this, dependsOn: ground },
    );
    const { release, dataPart: part } = createRelease(
      `${name}-release`,
      { ...plan, owner: { ...owner, set: secret } },
      {
        parent: this,
        dependsOn: [ground, ...fromRay],
        // A release in another namespace has cluster-scoped objects of the same names.
        deleteBeforeReplace: true,
      },
    );

    const { inventory } = ground;
    const groundPart = { type: "set", namespace, name: NAMESPACE_SET, inventory, owner: partOwner(ground) };
    this.dataParts = [part, ...(settings.keepVolumes ? [] : [dataPart(cluster.access, groundPart)])];
    this.loadBalancer = loadBalancer(`${name}-public`, { cluster, settings, release }, { parent: this });
    this.namespace = pulumi.output(namespace);
    this.url = pulumi.output(urlOf(settings));
    this.registerOutputs({ url: this.url, namespace: this.namespace });
  }

  /**
   * Creates the namespace. It contains user volumes: it is kept when the component is removed, unless configured
   * otherwise, and so are they.
   */
  private createNamespace(name: string, { cluster, settings }: JupyterHubArgs): ManifestSet {
    const { namespace, keepVolumes, protection, metadataBlock } = settings;
    // The init container that sets up iptables is privileged.
    const passes = metadataBlock === "iptables" ? "privileged" : "baseline";
    const objects = namespaceObjects(namespace, [{ kind: "jupyterhub", config: protection, passes }]);
    const kept = { shared: keepVolumes, retained: keepVolumes, protectData: !keepVolumes };
    const set = { ...cluster.access, name: NAMESPACE_SET, namespace, objects, ...kept };
    return new ManifestSet(`${name}-namespace`, set, { parent: this });
  }

  private tokens(name: string): pulumi.Output<Tokens> {
    const fresh: Tokens = { cookieSecret: randomBytes(32).toString("hex"), cryptKey: randomBytes(32).toString("hex") };
    return keptSecret(`${name}-tokens`, fresh, this);
  }
}

function secretObject(data: pulumi.Output<Record<string, string>>) {
  const encode = (text: string): string => Buffer.from(text).toString("base64");
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: HUB_SECRET },
    type: "Opaque",
    data: data.apply((texts) => Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, encode(text)]))),
  };
}

/** Keyed with a secret value, so the checksum reveals nothing about the secrets. */
function checksumOf(data: pulumi.Output<Record<string, string>>): pulumi.Output<string> {
  const sum = data.apply((texts) => {
    const key = texts["hub.config.JupyterHub.cookie_secret"] ?? "";
    return createHmac("sha256", key).update(JSON.stringify(texts)).digest("hex").slice(0, 16);
  });
  return pulumi.unsecret(sum);
}

/** The role of the notebooks' service account, if the settings name one. */
function roleOf({ settings, roleArns }: JupyterHubArgs): pulumi.Input<string | undefined> {
  const { roleEntry } = settings;
  return roleEntry === undefined ? undefined : pulumi.output(roleArns).apply((arns) => arns?.[roleEntry]);
}

const urlOf = ({ host, https, namespace }: JupyterHubSettings): string =>
  host === undefined
    ? `http://localhost:8000 after: kubectl port-forward --namespace ${namespace} service/proxy-public 8000:http`
    : `${https.type === "off" ? "http" : "https"}://${host}/`;
