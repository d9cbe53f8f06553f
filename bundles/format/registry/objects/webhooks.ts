/**
 * Generates the objects for an operator's webhooks: Services, configurations, and CustomResourceDefinitions with
 * conversion.
 */

import { at, isCore, type KubeObject } from "../../../../kubernetes/objects/objects";
import type { Serving } from "./certificates";
import type { Csv } from "../csv";
import type { WatchScope } from "./installModes";
import { uniqueName } from "../names";
import type { OperatorPlace } from "./permissions";
import type { WebhookDefinition, WebhookType } from "../webhookDefinitions";
import type { Json } from "../../../../foundation/json/isObject";

/** By name of the deployment. */
type Servings = ReadonlyMap<string, Serving>;

/** One Service per deployment with webhooks. */
export function services({ deployments, webhooks }: Csv, servings: Servings): KubeObject[] {
  return deployments.flatMap(({ name, spec }) => {
    const serving = servings.get(name);
    if (!serving) return [];
    const { service, annotations } = serving;
    const own = webhooks.filter(({ deployment }) => deployment === name);
    const ports = new Map(own.map(({ port, targetPort }) => [port, { name: String(port), port, targetPort }]));
    return [
      {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: service, ...(Object.keys(annotations).length > 0 && { annotations }) },
        spec: { ports: [...ports.values()], selector: at(spec, "selector", "matchLabels") },
      } as KubeObject,
    ];
  });
}

/** Annotates a Service for webhooks that the bundle itself contains, so that a certificate is issued for it. */
export function annotated(object: KubeObject, servings: Servings): KubeObject {
  const { metadata } = object;
  const serving = isCore(object, "Service") && [...servings.values()].find(({ service }) => service === metadata.name);
  if (!serving || Object.keys(serving.annotations).length === 0) return object;
  const annotations = { ...serving.annotations, ...metadata.annotations } as Record<string, string>;
  return { ...object, metadata: { ...metadata, annotations } };
}

/** One configuration per webhook, as in OLM: an invalid one does not block the others. */
export function configurations(
  { webhooks }: Csv,
  servings: Servings,
  watch: WatchScope,
  place: OperatorPlace,
): KubeObject[] {
  return webhooks.flatMap((webhook) => {
    const serving = servings.get(webhook.deployment);
    const kind = KINDS[webhook.type];
    if (!serving || kind === undefined) return [];
    const name = uniqueName(webhook.name, [place.namespace, place.name, kind, webhook.name]);
    const metadata = { name, annotations: serving.trust };
    const one = {
      name: webhook.name,
      ...picked(webhook.json, FIELDS[webhook.type]),
      admissionReviewVersions: webhook.reviewVersions,
      clientConfig: { service: reached(webhook, serving, place, webhook.at) },
      ...(watch.namespaces.length > 0 && { namespaceSelector: only(watch.namespaces) }),
    };
    return [{ apiVersion: "admissionregistration.k8s.io/v1", kind, metadata, webhooks: [one] } as KubeObject];
  });
}

const KINDS: Readonly<Record<WebhookType, string | undefined>> = {
  ValidatingAdmissionWebhook: "ValidatingWebhookConfiguration",
  MutatingAdmissionWebhook: "MutatingWebhookConfiguration",
  ConversionWebhook: undefined,
};

const COMMON = ["rules", "failurePolicy", "matchPolicy", "objectSelector", "sideEffects", "timeoutSeconds"];
const FIELDS: Readonly<Record<WebhookType, readonly string[]>> = {
  ValidatingAdmissionWebhook: COMMON,
  MutatingAdmissionWebhook: [...COMMON, "reinvocationPolicy"],
  ConversionWebhook: [],
};

const picked = (json: Json, keys: readonly string[]): Json =>
  Object.fromEntries(keys.flatMap((key) => (json[key] === undefined ? [] : [[key, json[key]]])));

function reached({ port }: WebhookDefinition, { service }: Serving, { namespace }: OperatorPlace, path?: string): Json {
  return { namespace, name: service, port, ...(path !== undefined && { path }) };
}

const only = (namespaces: readonly string[]): Json => ({
  matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "In", values: namespaces }],
});

/** Returns the definition, with the conversion webhook if it has one. */
export function converted(crd: KubeObject, { webhooks }: Csv, servings: Servings, place: OperatorPlace): KubeObject {
  const webhook = webhooks.find(({ crds }) => crds.includes(crd.metadata.name));
  const serving = webhook && servings.get(webhook.deployment);
  if (!serving) return crd;
  const { metadata } = crd;
  const conversion = {
    strategy: "Webhook",
    webhook: {
      clientConfig: { service: reached(webhook, serving, place, webhook.at ?? "/") },
      conversionReviewVersions: webhook.reviewVersions,
    },
  };
  const annotations = { ...metadata.annotations, ...serving.trust } as Record<string, string>;
  return { ...crd, metadata: { ...metadata, annotations }, spec: { ...(crd["spec"] as Json), conversion } };
}
