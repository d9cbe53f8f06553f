/** Checks quotas and limits of a namespace as the API server does. Source: Kubernetes' validation of both kinds. */

import { quantity } from "../../../foundation/kubernetes/quantity";
import { mismatch, type Fault, type Path } from "../../../foundation/schema/faults";
import { didYouMean } from "../../../foundation/text/nearest";
import type { NamespaceConfig } from "../settings";

/** Resources of containers. Others have a domain, such as `nvidia.com/gpu`. */
const OF_CONTAINERS = ["cpu", "memory", "ephemeral-storage"];
/** Resources of a quota. Others have a domain, or are counts such as `count/jobs.batch`. */
const OF_QUOTAS = [
  ...OF_CONTAINERS,
  ...OF_CONTAINERS.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  "requests.storage",
  "pods",
  "services",
  "services.nodeports",
  "services.loadbalancers",
  "replicationcontrollers",
  "resourcequotas",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
];
const HUGE_PAGES = /^((requests|limits)\.)?hugepages-/;

/** Pairs of which the first may not be more than the second. */
const ORDER = [
  ["min", "max"],
  ["min", "default"],
  ["min", "defaultRequest"],
  ["defaultRequest", "default"],
  ["default", "max"],
  ["defaultRequest", "max"],
] as const;

export function limitFaults({ quota = {}, limits = {} }: NamespaceConfig, base: Path): Fault[] {
  const unknown = [
    ...unknownIn(quota, OF_QUOTAS, [...base, "quota"]),
    ...Object.entries<object>({ ...limits }).flatMap(([key, values]) =>
      unknownIn(values, OF_CONTAINERS, [...base, "limits", key]),
    ),
  ];
  const found = ORDER.flatMap(([less, more]) =>
    Object.entries(limits[less] ?? {}).flatMap(([resource, value]): Fault[] => {
      const bound = limits[more]?.[resource];
      const [given, most] = [quantity(value), quantity(bound)];
      if (given === undefined || most === undefined || given <= most) return [];
      return [
        mismatch([...base, "limits", less, resource], JSON.stringify(value), `at most ${more}, which is ${bound}`),
      ];
    }),
  );
  // One fault for a value.
  return [
    ...unknown,
    ...found.filter(({ path }, index) => found.findIndex((other) => same(path, other.path)) === index),
  ];
}

const same = (one: Path, other: Path): boolean => one.join("\n") === other.join("\n");

const unknownIn = (values: object, known: readonly string[], base: Path): Fault[] =>
  Object.keys(values)
    .filter((name) => !name.includes("/") && !known.includes(name) && !HUGE_PAGES.test(name))
    .map((name) =>
      mismatch(
        [...base, name],
        "an unknown resource",
        `one of ${known.join(", ")}, or one with a domain`,
        didYouMean(name, known),
      ),
    );
