import { stringify } from "yaml";
import type { EngineStep } from "../../engine/pulumi/events";
import { UNKNOWN } from "../../foundation/pulumi/resource";
import { statementsOf, stringsOf, type Statement } from "../../foundation/iam/document";
import { isObject } from "../../foundation/json/isObject";
import { parseCidr } from "../../foundation/net/cidr";
import { count } from "../../foundation/text/numbers";
import { diff } from "../terminal/diff";

/** The values that a step changes, for reviewers. The engine has masked secrets. Pure. */
export interface ChangedValues {
  /** What needs to be known first, in words. */
  readonly words: readonly string[];
  /** Lines of a diff between the old and the new values. */
  readonly lines: readonly string[];
}

type Values = Readonly<Record<string, unknown>>;

/** What is left of the values of a step that the engine masks, or does not know yet. */
const HIDDEN = "[secret]";
const LATER = "[known after the update]";

/** Keys that only say how the provider works. */
const INTERNAL = /^(__|kubeconfig$)/;

export function changedValues({ op, old, new: next, detailedDiff, diffs }: EngineStep): ChangedValues {
  if (op === "delete") return { words: taken(old?.outputs ?? {}), lines: [] };
  const [before, after] = [old?.inputs ?? {}, next?.inputs ?? {}];
  const paths = Object.keys(detailedDiff ?? {});
  const named = (paths.length > 0 ? paths : (diffs ?? [])).map((path) => /^[^.[]+/.exec(path)?.[0] ?? path);
  const keys = old ? new Set(named) : new Set(Object.keys(after).filter((key) => !INTERNAL.test(key)));
  // A refresh finds differences in outputs only.
  const side = (inputs: Values, outputs: Values): Values =>
    Object.fromEntries([...keys].sort().flatMap((key) => (key in inputs ? [[key, inputs[key]]] : key in outputs ? [[key, outputs[key]]] : []))); // prettier-ignore
  const [from, to] = [side(before, old ? (old.outputs ?? {}) : {}), side(after, {})];
  const lines = diff(yaml(from), yaml(to));
  const hidden = old && lines.length === 0 && paths.length > 0 ? [`changed, with values that are secret: ${paths.sort().join(", ")}`] : []; // prettier-ignore
  const forced = paths.filter((path) => detailedDiff?.[path]?.diffKind.endsWith("-replace"));
  const replaced = forced.length > 0 ? [`replaced because of ${forced.sort().join(", ")}`] : [];
  const lost = old && op !== "update" ? taken(old.outputs ?? {}) : [];
  return { words: [...lost, ...replaced, ...(old ? inWords(from, to) : []), ...hidden], lines };
}

/** Objects of Kubernetes that go with a resource. */
function taken({ inventory }: Values): string[] {
  const objects = Array.isArray(inventory) ? inventory.map(String) : [];
  return objects.length === 0 ? [] : [`takes ${count(objects.length, "object")} along: ${objects.sort().join(", ")}`];
}

const yaml = (values: Values): string =>
  Object.keys(values).length === 0 ? "" : stringify(readable(values), { lineWidth: 0, aliasDuplicateObjects: false });

/** A value as reviewers read it: policies as statements, texts of JSON as values, ranges with their sizes. */
function readable(value: unknown): unknown {
  if (typeof value === "string") return readableText(value);
  if (Array.isArray(value)) return value.map(readable);
  if (!isObject(value)) return value;
  const isSecret = value["kind"] === "Secret";
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      isSecret && /^(data|stringData)$/.test(key) ? HIDDEN : readable(inner),
    ]),
  );
}

function readableText(text: string): unknown {
  if (text === UNKNOWN) return LATER;
  const range = parseCidr(text);
  if (range) return range.bits === 0 ? `${text} (everybody)` : `${text} (${2 ** (32 - range.bits)} addresses)`;
  if (!/^\s*[{[]/.test(text)) return text;
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) && parsed["Statement"] !== undefined
      ? statementsOf(parsed).flatMap(allowed)
      : readable(parsed);
  } catch {
    return text; // It only begins like JSON.
  }
}

/** A line for each action and resource, so that a diff shows which ones come and go. */
function allowed(statement: Statement): string[] {
  const of = (key: string): string[] => [
    ...stringsOf(statement[key]),
    ...stringsOf(statement[`Not${key}`]).map((each) => `everything but ${each}`),
  ];
  const principal = statement["Principal"] ?? statement["NotPrincipal"];
  const who =
    principal === undefined ? "" : `${statement["Principal"] === undefined ? "all but " : ""}${shown(principal)} `;
  const [actions, resources] = [of("Action"), of("Resource")];
  const condition = statement["Condition"] === undefined ? "" : ` if ${shown(statement["Condition"])}`;
  const verb = String(statement["Effect"]) === "Deny" ? "deny" : "allow";
  return actions.flatMap((action) =>
    (resources.length > 0 ? resources : [""]).map(
      (resource) => `${verb} ${who}${action}${resource === "" ? "" : ` on ${resource}`}${condition}`,
    ),
  );
}

const shown = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Sentences for changes whose weight the values do not show. */
function inWords(before: Values, after: Values): string[] {
  const at = (values: Values, path: string): unknown =>
    path.split(".").reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), values);
  const endpoint = (path: string, what: string): string[] => {
    const [from, to] = [at(before, path) === true, at(after, path) === true];
    return from === to ? [] : [`the API server ${to ? "gets" : "loses"} its endpoint ${what}`];
  };
  const versions = ["version", "addonVersion", "releaseVersion", "engineVersion"].flatMap((key) => {
    const [from, to] = [before[key], after[key]];
    if (typeof from !== "string" || typeof to !== "string" || from === to) return [];
    const way = from.localeCompare(to, "en", { numeric: true }) < 0 ? "upgrade" : "downgrade";
    return [`${way} from ${from} to ${to}`];
  });
  return [
    ...versions,
    ...endpoint("vpcConfig.endpointPublicAccess", "on the internet"),
    ...endpoint("vpcConfig.endpointPrivateAccess", "inside the VPC"),
  ];
}
