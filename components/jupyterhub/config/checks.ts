import { compact, mergeValues } from "../../../foundation/json/merge";
import { LOGINS, loginOf } from "../logins/registry";
import { planValues } from "../plan";
import { valueAt } from "../../../foundation/schema/describe";
import { mismatch, type Fault, type Path } from "../../../foundation/schema/faults";
import { foundAt, unknownKey, type FaultContext } from "../../../foundation/schema/issues";
import { oneOfNames } from "./named";
import { rayFaults } from "./rayChecks";
import { addressOf, resolveJupyterHub, type ReferencedConfig } from "./resolve";
import type { JupyterHubInput } from "../settings";

/** Top-level values of the upstream chart, to report unknown ones before Helm does. */
const CHART_KEYS = [
  "custom",
  "fullnameOverride",
  "nameOverride",
  "imagePullSecret",
  "imagePullSecrets",
  "hub",
  "rbac",
  "proxy",
  "singleuser",
  "scheduling",
  "prePuller",
  "ingress",
  "httpRoute",
  "cull",
  "debug",
  "global",
];

const at = (...path: Path): Path => ["jupyterhub", ...path];

/**
 * Checks across the keys of `jupyterhub`. `stack`: name of the stack, which determines whether development settings are
 * allowed.
 */
export function jupyterhubFaults(
  input: JupyterHubInput,
  references: ReferencedConfig,
  place: FaultContext,
  stack: string,
): Fault[] {
  return [
    ...authFaults(input, place, stack),
    ...httpsFaults(input),
    ...storageFaults(input, place),
    ...profileFaults(input),
    ...sizeFaults(input, place),
    ...referenceFaults(input, references, place),
    ...rayFaults(input, references.rayClusters ?? {}, place),
    ...valueFaults(input, references, place),
  ];
}

function authFaults(input: JupyterHubInput, place: FaultContext, stack: string): readonly Fault[] {
  return loginOf(input.auth).faults(input.auth, { ...addressOf(input), place, stack });
}

function httpsFaults({ tls, host }: JupyterHubInput): Fault[] {
  const faults: Fault[] = [];
  const missing = (key: string, expected: string): void => {
    faults.push(mismatch(at("tls", key), "nothing", expected));
  };
  if (host !== undefined && tls.type === undefined) {
    missing("type", "letsencrypt, secret, offload or off, because there is a host");
  }
  if (host === undefined && tls.type === "letsencrypt") {
    faults.push(mismatch(at("host"), "nothing", "a host name, because Let's Encrypt makes the certificate for it"));
  }
  if (tls.type === "letsencrypt" && tls.email === undefined) missing("email", "an e-mail address for Let's Encrypt");
  if (tls.type === "secret" && tls.secretName === undefined) missing("secretName", "the name of the TLS secret");
  return faults;
}

function storageFaults({ storage }: JupyterHubInput, place: FaultContext): Fault[] {
  const { type, claim, storageClass } = storage;
  if (type === "static" && claim === undefined) {
    return [mismatch(at("storage", "claim"), "nothing", "the name of a claim, because the type is static")];
  }
  const strays = [
    ...(type !== "static" && claim !== undefined ? ["claim"] : []),
    ...(type !== "dynamic" && storageClass !== undefined ? ["storageClass"] : []),
  ];
  return strays.map((key) => {
    const path = at("storage", key);
    return mismatch(path, foundAt(place, path), `no ${key}, because the type is ${type}`);
  });
}

function profileFaults({ profiles }: JupyterHubInput): Fault[] {
  const chosen = Object.keys(profiles).filter((slug) => profiles[slug]?.default);
  return chosen
    .slice(1)
    .map((slug) => mismatch(at("profiles", slug, "default"), "true", `false, because ${chosen[0]} is the default one`));
}

/** Notebooks that could never start: a limit below their request, or a request beyond what a user may have. */
function sizeFaults(input: JupyterHubInput, place: FaultContext): Fault[] {
  const { profiles, notebookLimits } = input;
  const all = [[[], {}] as const, ...Object.entries(profiles).map(([slug, one]) => [["profiles", slug], one] as const)];
  return all.flatMap(([path, own]) => {
    const size = { ...input, ...compact(own) };
    const fault = (key: string, expected: string): Fault => {
      const where = valueAt(place.root, at(...path, key)) === undefined ? at(key) : at(...path, key);
      return mismatch(where, foundAt(place, where), expected);
    };
    const { cpu, cpuLimit = Infinity, memoryGb = 1, memoryLimitGb = Infinity } = size;
    const faults = [
      ...((cpu ?? 0) > cpuLimit ? [fault("cpuLimit", `at least the request, ${cpu}`)] : []),
      ...(memoryGb > memoryLimitGb ? [fault("memoryLimitGb", `at least the request, ${memoryGb}`)] : []),
    ];
    // Without profiles, users start the notebook of the top level.
    if (path.length === 0 && Object.keys(profiles).length > 0) return faults;
    const over = (["cpu", "memoryGb", "gpus"] as const).filter(
      (key) => (size[key] ?? 0) > (notebookLimits.perUser[key] ?? Infinity),
    );
    return [
      ...faults,
      ...over.map((key) => fault(key, `at most notebookLimits.perUser.${key}, ${notebookLimits.perUser[key]}`)),
    ];
  });
}

/**
 * Checks that node pools and `dataAccess` entries exist, and that the entry includes the notebooks' service account.
 */
function referenceFaults(
  input: JupyterHubInput,
  { nodePools, dataAccess }: ReferencedConfig,
  place: FaultContext,
): Fault[] {
  // Faults of an EKS cluster are reported with the cluster.
  if (nodePools === undefined && /^(eks|pulumiEks)$/.test(String(valueAt(place.root, ["cluster", "type"])))) return [];
  const users: (readonly [Path, string | undefined])[] = [
    [at("nodePool"), input.nodePool],
    ...Object.entries(input.profiles).map(
      ([slug, profile]) => [at("profiles", slug, "nodePool"), profile.nodePool] as const,
    ),
  ];
  const faults = users.flatMap(([path, pool]) => {
    if (pool === undefined || nodePools?.[pool] !== undefined) return [];
    if (nodePools !== undefined) return [oneOfNames(path, pool, Object.keys(nodePools), place)];
    const expected = "none, because the cluster exists already, and its pools are not known";
    return [mismatch(path, foundAt(place, path), expected, "nodeSelector and tolerations say the same")];
  });
  if (input.dataAccess === undefined) return faults;
  const entry = dataAccess[input.dataAccess];
  if (entry === undefined) {
    return [...faults, oneOfNames(at("dataAccess"), input.dataAccess, Object.keys(dataAccess), place)];
  }
  const { namespace, serviceAccount } = input;
  const lets = Object.entries(entry.serviceAccounts).some(
    ([space, names]) => fits(space, namespace) && names.some((each) => fits(each, serviceAccount)),
  );
  if (lets) return faults;
  const expected = `${serviceAccount} in the namespace ${namespace}, whose pods are the notebooks`;
  const path: Path = ["dataAccess", input.dataAccess, "serviceAccounts"];
  return [...faults, mismatch(path, "other service accounts", expected)];
}

/** Whether a text matches a pattern: `*` matches any text, `?` one character. */
function fits(pattern: string, text: string): boolean {
  const expression = pattern.replaceAll(".", "\\.").replaceAll("*", ".*").replaceAll("?", ".");
  return new RegExp(`^${expression}$`).test(text);
}

/** Faults in the user's Helm values: unknown keys, secrets, and values that contradict the config. */
function valueFaults(input: JupyterHubInput, references: ReferencedConfig, place: FaultContext): Fault[] {
  const { values } = input;
  const faults = Object.keys(values)
    .filter((key) => !CHART_KEYS.includes(key))
    .map((key) => unknownKey(at("values", key), CHART_KEYS));
  for (const { key, trait } of LOGINS.flatMap(({ secrets = [] }) => secrets)) {
    const path: Path = ["hub", "config", ...trait];
    if (valueAt(values, path) === undefined) continue;
    const expected = "no secret, because Helm keeps values in the cluster as they are";
    faults.push(mismatch(at("values", ...path), "one", expected, `it belongs into auth.${key}`));
  }
  const planned = planValues(resolveJupyterHub(input, references, false), { secretChecksum: "" });
  const merged = mergeValues(planned, { jupyterhub: values });
  const is = (path: Path, wanted: unknown): boolean => valueAt(merged, ["jupyterhub", ...path]) === wanted;
  const allow: Path = ["singleuser", "networkPolicy", "egressAllowRules", "cloudMetadataServer"];
  if (is(["singleuser", "cloudMetadata", "blockWithIptables"], true) && is(allow, true)) {
    const expected = "not both a block of the metadata server by iptables and a rule that allows it";
    faults.push(mismatch(at("values", ...allow), "true", expected, "metadataBlock: nothing allows it"));
  }
  const authenticator: Path = ["hub", "config", "JupyterHub", "authenticator_class"];
  if (valueAt(values, authenticator) !== undefined) {
    const path = at("values", ...authenticator);
    faults.push(
      mismatch(
        path,
        foundAt(place, path),
        "none, because auth.type says it",
        "a class of your own is auth.class with type custom",
      ),
    );
  }
  return faults;
}
