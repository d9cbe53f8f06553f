import { maxSatisfying, satisfies } from "semver";
import type { BundleSettings, BundleWish, InstanceSettings, PlannedInstance } from "./settings";

/** Which versions of which bundles go where, and in which order. Pure. */

/** What is wrong with an instance; `key` is the field of the config that says so. */
export interface PlanFault {
  readonly instance: string;
  readonly key: "bundle" | "version" | "dependsOn";
  readonly found: string;
  readonly expected: string;
}

export interface Plan {
  /** Each after those that it needs. */
  readonly instances: readonly PlannedInstance[];
  readonly faults: readonly PlanFault[];
}

type Bundles = Readonly<Record<string, BundleSettings>>;

const wishText = ({ bundle, range }: BundleWish): string => (range === "*" ? bundle : `${bundle}@${range}`);

export function planInstances(bundles: Bundles, instances: Readonly<Record<string, InstanceSettings>>): Plan {
  const faults: PlanFault[] = [];
  const planned = new Map<string, PlannedInstance>();
  for (const [name, settings] of Object.entries(instances))
    expand(name, settings, bundles, { planned, faults, above: [] });
  const all = [...planned.values()].map((one) => withRequirements(one, planned, faults));
  for (const { name, settings } of all) {
    for (const other of settings.dependsOn) {
      if (planned.has(other)) continue;
      faults.push({
        instance: name,
        key: "dependsOn",
        found: `"${other}"`,
        expected: `one of ${[...planned.keys()].join(", ")}`,
      });
    }
  }
  const { ordered, cycle } = inOrder(new Map(all.map((one) => [one.name, one])));
  if (cycle.length > 0) {
    const [instance = ""] = cycle;
    faults.push({
      instance,
      key: "dependsOn",
      found: `a circle: ${cycle.join(" → ")}`,
      expected: "instances that can be put in an order",
    });
  }
  return { instances: ordered, faults };
}

interface Work {
  readonly planned: Map<string, PlannedInstance>;
  readonly faults: PlanFault[];
  /** Bundles that the present one was brought along by. */
  readonly above: readonly string[];
}

/** An instance, and those of the bundles that it brings along: they come first, in the same place. Answers its name. */
function expand(name: string, settings: InstanceSettings, bundles: Bundles, { planned, faults, above }: Work): void {
  const bundle = Object.hasOwn(bundles, settings.bundle) ? bundles[settings.bundle] : undefined;
  const fault = (key: PlanFault["key"], found: string, expected: string) =>
    faults.push({ instance: name, key, found, expected });
  if (!bundle) {
    fault(
      "bundle",
      `"${settings.bundle}"`,
      `one of ${Object.keys(bundles).join(", ") || "the bundles, of which there are none"}`,
    );
    return;
  }
  if (above.includes(settings.bundle)) {
    const circle = [...above.slice(above.indexOf(settings.bundle)), settings.bundle].join(" → ");
    fault("bundle", `bundles that bring each other along: ${circle}`, "bundles that end somewhere");
    return;
  }
  const versions = Object.keys(bundle.versions);
  const version = settings.version ?? maxSatisfying(versions, "*", { includePrerelease: true }) ?? "";
  const content = Object.hasOwn(bundle.versions, version) ? bundle.versions[version] : undefined;
  if (!content) {
    fault("version", `"${version}"`, `one of ${versions.join(", ")}`);
    return;
  }
  const nested = content.bundles.flatMap((wish) => {
    const versionOf = best(bundles, wish);
    if (versionOf === undefined) {
      fault(
        "bundle",
        `${settings.bundle} ${version}, which brings ${wishText(wish)} along`,
        have(bundles, wish.bundle),
      );
      return [];
    }
    const inner = `${name}-${wish.bundle}`;
    if (planned.has(inner)) {
      fault("bundle", `two bundles that would both be called ${inner}`, "another name for one of the instances");
      return [];
    }
    const place = { ...settings, bundle: wish.bundle, version: versionOf, adopt: [], dependsOn: settings.dependsOn };
    expand(inner, place, bundles, { planned, faults, above: [...above, settings.bundle] });
    return [inner];
  });
  const after = [...settings.dependsOn, ...nested];
  planned.set(name, { name, version, format: bundle.format, content, settings, after });
}

const best = (bundles: Bundles, { bundle, range }: BundleWish): string | undefined =>
  maxSatisfying(Object.keys(bundles[bundle]?.versions ?? {}), range) ?? undefined;

const have = (bundles: Bundles, name: string): string => {
  const versions = Object.keys(bundles[name]?.versions ?? {});
  return versions.length > 0
    ? `a version that there is: ${versions.join(", ")}`
    : `one of ${Object.keys(bundles).join(", ")}`;
};

/** Those that have what it requires come before it; what nobody has is a fault. */
function withRequirements(
  one: PlannedInstance,
  planned: ReadonlyMap<string, PlannedInstance>,
  faults: PlanFault[],
): PlannedInstance {
  const near = [...planned.values()].filter(
    (other) => other.name !== one.name && other.settings.access?.server === one.settings.access?.server,
  );
  const providers = one.content.requiredBundles.flatMap((wish) => {
    const same = near.filter(({ settings }) => settings.bundle === wish.bundle);
    const found = same.find(({ version }) => satisfies(version, wish.range, { includePrerelease: true }));
    if (found) return [found.name];
    const there = same.map(({ name, version }) => `${name} is ${wish.bundle}@${version}`).join(", ");
    faults.push({
      instance: one.name,
      key: "bundle",
      found: `${one.settings.bundle} ${one.version}, which requires ${wishText(wish)}`,
      expected: `an instance of it on the same cluster; ${there === "" ? "there is none" : there}`,
    });
    return [];
  });
  return { ...one, after: [...new Set([...one.after, ...providers])] };
}

/** Each after those that it needs; a circle is named from its first back to it. */
function inOrder(all: ReadonlyMap<string, PlannedInstance>): { ordered: PlannedInstance[]; cycle: string[] } {
  const ordered = new Map<string, PlannedInstance>();
  let cycle: string[] = [];
  const visit = (name: string, path: readonly string[]): void => {
    const one = all.get(name);
    if (!one || ordered.has(name) || cycle.length > 0) return;
    if (path.includes(name)) {
      cycle = [...path.slice(path.indexOf(name)), name];
      return;
    }
    for (const before of one.after) visit(before, [...path, name]);
    if (cycle.length === 0) ordered.set(name, one);
  };
  for (const name of all.keys()) visit(name, []);
  return { ordered: [...ordered.values()], cycle };
}
