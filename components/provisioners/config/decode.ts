import { isObject } from "../../../foundation/json/isObject";
import type { DecodeContext } from "../../contract/decoding";
import type { Read } from "../../feature";
import type { PoolHost } from "../../resources/staticPool";
import type { SlotSize } from "../../runtime/platform/platform";
import type { GardenerConfig, KubernetesConfig } from "../settings";
import { classFaults } from "./classes";
import { crossChecks, type Pieces } from "./crossChecks";
import { parseProvisioners } from "./parseProvisioners";
import { resolveGardener, resolveKubernetes, resolveLedger, resolvePool } from "./resolve";
import type { ProvisionerInput, provisionerKeys } from "./schema";

/** The provisioner set of a platform, and what its provisioners have in common. */
export interface ProvisionersPart {
  /** Hosts of each static provisioner, by provisioner name. */
  readonly pools: Readonly<Record<string, readonly PoolHost[]>>;
  /** Kubernetes provisioners by name. Names are unique across all types. */
  readonly kubernetes: Readonly<Record<string, KubernetesConfig>>;
  /** Gardener provisioners by name; not set if there are none. */
  readonly gardener?: Readonly<Record<string, GardenerConfig>>;
  readonly defaultProvisioner: string;
  /** Provisioners that may be removed although deployments use them. */
  readonly allowRemoval: readonly string[];
  /** Default provisioner of each environment, by environment name. */
  readonly environments: Readonly<Record<string, string>>;
  readonly slot: SlotSize;
  /** PostgreSQL URL; a secret. Not set if no provisioner is static. */
  readonly ledgerUrl?: string;
}

/** Takes the place of a key with faults. */
const NO_SLOT: SlotSize = { cpu: 1, memoryGb: 1, diskGb: 1 };

export function decodeProvisioners(read: Read<typeof provisionerKeys>, context: DecodeContext): ProvisionersPart {
  const { root } = context.place;
  const hasNone = context.isPartial && root["provisioners"] === undefined && root["defaultProvisioner"] === undefined;
  const provisioners = hasNone ? {} : parseProvisioners(root["provisioners"], context.parse);
  const defaultProvisioner = hasNone ? "" : read("defaultProvisioner");
  const environments = read("environments") ?? {};
  const pieces: Pieces = {
    provisionerNames: new Set(isObject(root["provisioners"]) ? Object.keys(root["provisioners"]) : []),
    clusterGiven: context.offers.cluster.isGiven,
    provisioners,
    defaultProvisioner,
    environments,
    ledger: read("ledger"),
  };
  context.faults.push(...crossChecks(pieces, context.place));
  const resolved = resolveAll(provisioners, context);
  const { cluster, ingressClasses } = context.offers;
  const classes = classFaults(resolved.kubernetes, ingressClasses, cluster.config?.type === "eks");
  context.faults.push(...classes.faults);
  context.warnings.push(...classes.warnings);
  const ledgerUrl = resolveLedger(context, pieces);
  return {
    ...resolved,
    defaultProvisioner: defaultProvisioner ?? "",
    allowRemoval: read("allowRemoval") ?? [],
    environments: Object.fromEntries(Object.entries(environments).map(([name, entry]) => [name, entry.provisioner])),
    slot: read("slot") ?? NO_SLOT,
    ...(ledgerUrl !== undefined && { ledgerUrl }),
  };
}

type Resolved = Pick<ProvisionersPart, "pools" | "kubernetes" | "gardener">;

function resolveAll(provisioners: Readonly<Record<string, ProvisionerInput>>, context: DecodeContext): Resolved {
  const pools: Record<string, readonly PoolHost[]> = {};
  const kubernetes: Record<string, KubernetesConfig> = {};
  const gardener: Record<string, GardenerConfig> = {};
  for (const [name, input] of Object.entries(provisioners)) {
    if (input.type === "static") {
      pools[name] = resolvePool(input);
    } else if (input.type === "gardener") {
      const resolved = resolveGardener(context, name, input);
      if (resolved !== undefined) gardener[name] = resolved;
    } else {
      const resolved = resolveKubernetes(context, name, input, context.offers.cluster.input);
      if (resolved !== undefined) kubernetes[name] = resolved;
    }
  }
  return { pools, kubernetes, ...(Object.keys(gardener).length > 0 && { gardener }) };
}
