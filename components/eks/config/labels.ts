/** Checks labels against the rules of the kubelet, and tags against those of AWS. */

import { mismatch, type Fault, type Path } from "../../../foundation/schema/faults";

/** Maximum number of user tags: AWS allows 50, and the platform adds a name and two for load balancers. */
const MOST_TAGS = 47;
/** Maximum length of a tag's key. */
const LONGEST_TAG = 128;
const LABEL_TAG = "k8s.io/cluster-autoscaler/node-template/label/";
const TAINT_TAG = "k8s.io/cluster-autoscaler/node-template/taint/";

const NAME = /^[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/;
const PREFIX = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;
const VALUE = /^([A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?)?$/;
export const LABEL_KEY = "a label key: a name of 63 characters at most, before it a DNS name and a slash if you like";
export const LABEL_VALUE = "a label value of 63 characters at most, a letter or digit at both ends";

/** Whether Kubernetes accepts the key for a label or taint. */
export function isLabelKey(key: string): boolean {
  const [name = "", prefix, more] = key.split("/").reverse();
  return (
    more === undefined && NAME.test(name) && (prefix === undefined || (prefix.length <= 253 && PREFIX.test(prefix)))
  );
}

export const isLabelValue = (value: string): boolean => VALUE.test(value);

/** Labels that the platform sets and selects nodes by. */
const SET_BY_PLATFORM = new Set(["stackyard.dev/node-pool", "dedicated", "k8s.amazonaws.com/accelerator"]);
/** Prefixes of labels that a kubelet may set on its own node. Source: the NodeRestriction admission plugin. */
const KUBELETS = /^((\w[\w.-]*\.)?(kubelet|node)\.kubernetes\.io)\//;
/** Labels with a value of each node's own, by which Kubernetes spreads pods and finds disks. */
const SET_BY_KUBERNETES = new Set([
  "kubernetes.io/hostname",
  "kubernetes.io/arch",
  "kubernetes.io/os",
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
]);

function expectedOf(key: string): string | undefined {
  if (SET_BY_PLATFORM.has(key)) return "another key: the platform sets this one, and selects nodes by it";
  const [domain = ""] = key.split("/");
  if (/^(.+\.)?eks\.amazonaws\.com$/.test(domain)) return "another key: EKS sets those of eks.amazonaws.com";
  if (!key.includes("/") || !/^(.+\.)?(kubernetes|k8s)\.io$/.test(domain)) return undefined;
  if (SET_BY_KUBERNETES.has(key)) return "another key: Kubernetes sets this one, with the value of each node";
  return KUBELETS.test(key)
    ? undefined
    : `a prefix of your own: a kubelet may not set labels of ${domain}, so the node could not join`;
}

/** Faults in the labels and taints of a pool. */
export function labelFaults(
  { labels, taints }: { labels: Readonly<Record<string, string>>; taints: readonly { key: string }[] },
  base: Path,
): Fault[] {
  const ofLabels = Object.keys(labels).flatMap((key): Fault[] => {
    const expected = expectedOf(key) ?? tooLong(LABEL_TAG + key);
    return expected === undefined ? [] : [mismatch([...base, "labels", key], JSON.stringify(key), expected)];
  });
  const ofTaints = taints.flatMap(({ key }, index): Fault[] => {
    const expected = tooLong(TAINT_TAG + key);
    return expected === undefined ? [] : [mismatch([...base, "taints", index, "key"], JSON.stringify(key), expected)];
  });
  return [...ofLabels, ...ofTaints];
}

const tooLong = (tag: string): string | undefined =>
  tag.length <= LONGEST_TAG
    ? undefined
    : `a key that is ${tag.length - LONGEST_TAG} characters shorter: as a tag for the autoscaler it has ${tag.length}, and AWS takes ${LONGEST_TAG}`;

/** Tags by which controllers in clusters find subnets and security groups; every resource gets the tags of the config. */
const CONTROLLERS = /^kubernetes\.io\/(cluster|role)\//;

/** The expected value for a key that AWS rejects or a controller reads; undefined for another one. */
function expectedTag(key: string, earlier: readonly string[]): string | undefined {
  if (/^aws:/i.test(key)) return "a key without aws:, which is AWS' own";
  if (/^eks:/.test(key)) return "a key without eks:, which is EKS' own";
  if (CONTROLLERS.test(key)) return "another key: controllers find subnets and security groups by this one";
  const same = earlier.find((other) => other.toLowerCase() === key.toLowerCase());
  return same === undefined ? undefined : `one of "${same}" and "${key}", since IAM ignores the case of keys`;
}

/** Faults in the tags for all AWS resources. */
export function tagFaults(tags: Readonly<Record<string, string>>, base: Path): Fault[] {
  const keys = Object.keys(tags);
  return [
    ...keys.flatMap((key, index) => {
      const expected = expectedTag(key, keys.slice(0, index));
      return expected === undefined ? [] : [mismatch([...base, key], JSON.stringify(key), expected)];
    }),
    ...(keys.length <= MOST_TAGS
      ? []
      : [mismatch(base, `${keys.length} tags`, `at most ${MOST_TAGS}, since AWS takes 50 and the platform adds some`)]),
  ];
}
