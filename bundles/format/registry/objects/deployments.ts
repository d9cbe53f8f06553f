/** Generates the Deployments of an operator. */

import { isList, listAt, objectAt, without, type KubeObject } from "../../../../kubernetes/objects/objects";
import type { Csv, DeploymentDefinition } from "../csv";
import type { WatchScope } from "./installModes";
import type { Json } from "../../../../foundation/json/isObject";

/** Annotation from which operators read their namespaces; set by OLM. */
const TARGETS = "olm.targetNamespaces";
const OWN = "olm.operatorNamespace";

/** Secret with the webhooks' certificate, by Deployment. */
type Secrets = ReadonlyMap<string, string>;

export const deployments = (csv: Csv, watch: WatchScope, namespace: string, secrets: Secrets): KubeObject[] =>
  csv.deployments.map((definition) => {
    const reported = {
      ...csv.annotations,
      ...templateAnnotations(definition),
      [TARGETS]: watch.namespaces.join(","),
      [OWN]: namespace,
    };
    return deployment(definition, reported, secrets.get(definition.name));
  });

const templateAnnotations = ({ spec }: DeploymentDefinition): Json =>
  objectAt(spec, "template", "metadata", "annotations");

function deployment({ name, labels, spec }: DeploymentDefinition, annotations: Json, secret?: string): KubeObject {
  const template = objectAt(spec, "template");
  const pods = objectAt(template, "spec");
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: Object.keys(labels).length === 0 ? { name } : { name, labels: labels as Record<string, string> },
    spec: {
      // Old revisions are not needed: a rollback applies the earlier content.
      revisionHistoryLimit: 1,
      ...spec,
      template: {
        ...template,
        metadata: { ...objectAt(template, "metadata"), annotations },
        spec: secret === undefined ? pods : withCertificate(pods, secret),
      },
    },
  };
}

/** Paths and file names where operators expect their certificate. */
const MOUNTS = [
  { name: "apiservice-cert", path: "/apiserver.local.config/certificates", crt: "apiserver.crt", key: "apiserver.key" },
  { name: "webhook-cert", path: "/tmp/k8s-webhook-server/serving-certs", crt: "tls.crt", key: "tls.key" },
] as const;

/** Replaces volumes with the same name or mount path in every container. */
function withCertificate(pods: Json, secretName: string): Json {
  const mounts = MOUNTS.map(({ name, path: mountPath }) => ({ name, mountPath }));
  const paths = new Set<unknown>(mounts.map(({ mountPath }) => mountPath));
  const all = ["containers", "initContainers"].flatMap((key) => listAt(pods, key));
  const replaced = new Set<unknown>(mounts.map(({ name }) => name));
  for (const mount of all.flatMap((container) => listAt(container, "volumeMounts"))) {
    if (paths.has(mount["mountPath"])) replaced.add(mount["name"]);
  }
  const isKept = ({ name }: Json): boolean => !replaced.has(name);
  const mounted = (container: Json): Json => ({
    ...container,
    volumeMounts: [...listAt(container, "volumeMounts").filter(isKept), ...mounts],
  });
  const volumes = MOUNTS.map(({ name, crt, key }) => {
    const items = [
      { key: "tls.crt", path: crt },
      { key: "tls.key", path: key },
    ];
    return { name, secret: { secretName, items } };
  });
  return {
    ...without(pods, "initContainers"),
    ...(isList(pods["initContainers"]) && { initContainers: listAt(pods, "initContainers").map(mounted) }),
    containers: listAt(pods, "containers").map(mounted),
    volumes: [...listAt(pods, "volumes").filter(isKept), ...volumes],
  };
}
