/** Finds what a bundle inserts between users and the API server. */

import { groupOf, isList, listAt, textAt, type KubeObject, isCrd } from "../../kubernetes/objects/objects";
import { shortHash } from "../../foundation/digest";
import { isObject, type Json } from "../../foundation/json/isObject";

/** Returns texts about webhooks and other objects that decide for the API server. */
export function webhooksIn(object: KubeObject): string[] {
  const group = groupOf(object.apiVersion);
  const { name } = object.metadata;
  if (isCrd(object)) {
    if (textAt(object, "spec", "conversion", "strategy") !== "Webhook") return [];
    return [`conversion of ${name} by ${serverOf(object, "spec", "conversion", "webhook", "clientConfig")}`];
  }
  if (group === "apiregistration.k8s.io" && object.kind === "APIService")
    return [`the API ${name} by ${serverOf(object, "spec")}`];
  if (group !== "admissionregistration.k8s.io") return [];
  // Policies contain expressions. The hash detects a change, which may do more.
  if (/AdmissionPolicy(Binding)?$/.test(object.kind)) return [`${object.kind} ${name} as ${hashOf(object["spec"])}`];
  const [, sort] = /^(Mutating|Validating)WebhookConfiguration$/.exec(object.kind) ?? [];
  if (sort === undefined) return [];
  return listAt(object, "webhooks").map((webhook) => {
    const does = sort === "Mutating" ? "changes" : "may refuse";
    const rules = listAt(webhook, "rules").map(ruleText);
    const server = serverOf(webhook, "clientConfig");
    const without = textAt(webhook, "failurePolicy") === "Ignore" ? "" : ", which fail while it is unavailable";
    const what = `${rules.join("; ") || "nothing"}${selection(webhook)}`;
    return `${textAt(webhook, "name") ?? ""} ${does} ${what} by ${server}${without}`;
  });
}

/** Restriction of the matched objects; empty for all objects. */
function selection(webhook: Json): string {
  const chosen = ["namespaceSelector", "objectSelector", "matchConditions"].filter((key) => {
    const value = webhook[key];
    return isList(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0;
  });
  return chosen.length === 0 ? "" : `, chosen by ${chosen.map((key) => `${key} ${hashOf(webhook[key])}`).join(", ")}`;
}

/** Long enough to distinguish versions. */
const hashOf = (value: unknown): string => shortHash(JSON.stringify(value) ?? "");

function ruleText(rule: Json): string {
  const text = (key: string): string => {
    const values = rule[key];
    const list = isList(values) ? values.map(String).sort() : [];
    return list.includes("*") ? "everything" : list.join(", ");
  };
  const groups = isList(rule["apiGroups"]) ? rule["apiGroups"].filter((group) => group !== "" && group !== "*") : [];
  const operations = text("operations").toLowerCase();
  const which = operations === "everything" ? "every operation" : operations;
  const scope = textAt(rule, "scope") ?? "*";
  const of = groups.length > 0 ? ` of ${groups.map(String).sort().join(", ")}` : "";
  return `${which} on ${scope === "*" ? "" : `${scope} `}${text("resources")}${of}`;
}

function serverOf(object: Json, ...path: string[]): string {
  const url = textAt(object, ...path, "url");
  if (url !== undefined) return url;
  return `Service ${textAt(object, ...path, "service", "namespace") ?? ""}/${textAt(object, ...path, "service", "name") ?? ""}`;
}
