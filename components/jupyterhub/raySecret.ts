import { Secret } from "@pulumi/kubernetes/core/v1/secret";
import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../cluster/cluster";
import type { ClosedRay } from "../contract/site";
import { ManifestSet } from "../resources/manifestSet";
import { shortHash } from "../../foundation/text/legalName";
import { CA_KEYS, notebookPolicy, RAY_SECRET, TOKEN_KEY, type RayAccess } from "./rayAccess";

/** The Ray cluster that notebooks use. */
export interface NotebookRay {
  /** Plain, because the shape of the graph depends on it. */
  readonly access: RayAccess;
  /** Resolves when the cluster and its Secrets exist. */
  readonly ready: pulumi.Input<unknown>;
  /** Its token, if the platform created it. Default: it is read from the Secret that `access` names, if any. */
  readonly token?: pulumi.Output<string> | undefined;
  /** Set if a NetworkPolicy closes its head to other namespaces. */
  readonly closed?: ClosedRay | undefined;
}

interface RaySecretArgs {
  readonly cluster: Cluster;
  /** Namespace of the notebooks. */
  readonly namespace: string;
  readonly ray: NotebookRay;
}

/**
 * Copies token and certificate authority of a Ray cluster to the notebooks' namespace, because pods can mount only
 * Secrets of their own namespace. Undefined if the cluster has neither.
 */
export function raySecret(
  name: string,
  { cluster, namespace, ray: { access, ready, token } }: RaySecretArgs,
  opts: pulumi.CustomResourceOptions,
): ManifestSet | undefined {
  const taken = [
    ...(access.authSecret === undefined || token ? [] : [{ secret: access.authSecret, keys: [TOKEN_KEY] }]),
    ...(access.caSecret === undefined ? [] : [{ secret: access.caSecret, keys: [...CA_KEYS] }]),
  ];
  if (taken.length === 0 && !token) return undefined;
  const known = token?.apply((text) => ({ [TOKEN_KEY]: Buffer.from(text).toString("base64") }));
  const data = pulumi.all([
    ...(known ? [known] : []),
    ...taken.map(({ secret, keys }) => {
      // Unknown in the preview that creates the cluster, because its Secrets may be created while it waits for them.
      const id = pulumi.all([ready]).apply(() => `${access.namespace}/${secret}`);
      const options = { parent: opts.parent!, provider: cluster.provider };
      const found = Secret.get(`${name}-${keys[0]}`, id, options);
      return found.data.apply((texts) => pick(texts, keys, `${access.namespace}/${secret}`));
    }),
  ]);
  const object = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: RAY_SECRET },
    type: "Opaque",
    data: data.apply((parts) => Object.assign({}, ...parts) as Record<string, string>),
  };
  const args = { ...cluster.access, name: RAY_SECRET, namespace, objects: pulumi.secret([object]) };
  return new ManifestSet(`${name}-secret`, args, opts);
}

/** Lets notebooks connect to the head of a cluster whose namespace is closed. Undefined if it is open. */
export function rayPolicy(
  name: string,
  { cluster, namespace, ray: { access, closed } }: RaySecretArgs,
  opts: pulumi.CustomResourceOptions,
): ManifestSet | undefined {
  if (closed === undefined) return undefined;
  const own = { namespace: access.namespace, name: `notebooks-${shortHash(namespace, 8)}` };
  const args = { ...cluster.access, ...own, objects: [notebookPolicy(own, namespace, closed.head)] };
  return new ManifestSet(`${name}-policy`, args, { parent: opts.parent!, dependsOn: closed.namespace });
}

function pick(
  texts: Readonly<Record<string, string>>,
  keys: readonly string[],
  secret: string,
): Record<string, string> {
  return Object.fromEntries(
    keys.map((key) => {
      const value = texts[key];
      if (value === undefined) throw new pulumi.RunError(`Secret ${secret}: found no key ${key}; Ray needs it`);
      return [key, value];
    }),
  );
}
