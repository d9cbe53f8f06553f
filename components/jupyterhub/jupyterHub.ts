import { createHmac, randomBytes } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { Release } from "@pulumi/kubernetes/helm/v3/release";
import { chartSource, type Charts } from "../charts/charts";
import type { Cluster } from "../cluster/cluster";
import { namespaceObjects } from "../namespaces/plan";
import type { DataPart } from "../resources/dataGuard";
import { dataPart } from "../resources/guard/guardData";
import { ManifestSet } from "../resources/manifestSet";
import { component } from "../resources/package";
import { mergeValues, type Values } from "../charts/merge";
import { loadBalancer } from "./loadBalancer";
import { HUB_SECRET, planSecret, planValues, type Tokens } from "./plan";
import { withRayFiles } from "./rayAccess";
import { raySecret, type NotebookRay } from "./raySecret";
import type { JupyterHubSettings } from "./settings";

const NAMESPACE_SET = "namespace";

export interface JupyterHubArgs {
  /** Where it runs. */
  readonly cluster: Cluster;
  /** The fetched charts; the upstream one is among them. */
  readonly charts: Charts;
  /** Plain, because the shape of the graph depends on it; the client secret in it is made secret here. */
  readonly settings: JupyterHubSettings;
  /** ARNs of the roles for data by the name of their entry; needed when the settings name one. */
  readonly roleArns?: pulumi.Input<Record<string, string>>;
  /** Ray cluster that notebooks reach without typing an address. Default: none. */
  readonly ray?: NotebookRay;
}

/** JupyterHub by the upstream chart in our wrapper, with its secrets beside the release instead of in it. */
export class JupyterHub extends pulumi.ComponentResource {
  /** Where people go: the public URL, or the command that forwards a port where there is none. */
  public readonly url: pulumi.Output<string>;
  public readonly namespace: pulumi.Output<string>;
  /** Name or address of the load balancer, which the host must lead to; undefined if there is none. */
  public readonly loadBalancer: pulumi.Output<string> | undefined;
  /** What of it holds data. */
  public readonly dataParts: readonly DataPart[];

  constructor(name: string, args: JupyterHubArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("JupyterHub"), name, {}, opts);
    const { settings, cluster } = args;
    const { namespace } = settings;

    const ground = this.makeNamespace(name, args);
    const data = this.tokens(name).apply((tokens) => planSecret(settings, tokens));
    const secret = new ManifestSet(
      `${name}-secret`,
      { ...cluster.access, name: "jupyterhub-secret", namespace, objects: pulumi.secret([secretObject(data)]) },
      { parent: this, dependsOn: ground },
    );
    // Where the config holds encrypted values, any of the user's own may be one.
    const own = settings.valuesAreSecret ? pulumi.secret(settings.values) : settings.values;
    const ray = settings.ray ? args.ray : undefined;
    const fromRay = ray && raySecret(`${name}-ray`, { cluster, namespace, ray }, { parent: this, dependsOn: ground });
    const inputs = pulumi.all([checksumOf(data), roleOf(args), own]);
    const values = inputs.apply(([secretChecksum, roleArn, users]) => {
      // The user's values are the upstream chart's, and last.
      const planned = planValues(settings, { secretChecksum, roleArn, ray: ray?.access });
      const { jupyterhub, ...wrapper } = mergeValues(planned, { jupyterhub: users });
      return { ...wrapper, jupyterhub: withRayFiles(jupyterhub as Values, ray?.access) };
    });
    const release = new Release(
      `${name}-release`,
      {
        name: settings.releaseName,
        namespace,
        ...chartSource("jupyterhub", args.charts),
        values,
        atomic: true,
        cleanupOnFail: true,
        maxHistory: 5,
        timeout: settings.timeoutSeconds,
      },
      {
        parent: this,
        provider: cluster.provider,
        dependsOn: [ground, secret, ...(fromRay ? [fromRay] : [])],
        // In another namespace it has the same names of what belongs to no namespace.
        deleteBeforeReplace: true,
      },
    );

    this.dataParts = [
      dataPart(cluster.access, { type: "release", namespace, name: settings.releaseName }),
      ...(settings.keepVolumes
        ? []
        : [dataPart(cluster.access, { type: "set", namespace, name: NAMESPACE_SET, inventory: ground.inventory })]),
    ];
    this.loadBalancer = loadBalancer(`${name}-public`, { cluster, settings, release }, { parent: this });
    this.namespace = pulumi.output(namespace);
    this.url = pulumi.output(urlOf(settings));
    this.registerOutputs({ url: this.url, namespace: this.namespace });
  }

  /** User volumes are in it: unless instructed otherwise it stays when the component goes, and with it it protects them. */
  private makeNamespace(name: string, { cluster, settings }: JupyterHubArgs): ManifestSet {
    const { namespace, keepVolumes, protection, metadataBlock } = settings;
    // The init container that sets up iptables is privileged.
    const passes = metadataBlock === "iptables" ? "privileged" : "baseline";
    const objects = namespaceObjects(namespace, [{ kind: "jupyterhub", config: protection, passes }]);
    return new ManifestSet(
      `${name}-namespace`,
      { ...cluster.access, name: NAMESPACE_SET, namespace, objects, protectData: !keepVolumes },
      { parent: this, retainOnDelete: keepVolumes },
    );
  }

  /** Kept by the engine in the stack's state, encrypted; `pulumi up --replace` of it makes new ones. */
  private tokens(name: string): pulumi.Output<Tokens> {
    const fresh: Tokens = { cookieSecret: randomBytes(32).toString("hex"), cryptKey: randomBytes(32).toString("hex") };
    const options = { parent: this, ignoreChanges: ["input"], additionalSecretOutputs: ["input", "output"] };
    const stash = new pulumi.Stash(`${name}-tokens`, { input: pulumi.secret(fresh) }, options);
    return pulumi.secret(stash.output as pulumi.Output<Tokens>);
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

/** Says nothing of the secret to anybody who has not got it, so it may be read. */
function checksumOf(data: pulumi.Output<Record<string, string>>): pulumi.Output<string> {
  const sum = data.apply((texts) => {
    const key = texts["hub.config.JupyterHub.cookie_secret"] ?? "";
    return createHmac("sha256", key).update(JSON.stringify(texts)).digest("hex").slice(0, 16);
  });
  return pulumi.unsecret(sum);
}

/** The role of the notebooks' service account, where one is named. */
function roleOf({ settings, roleArns }: JupyterHubArgs): pulumi.Input<string | undefined> {
  const { roleEntry } = settings;
  return roleEntry === undefined ? undefined : pulumi.output(roleArns).apply((arns) => arns?.[roleEntry]);
}

const urlOf = ({ host, https, namespace }: JupyterHubSettings): string =>
  host === undefined
    ? `http://localhost:8000 after: kubectl port-forward --namespace ${namespace} service/proxy-public 8000:http`
    : `${https.type === "off" ? "http" : "https"}://${host}/`;
