import { WITH_VALUES } from "../../../foundation/bundleFormats";
import { SOURCE_TYPES } from "../../../foundation/bundleSources";
import { planInstances } from "../plan";
import type {
  BundleContent,
  BundleSettings,
  BundleRequest,
  InstanceSettings,
  PlannedInstance,
  ValueSettings,
} from "../settings";
import { valid, validRange } from "semver";
import { namespaceConfig } from "../../namespaces/settings";
import { mismatch, type Path } from "../../../foundation/schema/faults";
import { didYouMean } from "../../../foundation/text/nearest";
import { resolveAccess } from "../../cluster/access/resolveAccess";
import type { Resolver } from "../../../foundation/schema/resolver";
import { decodeSource } from "./secrets";
import type { BundlesInput, ClassesInput, InstancesInput } from "./schema";

/** Decodes the bundles of a platform: what to install where, and in which order. */

const IMPLICIT: ClassesInput[string] = {
  format: "plain+v0",
  sources: SOURCE_TYPES,
  pin: "optional",
  default: true,
  defaults: {},
};

/** The keys; undefined if a key has faults. */
interface Inputs {
  readonly classes: ClassesInput | undefined;
  readonly bundles: BundlesInput | undefined;
  readonly instances: InstancesInput | undefined;
  /** Server URL of the platform's cluster, if known. */
  readonly server: string | undefined;
}

/** Decodes the enabled instances, dependencies first. Adds faults to the resolver. */
export function decodeBundles(
  { classes, bundles, instances, server = "" }: Inputs,
  resolver: Resolver,
): readonly PlannedInstance[] {
  if (!classes || !bundles || !instances) return [];
  const known = Object.keys(classes).length === 0 ? { default: IMPLICIT } : classes;
  const byDefault = defaultClass(known, resolver);
  const classOf = (name: string): ClassesInput[string] | undefined => known[bundles[name]?.class ?? byDefault ?? ""];
  const settings: Record<string, BundleSettings> = {};
  for (const [name, bundle] of Object.entries(bundles)) {
    const found = classOf(name);
    if (!found) {
      const at = ["bundles", name, "class"];
      const names = Object.keys(known);
      const what = bundle.class === undefined ? "nothing, and no class is the default one" : `"${bundle.class}"`;
      resolver.faults.push(mismatch(at, what, `one of ${names.join(", ")}`, didYouMean(bundle.class, names)));
      continue;
    }
    const contents = Object.entries(bundle.versions).map(
      ([version, content]) =>
        [
          version,
          contentOf(content, found, ["bundles", name, "versions", version], resolver, Object.keys(bundles)),
        ] as const,
    );
    settings[name] = { format: found.format, versions: Object.fromEntries(contents) };
  }
  const wanted = Object.entries(instances).flatMap(([name, instance]) => {
    if (!instance.enabled) return [];
    const found = instanceOf(name, instance, classOf(instance.bundle), resolver);
    return found ? [[name, { ...found, server: found.access?.server ?? server }] as const] : [];
  });
  const off = Object.entries(instances).filter(([, { enabled }]) => !enabled);
  const plan = planInstances(
    settings,
    Object.fromEntries(wanted),
    Object.fromEntries(off.map(([name, { bundle }]) => [name, bundle])),
  );
  for (const { instance, key, found, expected, nearest } of plan.faults) {
    // A bundle with faults of its own exists, so it is not reported as missing.
    const { bundle = "" } = instances[instance] ?? {};
    if (key === "bundle" && Object.hasOwn(bundles, bundle) && !Object.hasOwn(settings, bundle)) continue;
    const hint = nearest && didYouMean(nearest.wanted, nearest.known);
    resolver.faults.push(mismatch(["instances", instance, key], found, expected, hint));
  }
  return plan.instances;
}

function defaultClass(classes: ClassesInput, { faults }: Resolver): string | undefined {
  const names = Object.keys(classes);
  const [first, ...more] = names.filter((name) => classes[name]?.default);
  for (const name of more) {
    faults.push(mismatch(["bundleClasses", name, "default"], "true", `one default class; ${first} is it already`));
  }
  return first ?? (names.length === 1 ? names[0] : undefined);
}

type VersionInput = BundlesInput[string]["versions"][string];

function contentOf(
  content: VersionInput,
  { sources, pin, format }: ClassesInput[string],
  base: Path,
  resolver: Resolver,
  bundles: readonly string[],
): BundleContent {
  if (pin === "required" && content.digest === undefined) {
    const how = "the digest that `stackyard bundle inspect` prints, because the class has pin: required";
    resolver.faults.push(mismatch([...base, "digest"], "nothing", how));
  }
  const version = String(base.at(-1));
  if (valid(version) === null && !content.sources.some(({ type }) => type === "catalog"))
    resolver.faults.push(mismatch(base, "a range", "a source of type catalog for it"));
  const decoded = content.sources.map((source, index) => {
    const at = [...base, "sources", index];
    if (!sources.includes(source.type)) {
      resolver.faults.push(
        mismatch([...at, "type"], `"${source.type}"`, `what the class allows: ${sources.join(", ")}`),
      );
    }
    return decodeSource(source.type === "catalog" ? { version, ...source } : source, at, resolver);
  });
  const required = content.requires.map((text) => ({ text, isKind: /\/[A-Z]\w*$/.test(text) }));
  const requests = (texts: readonly string[], key: string): BundleRequest[] =>
    texts.map((text) => requestOf(text, [...base, key], resolver, bundles));
  return {
    sources: decoded.map(({ source }) => source),
    credentials: decoded.map(({ credentials }) => credentials),
    ...valuesOf(content.values, format, [...base, "values"], resolver),
    ...(content.digest !== undefined && { digest: content.digest }),
    bundles: requests(content.bundles, "bundles"),
    requiredBundles: requests(
      required.flatMap(({ text, isKind }) => (isKind ? [] : [text])),
      "requires",
    ),
    requiredKinds: required.flatMap(({ text, isKind }) => (isKind ? [text] : [])),
  };
}

/** If any value of the key is secret, all values are treated as secret, because Pulumi does not expose which one is. */
function valuesOf(
  values: Readonly<Record<string, unknown>> | undefined,
  format: string | undefined,
  at: Path,
  { place, faults }: Resolver,
): { readonly values?: ValueSettings } {
  if (values === undefined || Object.keys(values).length === 0) return {};
  if (format !== undefined && !WITH_VALUES.includes(format)) {
    faults.push(
      mismatch(at, "values", `none, because the format ${format} takes none; ${inWords(WITH_VALUES)} take them`),
    );
  }
  return { values: { values, secret: place.secretKeys.has(String(at[0])) } };
}

/** Parses `database@^2.1`. */
function requestOf(text: string, at: Path, { faults }: Resolver, bundles: readonly string[]): BundleRequest {
  const [bundle = "", range = "*"] = text.split(/@(.*)/s);
  if (!bundles.includes(bundle))
    faults.push(mismatch(at, `"${text}"`, `one of ${bundles.join(", ")}`, didYouMean(bundle, bundles)));
  if (validRange(range) === null)
    faults.push(mismatch(at, `"${text}"`, "a range of versions after @, such as ^2.1 or >=1 <3"));
  return { bundle, range };
}

type InstanceInput = InstancesInput[string];

function instanceOf(
  name: string,
  instance: InstanceInput,
  { defaults = {}, format }: Partial<ClassesInput[string]> = {},
  resolver: Resolver,
): Omit<InstanceSettings, "server"> | undefined {
  const base: Path = ["instances", name];
  const { kubeconfig, context, bundle, version, as, dependsOn } = instance;
  const { adopt, replace, allowDeletion, allowCrdChanges } = instance;
  const { reconcileSeconds = defaults.reconcileSeconds } = instance;
  if (kubeconfig === undefined && context !== undefined) {
    resolver.faults.push(mismatch([...base, "context"], `"${context}"`, "a kubeconfig beside it"));
  }
  if (kubeconfig === undefined && resolver.place.root["cluster"] === undefined) {
    resolver.faults.push(
      mismatch([...base, "kubeconfig"], "nothing", "a kubeconfig, because the platform has no cluster"),
    );
  }
  const access = kubeconfig && resolveAccess(resolver, base, { path: kubeconfig.path }, context);
  if (kubeconfig && !access) return undefined;
  return {
    bundle,
    ...(version !== undefined && { version }),
    namespace: instance.namespace ?? name,
    createNamespace: instance.createNamespace ?? defaults.createNamespace ?? false,
    protection: { ...namespaceConfig(defaults), ...namespaceConfig(instance) },
    ...(access && { access }),
    ...(as !== undefined && { as }),
    ...valuesOf(instance.values, format, [...base, "values"], resolver),
    force: instance.force ?? defaults.force ?? false,
    adopt,
    replace,
    allowDeletion,
    allowCrdChanges,
    approval: instance.approval ?? defaults.approval ?? "never",
    awaitApproval: instance.awaitApproval ?? defaults.awaitApproval ?? false,
    rollback: instance.rollback ?? defaults.rollback ?? "none",
    timeoutSeconds: instance.timeoutSeconds ?? defaults.timeoutSeconds ?? 600,
    ...(reconcileSeconds !== undefined && { reconcileSeconds }),
    dependsOn,
  };
}

/** Joins names: `a, b and c`. */
const inWords = (names: readonly string[]): string => `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
