/** Reads a ClusterServiceVersion, which describes an operator. Every fault is reported with its path. */

import { coerce } from "semver";
import type { InputCheck } from "../../../foundation/pulumi/inputCheck";
import { at, isList, textAt, type KubeObject } from "../../../kubernetes/objects/objects";
import { Look } from "./look";
import { isSubdomain, SUBDOMAIN_RULE } from "./names";
import { readWebhooks, type WebhookDefinition } from "./webhookDefinitions";
import { isObject, type Json } from "../../../foundation/json/isObject";

/** Which namespaces an operator can watch: all, its own, one other, several. */
const MODES = ["AllNamespaces", "OwnNamespace", "SingleNamespace", "MultiNamespace"] as const;
export type Mode = (typeof MODES)[number];

/** Permissions of a service account. */
export interface Permission {
  readonly serviceAccount: string;
  readonly rules: readonly Json[];
}

export interface DeploymentDefinition {
  readonly path: string;
  readonly name: string;
  readonly labels: Json;
  readonly spec: Json;
}

/** A CustomResourceDefinition that a ClusterServiceVersion names. */
interface NamedCrd {
  readonly path: string;
  /** `memcacheds.cache.example.com` */
  readonly name: string;
  readonly version: string;
  readonly kind: string;
}

export interface Csv {
  readonly annotations: Readonly<Record<string, string>>;
  readonly minKubeVersion: string | undefined;
  readonly modes: readonly Mode[];
  /** Permissions in the watched namespaces. */
  readonly permissions: readonly Permission[];
  readonly clusterPermissions: readonly Permission[];
  readonly deployments: readonly DeploymentDefinition[];
  readonly webhooks: readonly WebhookDefinition[];
  readonly owned: readonly NamedCrd[];
  /** The complete original object. */
  readonly object: KubeObject;
}

export const DEFAULT_ACCOUNT = "default";

export function readCsv(object: KubeObject, check: InputCheck): Csv {
  const look = new Look(object, check);
  const strategy = at(object, "spec", "install", "strategy");
  check.text("spec.install.strategy", strategy, "deployment", (text) => text === "deployment");
  const owned = look.list("spec.apiservicedefinitions.owned");
  if (owned.length > 0) {
    const what = "none: an API server of its own is nothing that is installed here";
    check.failures.push({
      property: "spec.apiservicedefinitions.owned",
      reason: `found ${owned.length}; expected ${what}`,
    });
  }
  const minKubeVersion = at(object, "spec", "minKubeVersion") ?? "";
  const isVersion = (text: string): boolean => text === "" || coerce(text) !== null;
  check.text("spec.minKubeVersion", minKubeVersion, "a version of Kubernetes, in quotes", isVersion);
  const csv: Csv = {
    annotations: object.metadata.annotations ?? {},
    minKubeVersion: textAt(object, "spec", "minKubeVersion"),
    modes: modesOf(look),
    permissions: permissionsAt(look, "spec.install.spec.permissions"),
    clusterPermissions: permissionsAt(look, "spec.install.spec.clusterPermissions"),
    deployments: deploymentsOf(look),
    webhooks: readWebhooks(look.list("spec.webhookdefinitions"), "spec.webhookdefinitions", check),
    owned: crdsAt(look, "spec.customresourcedefinitions.owned"),
    object,
  };
  checkWebhooks(csv, check);
  return csv;
}

function modesOf(look: Look): Mode[] {
  const found = look.objects("spec.installModes").flatMap(({ path, json }) => {
    const mode = MODES.find((one) => one === json["type"]);
    if (mode === undefined) look.check.fail(`${path}.type`, json["type"], `one of ${MODES.join(", ")}`);
    look.check.flag(`${path}.supported`, json["supported"]);
    return mode !== undefined && json["supported"] === true ? [mode] : [];
  });
  if (found.length === 0 && look.check.failures.every(({ property }) => !property.startsWith("spec.installModes")))
    look.check.fail("spec.installModes", undefined, `one of ${MODES.join(", ")} that is supported`);
  return MODES.filter((mode) => found.includes(mode));
}

function permissionsAt(look: Look, base: string): Permission[] {
  return look.objects(base).map(({ path, json }) => {
    const serviceAccount = textAt(json, "serviceAccountName") ?? DEFAULT_ACCOUNT;
    look.check.text(`${path}.serviceAccountName`, serviceAccount, SUBDOMAIN_RULE, isSubdomain);
    const rules = new Look(json, look.check, path).objects("rules");
    for (const { path: at, json: rule } of rules) {
      for (const key of ["verbs", "apiGroups", "resources", "resourceNames", "nonResourceURLs"]) {
        const list = rule[key];
        if (list === undefined && key !== "verbs") continue;
        if (isList(list) && list.every((one) => typeof one === "string")) continue;
        look.check.fail(`${at}.${key}`, list, "a list of texts");
      }
    }
    return { serviceAccount, rules: rules.map(({ json: rule }) => rule) };
  });
}

function deploymentsOf(look: Look): DeploymentDefinition[] {
  const first = new Map<string, string>();
  return look.objects("spec.install.spec.deployments").map(({ path, json }) => {
    const name = textAt(json, "name") ?? "";
    look.check.text(`${path}.name`, name, SUBDOMAIN_RULE, isSubdomain);
    const before = first.get(name);
    if (before !== undefined) look.check.fail(`${path}.name`, name, `a name that ${before} has not already`);
    first.set(name, before ?? path);
    const spec = isObject(json["spec"]) ? json["spec"] : {};
    for (const keys of [["selector"], ["template", "spec"]]) {
      if (!isObject(at(spec, ...keys)))
        look.check.fail(`${path}.spec.${keys.join(".")}`, at(spec, ...keys), "an object");
    }
    const containers = at(spec, "template", "spec", "containers");
    if (!isList(containers) || containers.length === 0 || !containers.every(isObject))
      look.check.fail(`${path}.spec.template.spec.containers`, containers, "a list of containers");
    return { path, name, labels: isObject(json["label"]) ? json["label"] : {}, spec };
  });
}

function crdsAt(look: Look, base: string): NamedCrd[] {
  return look.objects(base).map(({ path, json }) => {
    const isCrdName = (text: string): boolean => isSubdomain(text) && text.includes(".");
    look.check.text(`${path}.name`, json["name"], "<plural>.<group>", isCrdName);
    for (const key of ["version", "kind"]) look.check.text(`${path}.${key}`, json[key], "a text");
    return {
      path,
      name: textAt(json, "name") ?? "",
      version: textAt(json, "version") ?? "",
      kind: textAt(json, "kind") ?? "",
    };
  });
}

/** Webhooks must refer to deployments and CustomResourceDefinitions of the same bundle. */
function checkWebhooks({ webhooks, deployments, owned }: Csv, check: InputCheck): void {
  const converted = new Map<string, string>();
  for (const { path, type, deployment, crds } of webhooks) {
    const served = deployments.find(({ name }) => name === deployment);
    if (!served && deployment !== "")
      check.fail(`${path}.deploymentName`, deployment, `one of ${deployments.map(({ name }) => name).join(", ")}`);
    const selector = at(served?.spec, "selector", "matchLabels");
    if (served && (!isObject(selector) || Object.keys(selector).length === 0))
      check.fail(
        `${served.path}.spec.selector.matchLabels`,
        selector,
        "labels, by which the Service of its webhooks finds its pods",
      );
    if (type !== "ConversionWebhook") continue;
    for (const crd of crds) {
      if (!owned.some(({ name }) => name === crd))
        check.fail(`${path}.conversionCRDs`, crd, "one of spec.customresourcedefinitions.owned");
      const before = converted.get(crd);
      if (before !== undefined)
        check.fail(`${path}.conversionCRDs`, crd, `one that ${before} does not convert already`);
      converted.set(crd, before ?? path);
    }
  }
}
