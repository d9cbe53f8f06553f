import { maxSatisfying, satisfies, subset, valid } from "semver";
import { labelWithHash } from "../../foundation/text/legalName";
import type { BundleSettings, InstanceSettings, PlannedInstance, BundleRequest } from "./settings";

/** Selects a version of a bundle. Pure. */

/** The highest version in a range. A prerelease only if there is no other. */
const highest = (versions: readonly string[], range: string): string | undefined =>
  maxSatisfying(versions, range) ?? maxSatisfying(versions, range, { includePrerelease: true }) ?? undefined;

/** Whether a version, or all of a range in a catalog, is in the range. */
const isWithin = (version: string, range: string): boolean =>
  valid(version) === null
    ? range === "*" || subset(version, range, { includePrerelease: true })
    : satisfies(version, range, { includePrerelease: true });

export const versionFor = ({ versions }: BundleSettings, range = "*"): string | undefined =>
  highest(Object.keys(versions), range) ?? Object.keys(versions).find((version) => isWithin(version, range));

const requestText = ({ bundle, range }: BundleRequest): string => (range === "*" ? bundle : `${bundle}@${range}`);

interface Ordered {
  readonly ordered: readonly PlannedInstance[];
  /** Dependency cycles. Each starts and ends with the same instance. */
  readonly circles: readonly (readonly string[])[];
}

/** Sorts instances so that dependencies come first, and finds all cycles. Pure. */
function inOrder(all: ReadonlyMap<string, PlannedInstance>): Ordered {
  const ordered = new Map<string, PlannedInstance>();
  const circles: string[][] = [];
  const visit = (name: string, path: readonly string[]): void => {
    const one = all.get(name);
    if (!one || ordered.has(name)) return;
    if (path.includes(name)) {
      circles.push([...path.slice(path.indexOf(name)), name]);
      return;
    }
    for (const before of one.after) visit(before, [...path, name]);
    ordered.set(name, one);
  };
  for (const name of all.keys()) visit(name, []);
  return { ordered: [...ordered.values()], circles };
}

/** Plans which bundle versions are installed where, and in which order. Pure. */

/** A fault in an instance. `key` is the config field that causes it. */
interface PlanFault {
  /** Name in the config. A fault of an included bundle is reported for the instance that includes it. */
  readonly instance: string;
  readonly key: "bundle" | "version" | "dependsOn";
  readonly found: string;
  readonly expected: string;
  /** Input for a suggestion: the name that was given, and the known names. */
  readonly nearest?: { readonly wanted: string; readonly known: readonly string[] };
}

export interface Plan {
  /** Sorted: dependencies come first. */
  readonly instances: readonly PlannedInstance[];
  readonly faults: readonly PlanFault[];
}

type Bundles = Readonly<Record<string, BundleSettings>>;
/** Bundles of disabled instances, by instance. */
type Disabled = Readonly<Record<string, string>>;

/** Plans the instances. Bundles that a version requests must exist or be reported as missing. */
export function planInstances(
  bundles: Bundles,
  instances: Readonly<Record<string, InstanceSettings>>,
  off: Disabled = {},
): Plan {
  const faults: PlanFault[] = [];
  const planned = new Map<string, Rooted>();
  for (const [name, settings] of Object.entries(instances))
    expand(name, settings, bundles, { planned, faults, root: name, taken: instances, above: [] });
  faults.push(...duplicates([...planned.values()]));
  const all = [...planned.values()].map((one) => withRequirements(one, planned, off, faults));
  // Instances with faults of their own exist, so they are not reported as missing.
  const known = [...new Set([...planned.keys(), ...Object.keys(instances)])];
  for (const [instance, { dependsOn }] of Object.entries(instances)) {
    for (const other of dependsOn.filter((name) => !known.includes(name))) {
      const isOff = Object.hasOwn(off, other);
      faults.push({
        instance,
        key: "dependsOn",
        found: `"${other}"${isOff ? ", which is disabled" : ""}`,
        expected: `one of ${known.join(", ")}`,
        ...(!isOff && { nearest: { wanted: other, known: known.filter((name) => name !== instance) } }),
      });
    }
  }
  const { ordered, circles } = inOrder(new Map(all.map(({ one }) => [one.name, one])));
  for (const circle of circles) {
    const [first = ""] = circle;
    faults.push({
      instance: planned.get(first)?.root ?? first,
      key: "dependsOn",
      found: `a circle: ${circle.join(" → ")}`,
      expected: "instances that can be put in an order",
    });
  }
  return { instances: ordered, faults };
}

/** An instance, and the configured instance that it is or that includes it. */
interface Rooted {
  readonly one: PlannedInstance;
  readonly root: string;
}

interface Work {
  readonly planned: Map<string, Rooted>;
  readonly faults: PlanFault[];
  readonly root: string;
  /** Names that the config already uses. */
  readonly taken: Readonly<Record<string, unknown>>;
  /** Bundles on the path of inclusion. */
  readonly above: readonly string[];
}

/** Adds an instance and the bundles that it includes. These come first, in the same namespace. */
function expand(name: string, settings: InstanceSettings, bundles: Bundles, work: Work): void {
  const { planned, faults, root, taken, above } = work;
  const bundle = Object.hasOwn(bundles, settings.bundle) ? bundles[settings.bundle] : undefined;
  const fault = (key: PlanFault["key"], found: string, expected: string, nearest?: PlanFault["nearest"]) =>
    faults.push({ instance: root, key, found, expected, ...(nearest && { nearest }) });
  if (!bundle) {
    const known = Object.keys(bundles);
    const expected = `one of ${known.join(", ") || "the bundles, of which there are none"}`;
    fault("bundle", `"${settings.bundle}"`, expected, { wanted: settings.bundle, known });
    return;
  }
  if (above.includes(settings.bundle)) {
    const circle = [...above.slice(above.indexOf(settings.bundle)), settings.bundle].join(" → ");
    fault("bundle", `bundles that include each other: ${circle}`, "bundles that end somewhere");
    return;
  }
  const versions = Object.keys(bundle.versions);
  const version = settings.version ?? versionFor(bundle) ?? "";
  const content = Object.hasOwn(bundle.versions, version) ? bundle.versions[version] : undefined;
  if (!content) {
    fault("version", `"${version}"`, `one of ${versions.join(", ")}`, { wanted: version, known: versions });
    return;
  }
  const nested = content.bundles.flatMap((request) => {
    const requested = Object.hasOwn(bundles, request.bundle) ? bundles[request.bundle] : undefined;
    if (!requested) return [];
    const versionOf = versionFor(requested, request.range);
    if (versionOf === undefined) {
      const there = `a version that there is: ${Object.keys(requested.versions).join(", ")}`;
      fault("bundle", `${settings.bundle} ${version}, which includes ${requestText(request)}`, there);
      return [];
    }
    const inner = nestedName(name, request.bundle);
    if (planned.has(inner) || Object.hasOwn(taken, inner)) {
      fault("bundle", `two bundles that would both be called ${inner}`, "another name for one of the instances");
      return [];
    }
    const place = { ...settings, bundle: request.bundle, version: versionOf, adopt: [], values: undefined };
    expand(inner, place, bundles, { ...work, above: [...above, settings.bundle] });
    return [inner];
  });
  const after = [...settings.dependsOn, ...nested];
  planned.set(name, { root, one: { name, version, format: bundle.format, content, settings, after } });
}

const LONGEST = 63;

/** Name of an included instance. */
function nestedName(name: string, bundle: string): string {
  const whole = `${name}-${bundle}`;
  if (whole.length <= LONGEST) return whole;
  return labelWithHash({ text: whole, whole, hashLength: 8, longest: LONGEST, empty: "bundle" });
}

/** Formats whose object names do not depend on the instance. */
const SAME_NAMES = new Set(["plain+v0", "registry+v1"]);

/** Faults for a bundle that is installed twice in one namespace: both instances would have the same objects. */
function duplicates(all: readonly Rooted[]): PlanFault[] {
  const first = new Map<string, PlannedInstance>();
  return all.flatMap(({ root, one }) => {
    const { bundle, namespace, server } = one.settings;
    const key = JSON.stringify([bundle, namespace, server]);
    const other = first.get(key);
    if (!other) first.set(key, one);
    if (!other || !SAME_NAMES.has(one.format)) return [];
    const found = `${one.name}, which has ${bundle} in namespace ${namespace} as ${other.name} has already`;
    return [{ instance: root, key: "bundle", found, expected: "it once; let others require it (requires)" }];
  });
}

/** Adds the instances that provide the required bundles as dependencies. A missing one is a fault. */
function withRequirements(
  { root, one }: Rooted,
  planned: ReadonlyMap<string, Rooted>,
  off: Disabled,
  faults: PlanFault[],
): Rooted {
  const others = [...planned.values()].map((other) => other.one).filter(({ name }) => name !== one.name);
  const near = others.filter(({ settings }) => settings.server === one.settings.server);
  const providers = one.content.requiredBundles.flatMap((request) => {
    const same = near.filter(({ settings }) => settings.bundle === request.bundle);
    const found = same.find(({ version }) => isWithin(version, request.range));
    if (found) return [found.name];
    const away = others.filter((other) => other.settings.bundle === request.bundle && !near.includes(other));
    const there = [
      ...same.map(({ name, version }) => `${name} is ${request.bundle}@${version}`),
      ...away.map(({ name }) => `${name} is on another cluster`),
      ...Object.keys(off).flatMap((name) => (off[name] === request.bundle ? [`${name} is disabled`] : [])),
    ];
    faults.push({
      instance: root,
      key: "bundle",
      found: `${one.settings.bundle} ${one.version}, which requires ${requestText(request)}`,
      expected: `an instance of it on the same cluster; ${there.length === 0 ? "there is none" : there.join(", ")}`,
    });
    return [];
  });
  return { root, one: { ...one, after: [...new Set([...one.after, ...providers])] } };
}
