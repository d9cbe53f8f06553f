/** Webhooks that a bundle puts before the API server. */

import { groupOf, isList, listAt, textAt, type Json, type KubeObject } from "../../kubernetes/objects";
import { isCrd } from "../crdSafety/crd";

/** In words, one for each webhook of the object. */
export function webhooksIn(object: KubeObject): string[] {
  if (isCrd(object)) {
    if (textAt(object, "spec", "conversion", "strategy") !== "Webhook") return [];
    return [
      `conversion of ${object.metadata.name} by ${serverOf(object, "spec", "conversion", "webhook", "clientConfig")}`,
    ];
  }
  const [, sort] = /^(Mutating|Validating)WebhookConfiguration$/.exec(object.kind) ?? [];
  if (sort === undefined || groupOf(object.apiVersion) !== "admissionregistration.k8s.io") return [];
  return listAt(object, "webhooks").map((webhook) => {
    const does = sort === "Mutating" ? "changes" : "may refuse";
    const rules = listAt(webhook, "rules").map(ruleText);
    const server = serverOf(webhook, "clientConfig");
    const without = textAt(webhook, "failurePolicy") === "Ignore" ? "" : ", nothing of it goes on while that is away";
    return `${textAt(webhook, "name") ?? ""} ${does} ${rules.join("; ") || "nothing"} by ${server}${without}`;
  });
}

function ruleText(rule: Json): string {
  const text = (key: string): string => {
    const values = rule[key];
    const list = isList(values) ? values.map(String).sort() : [];
    return list.includes("*") ? "everything" : list.join(", ");
  };
  const groups = isList(rule["apiGroups"]) ? rule["apiGroups"].filter((group) => group !== "" && group !== "*") : [];
  const operations = text("operations").toLowerCase();
  const which = operations === "everything" ? "every operation" : operations;
  return `${which} on ${text("resources")}${groups.length > 0 ? ` of ${groups.map(String).sort().join(", ")}` : ""}`;
}

function serverOf(object: Json, ...path: string[]): string {
  const url = textAt(object, ...path, "url");
  if (url !== undefined) return url;
  return `Service ${textAt(object, ...path, "service", "namespace") ?? ""}/${textAt(object, ...path, "service", "name") ?? ""}`;
}
