import { mergeValues } from "../../../foundation/json/merge";
import { DEFAULT_CLAIM, isRestricted } from "../groups";
import { planValues } from "../plan";
import { valueAt } from "../../../foundation/schema/describe";
import { mismatch, type Fault, type Path } from "../../../foundation/schema/faults";
import { foundAt, unknownKey, type FaultContext } from "../../../foundation/schema/issues";
import { oneOfNames } from "./named";
import { rayFaults } from "./rayChecks";
import { resolveJupyterHub, schemeOf, type ReferencedConfig } from "./resolve";
import type { JupyterHubInput } from "./schema";

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
    ...httpsFaults(input, place),
    ...storageFaults(input, place),
    ...profileFaults(input),
    ...referenceFaults(input, references, place),
    ...rayFaults(input, references.rayClusters ?? {}, place),
    ...valueFaults(input, references, place),
  ];
}

const isDevelopment = (stack: string): boolean => /^dev(-|$)/.test(stack);
const isProduction = (stack: string): boolean => /^prod(uction)?(-|$)/.test(stack);

function authFaults({ auth, host }: JupyterHubInput, place: FaultContext, stack: string): Fault[] {
  if (auth.type === "dummy") {
    if (isDevelopment(stack)) return [];
    const expected = `auth0; type dummy accepts any user and is only for stacks called dev or dev-…, and this one is ${JSON.stringify(stack)}`;
    return [mismatch(at("auth", "type"), '"dummy"', expected)];
  }
  const faults: Fault[] = [];
  if (!place.secretKeys.has("jupyterhub")) {
    const hint = "set it with: pulumi config set --secret --path jupyterhub.auth.clientSecret";
    faults.push(mismatch(at("auth", "clientSecret"), "a plain text", "a secret", hint));
  }
  const someone = [auth.allowedUsers, auth.adminUsers, auth.allowedGroups, auth.adminGroups].some(
    (all) => all.length > 0,
  );
  if (!someone && !auth.allowAll) {
    const expected =
      "at least one of allowedUsers, adminUsers, allowedGroups, adminGroups and allowAll; otherwise no user can log in";
    faults.push(mismatch(at("auth"), "no allowed user", expected));
  }
  const named = auth.allowedUsers.length + auth.adminUsers.length > 0;
  if (someone && !named && !auth.allowAll && isRestricted(auth.groupsClaim)) {
    const path = at("auth", "groupsClaim");
    const expected = "a claim that an Auth0 action can set; otherwise no user can log in";
    faults.push(mismatch(path, foundAt(place, path), expected, `such as ${DEFAULT_CLAIM}`));
  }
  if (auth.allowAll && isProduction(stack)) {
    faults.push(mismatch(at("auth", "allowAll"), "true", "names of users or groups, because the stack is production"));
  }
  for (const scope of ["openid", "email"]) {
    if (auth.scopes.includes(scope)) continue;
    faults.push(
      mismatch(at("auth", "scopes"), `no ${scope}`, "openid and email, because users are identified by email"),
    );
  }
  if (host === undefined && auth.callback === undefined) {
    faults.push(
      mismatch(at("host"), "nothing", "a host name, because Auth0 sends people back to it", "or give auth.callback"),
    );
  }
  return faults;
}

function httpsFaults(input: JupyterHubInput, place: FaultContext): Fault[] {
  const { tls, host, auth } = input;
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
  if (auth.type === "auth0" && auth.callback !== undefined) {
    const path = at("auth", "callback");
    if (!auth.callback.startsWith(`${schemeOf(input)}:`) && schemeOf(input) === "https") {
      faults.push(mismatch(path, foundAt(place, path), "a URL with https, because TLS is on"));
    }
    if (host !== undefined && new URL(auth.callback).hostname !== host) {
      faults.push(mismatch(path, foundAt(place, path), `a URL with the host ${host}`));
    }
  }
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

/**
 * Checks that node pools and `dataAccess` entries exist, and that the entry includes the notebooks' service account.
 */
function referenceFaults(
  input: JupyterHubInput,
  { nodePools, dataAccess }: ReferencedConfig,
  place: FaultContext,
): Fault[] {
  // Faults of an EKS cluster are reported with the cluster.
  if (nodePools === undefined && valueAt(place.root, ["cluster", "type"]) === "eks") return [];
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
  const secret: Path = ["hub", "config", "Auth0OAuthenticator", "client_secret"];
  if (valueAt(values, secret) !== undefined) {
    const expected = "no client secret, because Helm keeps values in the cluster as they are";
    faults.push(mismatch(at("values", ...secret), "one", expected, "it belongs into auth.clientSecret"));
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
    faults.push(mismatch(path, foundAt(place, path), "none, because auth.type says it"));
  }
  return faults;
}
