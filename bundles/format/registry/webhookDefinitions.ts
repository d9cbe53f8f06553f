/** Webhooks as a ClusterServiceVersion describes them. */

import type { InputCheck } from "../../../foundation/pulumi/inputCheck";
import { isList, listAt, numberAt, textAt } from "../../../kubernetes/objects/objects";
import { isQualified, isSubdomain, SUBDOMAIN_RULE } from "./names";
import { isObject, type Json } from "../../../foundation/json/isObject";

const TYPES = ["ValidatingAdmissionWebhook", "MutatingAdmissionWebhook", "ConversionWebhook"] as const;
export type WebhookType = (typeof TYPES)[number];

export interface WebhookDefinition {
  /** Path in the ClusterServiceVersion, for messages. */
  readonly path: string;
  readonly type: WebhookType;
  /** Without a trailing dash. */
  readonly name: string;
  readonly deployment: string;
  /** Port of the Service. */
  readonly port: number;
  /** Port of the container. */
  readonly targetPort: number | string;
  /** Path of the URL. */
  readonly at: string | undefined;
  readonly reviewVersions: readonly unknown[];
  /** For a conversion webhook: names of CustomResourceDefinitions. */
  readonly crds: readonly string[];
  /** The complete original description. */
  readonly json: Json;
}

const isType = (value: unknown): value is WebhookType => TYPES.some((type) => type === value);

export function readWebhooks(list: readonly unknown[], base: string, check: InputCheck): WebhookDefinition[] {
  const found = list.flatMap((json, index) => {
    const path = `${base}[${index}]`;
    if (!isObject(json)) {
      check.fail(path, json, "an object");
      return [];
    }
    return readOne(json, path, check) ?? [];
  });
  const first = new Map<string, WebhookDefinition>();
  const before = (key: string, one: WebhookDefinition): WebhookDefinition | undefined => {
    const earlier = first.get(key);
    first.set(key, earlier ?? one);
    return earlier;
  };
  for (const one of found) {
    const { path, type, name, deployment, port, targetPort } = one;
    const same = before(`${type} ${name}`, one);
    if (same) check.fail(`${path}.generateName`, name, `a name that ${same.path} has not already`);
    const shared = before(`port ${port} ${deployment}`, one);
    if (shared && shared.targetPort !== targetPort)
      check.fail(
        `${path}.targetPort`,
        targetPort,
        `${shared.targetPort} as in ${shared.path}, which has the same port`,
      );
  }
  return found;
}

function readOne(json: Json, path: string, check: InputCheck): WebhookDefinition | undefined {
  const { type, containerPort } = json;
  // Zero and an empty text count as not set: the API server would use the Service's port.
  const targetPort = json["targetPort"] === 0 || json["targetPort"] === "" ? undefined : json["targetPort"];
  const name = (textAt(json, "generateName") ?? "").replace(/-+$/, "");
  if (!isType(type)) {
    check.fail(`${path}.type`, type, `one of ${TYPES.join(", ")}`);
    return undefined;
  }
  if (type === "ConversionWebhook") check.text(`${path}.generateName`, name, SUBDOMAIN_RULE, isSubdomain);
  else check.text(`${path}.generateName`, name, `${SUBDOMAIN_RULE}, with two dots or more`, isQualified);
  check.text(`${path}.deploymentName`, json["deploymentName"], "the name of a deployment of the bundle");
  const isPort = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65535;
  if (containerPort !== undefined && containerPort !== 0 && !isPort(containerPort))
    check.fail(`${path}.containerPort`, containerPort, "a port from 1 to 65535");
  if (targetPort !== undefined && !isPort(targetPort) && typeof targetPort !== "string")
    check.fail(`${path}.targetPort`, targetPort, "a port from 1 to 65535, or its name");
  if (json["webhookPath"] !== undefined)
    check.text(`${path}.webhookPath`, json["webhookPath"], "a path that begins with /", (text) => text.startsWith("/"));
  const reviewVersions = json["admissionReviewVersions"];
  if (!isList(reviewVersions) || reviewVersions.length === 0)
    check.fail(`${path}.admissionReviewVersions`, reviewVersions, "a list of versions such as v1");
  const crds = isList(json["conversionCRDs"]) ? json["conversionCRDs"] : [];
  if (type === "ConversionWebhook" && crds.length === 0)
    check.fail(`${path}.conversionCRDs`, json["conversionCRDs"], "a list of CustomResourceDefinitions of the bundle");
  crds.forEach((crd, index) => check.text(`${path}.conversionCRDs[${index}]`, crd, "the name of one"));
  if (type !== "ConversionWebhook") checkRules(json, path, check);
  const port = numberAt(json, "containerPort") || 443;
  return {
    path,
    type,
    name,
    deployment: textAt(json, "deploymentName") ?? "",
    port,
    targetPort: isPort(targetPort) || typeof targetPort === "string" ? (targetPort as number | string) : port,
    at: textAt(json, "webhookPath"),
    reviewVersions: isList(reviewVersions) ? reviewVersions : [],
    crds: crds.filter((crd) => typeof crd === "string"),
    json,
  };
}

/** A webhook that matches everything, or webhooks themselves, could prevent its own removal. */
function checkRules(json: Json, path: string, check: InputCheck): void {
  listAt(json, "rules").forEach((rule, index) => {
    const groups = isList(rule["apiGroups"]) ? rule["apiGroups"] : [];
    for (const group of groups) {
      if (group !== "*" && group !== "admissionregistration.k8s.io" && group !== "olm.operatorframework.io") continue;
      const expected = "groups without *, olm.operatorframework.io and admissionregistration.k8s.io";
      check.fail(`${path}.rules[${index}].apiGroups`, group, expected);
    }
  });
}
