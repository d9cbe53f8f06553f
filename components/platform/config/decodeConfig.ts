import type * as z from "zod";
import type { WantedChart } from "../../charts/charts";
import { decodeAutoscaler } from "../../cluster/autoscaler/config/decode";
import { decodeBundles } from "../../bundle/config/decode";
import { resolveCharts } from "../../charts/config/charts";
import { decodeClickHouse } from "../../clickhouse/config/decode";
import { decodeKarpenter } from "../../cluster/karpenter/decode";
import { decodeGpuPlugin } from "../../cluster/gpu/config";
import { decodeMetrics } from "../../cluster/metrics/config";
import { classFaults } from "../../ingress/config/classes";
import { decodeIngress, servedClasses } from "../../ingress/config/decode";
import { crossChecks, type Pieces } from "./crossChecks";
import { resolveDataAccess } from "../../cluster/dataAccess/config";
import { valueAt } from "../../../foundation/schema/describe";
import { ConfigError, inOrder, type Fault } from "../../../foundation/schema/faults";
import type { Files } from "../../../foundation/schema/files";
import { faultsOf, unknownKey, type Place } from "../../../foundation/schema/issues";
import { withMirror } from "../../charts/config/images";
import { decodeJupyterHub } from "../../jupyterhub/config/decode";
import type { PoolHost } from "../../resources/staticPool";
import type { GardenerConfig, KubernetesConfig, PlatformConfig, DisabledComponent } from "./platformConfig";
import { misspelt } from "../../namespaces/config/namespaces";
import { decodeRay } from "../../ray/config/decode";
import { decodeRayOperator } from "../../ray/operator/config/decode";
import { resolveCluster, resolveKubernetes, resolveLedger, resolvePool } from "./resolve";
import type { Resolver } from "../../../foundation/schema/resolver";
import { platformShape, type PlatformKey } from "./schema";
import { zoneWarnings } from "./zones";
import { decodeService } from "../../service/config/decode";
import { decodeTeraslice } from "../../teraslice/config/decode";
import { namespaceFaults } from "../../namespaces/config/faults";
import { resolveGardener } from "../../provisioners/config/resolveGardener";
import { parseProvisioners, type Parse } from "../../provisioners/config/parseProvisioners";
import { isObject } from "../../../foundation/json/isObject";

/** Config before decoding. */
export interface RawConfig {
  /** Values of the `stackyard:` namespace by key, as parsed JSON. An empty string or object counts as not set. */
  readonly values: Readonly<Record<string, unknown>>;
  /** All keys of the stack with their namespaces, to find misspelled ones. Default: none. */
  readonly allKeys?: readonly string[];
  /** Keys whose value is, or contains, a secret. Default: none. */
  readonly secretKeys?: ReadonlySet<string>;
  /** Name of the stack. Development-only settings are faults in other stacks. Default: not development. */
  readonly stack?: string;
  /** Whether a config with only some components, and no provisioner, is valid. Default: false. */
  readonly isPartial?: boolean;
}

const PLATFORM_KEYS = Object.keys(platformShape) as PlatformKey[];

/**
 * Checks and completes a config. Pure except for `files`, which reads the files that the config references. Throws one
 * {@link ConfigError} with every fault.
 */
export function decodeConfig(raw: RawConfig, files: Files): PlatformConfig {
  const values = Object.fromEntries(Object.entries(raw.values).filter(([, value]) => !isEmpty(value)));
  const place: Place = { root: values, secretKeys: raw.secretKeys ?? new Set() };
  const faults: Fault[] = Object.keys(raw.values)
    .filter((key) => !Object.hasOwn(platformShape, key))
    .map((key) => unknownKey([key], PLATFORM_KEYS));
  faults.push(...misspelt(raw.allKeys ?? [], "stackyard"));
  const warnings: string[] = [];
  const resolver: Resolver = { files, place, faults, warnings };

  // Parses each part separately, so that a fault in one does not hide faults in others.
  const parse: Parse = (schema, path, value) => {
    const result = schema.safeParse(value);
    if (!result.success) faults.push(...faultsOf(result.error.issues, path, place));
    return result.data;
  };
  const key = <K extends PlatformKey>(name: K) =>
    parse(platformShape[name] as unknown as z.ZodType<z.output<(typeof platformShape)[K]>>, [name], values[name]);

  const cluster = key("cluster");
  const keys = [values["provisioners"], values["defaultProvisioner"]];
  const hasNone = raw.isPartial === true && keys.every((value) => value === undefined);
  const provisioners = hasNone ? {} : parseProvisioners(values["provisioners"], parse);
  const defaultProvisioner = hasNone ? "" : key("defaultProvisioner");
  const allowRemoval = key("allowRemoval") ?? [];
  const environments = key("environments") ?? {};
  const slot = key("slot");
  const charts = key("charts");
  const images = key("images") ?? {};
  // Checked only. The provider reads these itself, because a destroy runs no program.
  key("allowDataLoss");
  key("allowLeftovers");
  const pieces: Pieces = {
    provisionerNames: new Set(isObject(values["provisioners"]) ? Object.keys(values["provisioners"]) : []),
    clusterGiven: values["cluster"] !== undefined,
    provisioners,
    defaultProvisioner,
    environments,
    ledger: key("ledger"),
  };
  faults.push(...crossChecks(pieces, place));

  const pools: Record<string, readonly PoolHost[]> = {};
  const kubernetes: Record<string, KubernetesConfig> = {};
  const gardener: Record<string, GardenerConfig> = {};
  for (const [name, input] of Object.entries(provisioners)) {
    if (input.type === "static") {
      pools[name] = resolvePool(input);
      continue;
    }
    if (input.type === "gardener") {
      const resolved = resolveGardener(resolver, name, input);
      if (resolved !== undefined) gardener[name] = resolved;
      continue;
    }
    const resolved = resolveKubernetes(resolver, name, input, cluster);
    if (resolved !== undefined) kubernetes[name] = resolved;
  }
  const clusterConfig = cluster === undefined ? undefined : resolveCluster(resolver, cluster);
  const eks = clusterConfig?.type === "eks" ? clusterConfig.eks : undefined;
  const onEks = clusterConfig?.eks;
  // Also true if the cluster has faults.
  const isEks = valueAt(values, ["cluster", "type"]) === "eks" || valueAt(values, ["cluster", "eks"]) !== undefined;
  const dataAccess = resolveDataAccess(resolver, key("dataAccess") ?? {}, onEks, isEks);
  const ledgerUrl = resolveLedger(resolver, pieces);
  const clickhouse = decodeClickHouse(key("clickhouse"), resolver, { cluster, isGiven: pieces.clusterGiven });

  // Charts of the configured components.
  const wanted: WantedChart[] = [];
  const disabled: DisabledComponent[] = [];
  const clusterAutoscaler = decodeAutoscaler(key("clusterAutoscaler"), resolver, {
    cluster,
    dataAccess,
    wanted,
    disabled,
  });
  const ingressInput = key("ingress");
  const isAuto = cluster?.type === "eks" && cluster.nodes === "auto";
  const chartPlace = { wanted, disabled, mirror: images.mirror, versions: charts?.versions ?? {} };
  const karpenter = decodeKarpenter(eks, chartPlace);
  const ingress = decodeIngress(ingressInput, resolver, { onEks, isEks, isAuto, dataAccess, ...chartPlace });
  const classes = classFaults(kubernetes, servedClasses(ingressInput, isAuto), eks !== undefined);
  faults.push(...classes.faults);
  warnings.push(...classes.warnings);
  const gpuDevicePlugin = decodeGpuPlugin(key("gpuDevicePlugin"), resolver, {
    eks,
    isGiven: pieces.clusterGiven,
    ...chartPlace,
  });
  const metricsServer = decodeMetrics(key("metricsServer"), resolver, {
    isCreated: cluster?.type === "eks",
    isGiven: pieces.clusterGiven,
    ...chartPlace,
  });
  const ray = decodeRay(key("ray"), resolver, {
    wanted,
    disabled,
    ...(eks === undefined ? {} : { nodePools: eks.nodePools }),
  });
  const jupyterhub = decodeJupyterHub(key("jupyterhub"), resolver, {
    stack: raw.stack ?? "",
    wanted,
    disabled,
    ...(eks === undefined ? {} : { nodePools: eks.nodePools }),
    dataAccess,
    rayClusters: ray ?? {},
    annotates: onEks?.identity === "irsa",
  });
  warnings.push(...zoneWarnings(eks, jupyterhub));
  const rayOperator = decodeRayOperator(key("rayOperator"), ray ?? {}, resolver);
  const masters = { teraslice: key("teraslice"), terasliceClusters: key("terasliceClusters") };
  const teraslice = decodeTeraslice(masters, resolver, { disabled });
  const service = decodeService(key("service"), resolver, { disabled });
  const server = clusterConfig?.type === "existing" ? clusterConfig.access.server : undefined;
  const inputs = { classes: key("bundleClasses"), bundles: key("bundles"), instances: key("instances"), server };
  const bundles = decodeBundles(inputs, resolver);
  faults.push(...namespaceFaults({ provisioners: kubernetes, ray: ray ?? {}, bundles, teraslice, service }, place));
  const chartsConfig = charts && resolveCharts(resolver, charts, wanted);

  if (faults.length > 0 || chartsConfig === undefined || slot === undefined || defaultProvisioner === undefined) {
    throw new ConfigError(inOrder(faults, raw.values));
  }
  return withMirror({
    ...(clusterConfig === undefined ? {} : { cluster: clusterConfig }),
    pools,
    kubernetes,
    ...(Object.keys(gardener).length > 0 && { gardener }),
    dataAccess,
    defaultProvisioner,
    allowRemoval,
    environments: Object.fromEntries(Object.entries(environments).map(([name, entry]) => [name, entry.provisioner])),
    slot,
    ...(ledgerUrl === undefined ? {} : { ledgerUrl }),
    clickhouse,
    charts: chartsConfig,
    ...(clusterAutoscaler === undefined ? {} : { clusterAutoscaler }),
    ...(karpenter === undefined ? {} : { karpenter }),
    ...(ingress === undefined ? {} : { ingress }),
    ...(gpuDevicePlugin === undefined ? {} : { gpuDevicePlugin }),
    ...(metricsServer === undefined ? {} : { metricsServer }),
    ...(jupyterhub === undefined ? {} : { jupyterhub }),
    ...(ray === undefined ? {} : { ray }),
    rayOperator,
    ...teraslice,
    ...(service === undefined ? {} : { service }),
    bundles,
    images,
    disabled,
    warnings,
  });
}

/** `Pulumi.yaml` needs a default for an optional key, so an empty value counts as not set. */
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === "" || (isObject(value) && Object.keys(value).length === 0);
