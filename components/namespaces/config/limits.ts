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

/** What each may not be more than. */
const BOUNDS = [
  ["min", ["max", "default", "defaultRequest"]],
  ["defaultRequest", ["default", "max"]],
  ["default", ["max"]],
] as const;

export function limitFaults({ quota = {}, limits = {} }: NamespaceConfig, base: Path): Fault[] {
  const unknown = [
    ...unknownIn(quota, OF_QUOTAS, [...base, "quota"]),
    ...Object.entries<object>({ ...limits }).flatMap(([key, values]) =>
      unknownIn(values, OF_CONTAINERS, [...base, "limits", key]),
    ),
  ];
  const above = BOUNDS.flatMap(([key, bounds]) =>
    Object.entries(limits[key] ?? {}).flatMap(([resource, value]): Fault[] => {
      const bound = bounds.find((one) => isMore(value, limits[one]?.[resource]));
      if (bound === undefined) return [];
      const expected = `at most ${bound}, which is ${limits[bound]?.[resource]}`;
      return [mismatch([...base, "limits", key, resource], JSON.stringify(value), expected)];
    }),
  );
  return [...unknown, ...above];
}

/** Whether one quantity is more than another. False if there is no other. */
const isMore = (one: unknown, other: unknown): boolean => (quantity(one) ?? NaN) > (quantity(other) ?? NaN);

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
