/** Detects objects that access the node from their containers. */

import {
  HARMLESS_CAPABILITIES,
  HOST_NAMESPACES,
  OWN_SELINUX,
  OWN_SYSCTL,
  PROFILES,
} from "../../foundation/kubernetes/host";
import { isList, listAt, objectAt, textAt, type KubeObject } from "../../kubernetes/objects/objects";
import { containersOf, podSpecsIn } from "./pods";
import { isObject, type Json } from "../../foundation/json/isObject";

/** Unique texts. Pod specs are found at any depth, even in custom resources. */
export function hostAccess(object: KubeObject): string[] {
  const found = podSpecsIn(object).flatMap(podAccess);
  if (object.apiVersion === "v1") {
    if (object.kind === "PersistentVolume") found.push(...volume(object["spec"]));
    if (object.kind === "Service") found.push(...addresses(object));
    if (object.kind === "Namespace") found.push(...podSecurity(object));
  }
  return [...new Set(found)];
}

function podAccess(spec: Json): string[] {
  const shared = Object.entries(HOST_NAMESPACES).flatMap(([key, what]) => (spec[key] === true ? [what] : []));
  const priority = textAt(spec, "priorityClassName");
  return [
    ...(priority?.startsWith("system-") ? [`the place of other pods on nodes (priority ${priority})`] : []),
    ...shared,
    ...volume(spec),
    ...listAt(spec, "volumes").flatMap((one) =>
      volume(one).map((what) => `${what}${isReadOnly(spec, one) ? READ_ONLY : ""}`),
    ),
    ...place(spec),
    ...security(spec["securityContext"], "the pod"),
    ...containersOf(spec).flatMap((container) => {
      const name = `container ${textAt(container, "name") ?? "without a name"}`;
      return [
        ...devices(container),
        ...ports(container, name),
        ...requests(container, name),
        ...security(container["securityContext"], name),
      ];
    }),
  ];
}

const CONTROL_PLANE = /^node-role\.kubernetes\.io\/(control-?plane|master|etcd)$/;

/** Where and with what pods run. */
function place(spec: Json): string[] {
  const [node, runtime] = [textAt(spec, "nodeName"), textAt(spec, "runtimeClassName")];
  const isAnywhere = listAt(spec, "tolerations").some(
    ({ key = "", operator }) => (key === "" && operator === "Exists") || CONTROL_PLANE.test(String(key)),
  );
  return [
    ...(node === undefined ? [] : [`node ${node} without the scheduler`]),
    ...(isAnywhere ? ["nodes of the control plane"] : []),
    ...(runtime === undefined ? [] : [`runtime class ${runtime}`]),
    ...listAt(spec, "resourceClaims").map((claim) => `devices of claim ${textAt(claim, "name") ?? ""}`),
  ];
}

/** Less than the same without it. */
export const READ_ONLY = ", read-only";

/** Whether all containers that mount a volume only read it. */
function isReadOnly(spec: Json, { name }: Json): boolean {
  const mounts = containersOf(spec).flatMap((one) =>
    listAt(one, "volumeMounts").filter((mount) => mount["name"] === name),
  );
  return mounts.length > 0 && mounts.every(({ readOnly }) => readOnly === true);
}

/** Volumes from servers outside the cluster, mounted with the node's identity. */
const REMOTE = [
  ...["nfs", "iscsi", "rbd", "cephfs", "glusterfs", "fc", "flexVolume", "azureDisk", "azureFile", "cinder", "gitRepo"],
  ...["awsElasticBlockStore", "gcePersistentDisk", "vsphereVolume", "portworxVolume", "quobyte", "scaleIO"],
];

function volume(value: unknown): string[] {
  if (!isObject(value)) return [];
  const path = textAt(value, "hostPath", "path") ?? textAt(value, "local", "path");
  if (path !== undefined) return [`path ${path} of the node`];
  const { csi } = value;
  const driver = textAt(csi, "driver");
  if (isObject(csi) && driver !== undefined)
    return [`volume of the CSI driver ${driver}${details({ ...csi, ...objectAt(csi, "volumeAttributes") }, "driver")}`];
  return REMOTE.flatMap((key) => {
    const { [key]: remote } = value;
    return isObject(remote) ? [`volume of type ${key}${details(remote)}`] : [];
  });
}

/** Which volume it is: ` (path /data, server files)`. */
function details(volume: Json, ...known: readonly string[]): string {
  const found = Object.entries(volume)
    .filter(([key, value]) => !known.includes(key) && /^(string|number)$/.test(typeof value))
    .map(([key, value]) => `${key} ${String(value)}`);
  return found.length === 0 ? "" : ` (${found.sort().join(", ")})`;
}

/** Extended resources, which device plugins of nodes offer; those of Kubernetes have no domain. */
const devices = (container: Json): string[] =>
  ["limits", "requests"]
    .flatMap((key) => Object.keys(objectAt(container, "resources", key)))
    .filter((resource) => /^(?!kubernetes\.io\/)[^/]+\//.test(resource))
    .map((resource) => `devices ${resource}`);

const ports = (container: Json, name: string): string[] =>
  listAt(container, "ports").flatMap(({ hostPort }) =>
    typeof hostPort === "number" && hostPort > 0 ? [`port ${hostPort} of the node (${name})`] : [],
  );

/** Probes and hooks that the kubelet sends elsewhere than to the pod. */
const requests = (container: Json, name: string): string[] =>
  [
    ...["livenessProbe", "readinessProbe", "startupProbe"].map((key) => container[key]),
    ...["postStart", "preStop"].map((key) => objectAt(container, "lifecycle", key)),
  ].flatMap((probe) =>
    ["httpGet", "tcpSocket"].flatMap((how) => {
      const host = textAt(probe, how, "host") ?? "";
      return host === "" ? [] : [`requests of the node to ${host} (${name})`];
    }),
  );

function security(context: unknown, name: string): string[] {
  if (!isObject(context)) return [];
  const added = isObject(context["capabilities"]) ? context["capabilities"]["add"] : undefined;
  const capabilities = isList(added) ? added.map(String).filter((one) => !HARMLESS_CAPABILITIES.has(one)) : [];
  const windows = isObject(context["windowsOptions"]) && context["windowsOptions"]["hostProcess"] === true;
  const gmsa = textAt(context, "windowsOptions", "gmsaCredentialSpecName");
  const unconfined = Object.entries(PROFILES).filter(([key]) => textAt(context, key, "type") === "Unconfined");
  const type = textAt(context, "seLinuxOptions", "type");
  const labels = ["role", "user"].flatMap((key) => {
    const value = textAt(context, "seLinuxOptions", key);
    return value === undefined ? [] : [`SELinux ${key} ${value} (${name})`];
  });
  const sysctls = listAt(context, "sysctls").flatMap((one) => textAt(one, "name") ?? []);
  return [
    ...(context["privileged"] === true ? [`everything on the node (${name} is privileged)`] : []),
    ...(gmsa === undefined ? [] : [`the Windows account of ${gmsa} (${name})`]),
    ...(windows ? [`everything on the node (${name} is a process of the host)`] : []),
    ...(context["procMount"] === "Unmasked" ? [`all of /proc (${name})`] : []),
    ...unconfined.map(([, what]) => `no ${what} profile (${name})`),
    ...(capabilities.length > 0 ? [`capabilities ${capabilities.sort().join(", ")} (${name})`] : []),
    ...(type !== undefined && !OWN_SELINUX.has(type) ? [`SELinux type ${type} (${name})`] : []),
    ...labels,
    ...sysctls.filter((one) => !OWN_SYSCTL.test(one)).map((one) => `setting ${one} of the node's kernel`),
  ];
}

/** Traffic of every node to these addresses is routed to the bundle. */
function addresses({ spec }: KubeObject): string[] {
  const ips = isObject(spec) && isList(spec["externalIPs"]) ? spec["externalIPs"].map(String) : [];
  return ips.map((ip) => `what every node sends to ${ip}`);
}

const ENFORCE = "pod-security.kubernetes.io/enforce";

/** Pod security level of a namespace. The strictest level is not reported. */
function podSecurity({ metadata: { labels = {} } }: KubeObject): string[] {
  const level = labels[ENFORCE];
  if (level === "restricted") return [];
  return [`pods of ${level === undefined ? "the cluster's default level" : `the level ${level}`} (Pod Security)`];
}
