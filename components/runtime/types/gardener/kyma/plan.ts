import { isObject, type Json } from "../../../../../foundation/json/isObject";
import { withoutUndefined } from "../../../../../foundation/json/withoutUndefined";
import { divideSecrets } from "../../../../../foundation/schema/secretValues";
import { nearest } from "../../../../../foundation/text/nearest";
import type { KymaComponent, KymaEntry, KymaRequest } from "../../../request/kyma/schema";
import { source, type KymaSettings } from "./settings";

/** Plans Kyma from a deployment's request and the settings of its provisioner. Pure. */

interface ModulePlan {
  readonly name: string;
  readonly namespace: string;
  readonly format: string;
  readonly sources: readonly Json[];
  /** Secrets of each source, in the same order. */
  readonly credentials: readonly Json[];
  readonly digest?: string;
  readonly values?: Json;
  readonly secretValues?: Json;
}

interface InstallerPlan {
  readonly version: string;
  readonly installerUrl?: string;
  readonly digest?: string;
  readonly profile?: string;
  readonly components?: readonly Json[];
  readonly configuration?: readonly Json[];
  readonly secretOverrides?: readonly Json[];
  readonly conflictStrategy?: string;
  readonly brokerUrlPrefix?: string;
}

/** A Kyma resource of Lifecycle Manager. */
interface ResourcePlan {
  readonly channel: string;
  readonly modules: NonNullable<KymaRequest["modules"]>;
  readonly labels: Readonly<Record<string, string>>;
}

export type KymaPlan =
  | { readonly mode: "manifests"; readonly modules: readonly ModulePlan[]; readonly timeoutSeconds: number }
  | { readonly mode: "installer"; readonly installer: InstallerPlan; readonly timeoutSeconds: number }
  | { readonly mode: "modules"; readonly kyma: ResourcePlan; readonly timeoutSeconds: number };

/** A request that the provisioner can't fulfil. */
export class KymaFault extends Error {
  override readonly name = "KymaFault";

  constructor(path: string, found: string, expected: string) {
    super(`kyma.${path}: found ${found}; expected ${expected}`);
  }
}

/** Returns undefined for a cluster without Kyma. Throws {@link KymaFault}. */
export function planKyma(settings: KymaSettings | undefined, request: KymaRequest | undefined): KymaPlan | undefined {
  if (request === undefined || settings?.mode === "none") return undefined;
  if (settings === undefined)
    throw new KymaFault("version", request.version ?? "none", "no kyma: the provisioner has no settings for it");
  const { mode, timeoutSeconds } = settings;
  if (mode === "modules") return { mode, kyma: resourceOf(settings, request), timeoutSeconds };
  for (const key of OF_MODULES.filter((one) => request[one] !== undefined)) {
    throw new KymaFault(key, JSON.stringify(request[key]), `nothing with mode ${mode} of the provisioner`);
  }
  const { version } = request;
  if (version === undefined)
    throw new KymaFault("version", "nothing", `a version, for mode ${mode} of the provisioner`);
  const asked = { ...request, version };
  return mode === "installer"
    ? { mode, installer: installerOf(settings, asked), timeoutSeconds }
    : { mode, modules: modulesOf(settings, asked), timeoutSeconds };
}

const OF_MODULES = ["channel", "modules"] as const;
const OF_VERSIONS = ["version", "profile", "components", "configuration", "conflictStrategy"] as const;
const DEFAULT_CHANNEL = "regular";

function resourceOf({ channel, modules = [], labels = {} }: KymaSettings, request: KymaRequest): ResourcePlan {
  for (const key of OF_VERSIONS.filter((one) => request[one] !== undefined)) {
    const found = JSON.stringify(request[key]);
    throw new KymaFault(
      key,
      found,
      "channel and modules instead: with mode modules of the provisioner, Kyma has no version",
    );
  }
  return { channel: request.channel ?? channel ?? DEFAULT_CHANNEL, modules: request.modules ?? modules, labels };
}

type Versioned = KymaRequest & { readonly version: string };

function installerOf({ versions, installerUrl, brokerUrlPrefix }: KymaSettings, request: Versioned): InstallerPlan {
  const { version, profile, components, configuration = [], conflictStrategy } = request;
  const isSecret = ({ secret }: KymaEntry): boolean => secret === true;
  const entry = ({ key, value }: KymaEntry) => ({ key, value });
  const secretOverrides = [
    ...configuration.filter(isSecret).map(entry),
    ...(components ?? []).flatMap(({ component, configuration: own = [] }) =>
      own.filter(isSecret).map((one) => ({ component, ...entry(one) })),
    ),
  ];
  const open = configuration.filter((one) => !isSecret(one)).map(entry);
  return withoutUndefined<InstallerPlan>({
    version,
    installerUrl: installerUrl?.replaceAll("{version}", version),
    digest: versions[version]?.digest,
    profile: profile?.toLowerCase(),
    components: components?.map(({ configuration: own = [], ...rest }) => ({
      ...rest,
      configuration: own.filter((one) => !isSecret(one)).map(entry),
    })),
    configuration: open.length === 0 ? undefined : open,
    secretOverrides: secretOverrides.length === 0 ? undefined : secretOverrides,
    conflictStrategy,
    brokerUrlPrefix,
  });
}

/** The component that connects a cluster to the Director. */
export const AGENT = "compass-runtime-agent";

/** Whether Kyma in the cluster includes that component. */
export function hasAgent(plan: KymaPlan | undefined): boolean {
  if (plan === undefined) return false;
  if (plan.mode === "modules") return false;
  if (plan.mode === "manifests") return plan.modules.some(({ name }) => name === AGENT);
  // By default, a release includes the agent.
  return plan.installer.components?.some(({ component }) => component === AGENT) ?? true;
}
/** The format in which configuration entries become values. */
const WITH_VALUES = "helm";

type WantedModule = Pick<KymaComponent, "component"> & Partial<KymaComponent>;

/** All modules of the version, or those that the request names, in its order. */
function modulesOf({ versions }: KymaSettings, request: Versioned): ModulePlan[] {
  const known = Object.keys(versions);
  const found = Object.hasOwn(versions, request.version) ? versions[request.version] : undefined;
  if (!found) throw new KymaFault("version", `"${request.version}"`, oneOf(known, request.version));
  const { modules } = found;
  const wanted: readonly WantedModule[] =
    request.components ?? Object.keys(modules).map((component) => ({ component }));
  const isHelm = ({ component }: WantedModule): boolean => modules[component]?.format === WITH_VALUES;
  if ((request.configuration ?? []).length > 0 && !wanted.some(isHelm)) {
    throw new KymaFault("configuration", "entries", `none: no module is of format ${WITH_VALUES}, which takes values`);
  }
  return wanted.flatMap((one, index) => {
    const { component, namespace, configuration: own = [] } = one;
    const settings = Object.hasOwn(modules, component) ? modules[component] : undefined;
    // The original API requires clients to name the agent, so it is accepted even if the version does not have it.
    if (!settings && component === AGENT) return [];
    if (!settings) {
      throw new KymaFault(`components[${index}].component`, `"${component}"`, oneOf(Object.keys(modules), component));
    }
    if (own.length > 0 && settings.format !== WITH_VALUES) {
      const expected = `none: module ${component} is of format ${settings.format}; modules of format ${WITH_VALUES} take values, and Kyma's own installer (mode installer) takes overrides`;
      throw new KymaFault(`components[${index}].configuration`, "entries", expected);
    }
    const entries = settings.format === WITH_VALUES ? [...(request.configuration ?? []), ...own] : [];
    const parts = settings.sources.map((one) => divideSecrets(source, one));
    const values = nested(entries.filter(({ secret }) => secret !== true));
    const secretValues = nested(entries.filter(({ secret }) => secret === true));
    return [
      {
        name: component,
        namespace: namespace ?? settings.namespace,
        format: settings.format,
        sources: parts.map(({ open }) => open),
        credentials: parts.map(({ secret }) => secret),
        ...(settings.digest === undefined ? {} : { digest: settings.digest }),
        ...(Object.keys(values).length === 0 ? {} : { values }),
        ...(Object.keys(secretValues).length === 0 ? {} : { secretValues }),
      },
    ];
  });
}

function oneOf(known: readonly string[], found: string): string {
  if (known.length === 0) return "none: the provisioner has none";
  const meant = nearest(found, known);
  return `one of ${known.join(", ")}${meant === undefined ? "" : `; did you mean ${meant}?`}`;
}

/** Converts entries such as `global.domainName` to nested values of a chart. */
function nested(entries: readonly KymaEntry[]): Json {
  const values: Json = {};
  for (const { key, value } of entries) {
    const path = key.split(".");
    const last = path.pop() ?? key;
    let at = values;
    for (const part of path) {
      const inner: Json = Object.hasOwn(at, part) && isObject(at[part]) ? at[part] : {};
      Object.defineProperty(at, part, { value: inner, enumerable: true, writable: true, configurable: true });
      at = inner;
    }
    Object.defineProperty(at, last, { value, enumerable: true, writable: true, configurable: true });
  }
  return values;
}
