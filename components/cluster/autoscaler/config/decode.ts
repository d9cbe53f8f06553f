import type { WantedChart } from "../../../charts/charts";
import { CHARTS } from "../../../charts/table";
import { minorOf, tagOf, TAGS } from "../images";
import { NAMESPACE, RELEASE } from "../plan";
import type { AutoscalerSettings, ScaledCluster } from "../settings";
import type { DataAccessConfig } from "../../dataAccess/dataAccess";
import { mismatch, type Path } from "../../../../foundation/schema/faults";
import { foundAt } from "../../../../foundation/schema/issues";
import type { DisabledComponent } from "../../../platform/config/platformConfig";
import type { Resolver } from "../../../../foundation/schema/resolver";
import type { ClusterInput } from "../../../platform/config/schema";
import type { AutoscalerInput } from "./schema";

const KEY = "clusterAutoscaler";
const COMPONENT = { component: KEY, token: "ClusterAutoscaler" } as const;

/** Related parts of the config. */
export interface DecodeContext {
  /** Undefined if there is none, or if it has faults, which are reported elsewhere. */
  readonly cluster: ClusterInput | undefined;
  readonly dataAccess: Readonly<Record<string, DataAccessConfig>>;
  readonly wanted: WantedChart[];
  readonly disabled: DisabledComponent[];
}

/** Decodes the autoscaler's settings. Undefined if it is not configured, is disabled or has faults. */
export function decodeAutoscaler(
  input: AutoscalerInput | undefined,
  resolver: Resolver,
  { cluster, dataAccess, wanted, disabled }: DecodeContext,
): AutoscalerSettings | undefined {
  if (input === undefined) return undefined;
  const { place, faults } = resolver;
  if (!input.enabled) {
    disabled.push({
      ...COMPONENT,
      consequences: "pools stay as large as they are now, and no node is added for pods that wait; no data is lost",
    });
    return undefined;
  }
  if (place.root["cluster"] === undefined) {
    faults.push(mismatch(["cluster"], "nothing", "a cluster on EKS, because the autoscaler scales its nodes"));
  }
  const hasPriority = input.expander.includes("priority");
  if (hasPriority !== Object.keys(input.priorities).length > 0) {
    const path = [KEY, "priorities"];
    faults.push(
      hasPriority
        ? mismatch(path, foundAt(place, path), "pools by priority, because the expander is priority")
        : mismatch(path, foundAt(place, path), "nothing, because no expander is priority"),
    );
  }
  const owner = Object.hasOwn(dataAccess, RELEASE) ? RELEASE : takenBy(dataAccess);
  if (owner !== undefined) {
    faults.push(
      mismatch(
        ["dataAccess", owner],
        "an entry",
        `no role of the name ${RELEASE} and none for ${NAMESPACE}/${RELEASE}; that is the autoscaler's`,
      ),
    );
  }
  const scaled = scaledCluster(input, cluster, resolver);
  const tag = scaled && tagFor(input, scaled, resolver);
  wanted.push({ ...COMPONENT, chart: "cluster-autoscaler", optional: input.optional });
  return scaled && tag !== undefined ? settingsOf(input, scaled.cluster, tag) : undefined;
}

/** The `dataAccess` entry that already assigns a role to the autoscaler's service account. */
const takenBy = (dataAccess: DecodeContext["dataAccess"]): string | undefined =>
  Object.entries(dataAccess).find(([, { serviceAccounts }]) => serviceAccounts[NAMESPACE]?.includes(RELEASE))?.[0];

interface Scaled {
  readonly cluster: ScaledCluster;
  readonly version: string;
  /** Config path of the version. */
  readonly versionPath: Path;
}

function scaledCluster(
  input: AutoscalerInput,
  cluster: ClusterInput | undefined,
  resolver: Resolver,
): Scaled | undefined {
  const { place, faults } = resolver;
  const path = [KEY, "cluster"];
  if (cluster === undefined) return undefined;
  if (cluster.type === "eks") {
    if (cluster.nodes !== "managed") {
      const expected = `nothing, or enabled: false, because nodes is ${cluster.nodes}: two would add nodes for the same pods`;
      faults.push(mismatch([KEY], "settings", expected));
      return undefined;
    }
    if (input.cluster !== undefined) {
      faults.push(mismatch(path, foundAt(place, path), "nothing, because the platform's own cluster is on EKS"));
      return undefined;
    }
    const { name, region, version } = cluster;
    return { cluster: { name, region }, version, versionPath: ["cluster", "version"] };
  }
  const { eks } = cluster;
  if (input.cluster === undefined && eks !== undefined) {
    const { name, region, version } = eks;
    if (version !== undefined)
      return { cluster: { name, region }, version, versionPath: ["cluster", "eks", "version"] };
    faults.push(
      mismatch(["cluster", "eks", "version"], "nothing", "its Kubernetes minor, which the autoscaler has too"),
    );
    return undefined;
  }
  if (input.cluster === undefined) {
    const expected = "name, region and version of the EKS cluster, because it exists already";
    faults.push(mismatch(path, "nothing", expected));
    return undefined;
  }
  const { version, ...scaled } = input.cluster;
  return { cluster: scaled, version, versionPath: [...path, "version"] };
}

/**
 * The image tag: the default for the cluster's minor version, or the configured one, which must have the same minor
 * version.
 */
function tagFor(
  { image }: AutoscalerInput,
  { version, versionPath }: Scaled,
  { faults }: Resolver,
): string | undefined {
  if (image.tag === undefined) {
    const tag = tagOf(version);
    if (tag !== undefined) return tag;
    const known = Object.keys(TAGS).join(", ");
    const hint = `set its image in ${KEY}.image.tag, or disable it with ${KEY}.enabled: false`;
    const expected = `one of ${known}, for which an image of the cluster-autoscaler is known`;
    faults.push(mismatch(versionPath, JSON.stringify(version), expected, hint));
    return undefined;
  }
  if (minorOf(image.tag) === version) return image.tag;
  const expected = `a tag of ${version}, the cluster's own minor`;
  faults.push(mismatch([KEY, "image", "tag"], JSON.stringify(image.tag), expected));
  return undefined;
}

function settingsOf(input: AutoscalerInput, cluster: ScaledCluster, tag: string): AutoscalerSettings {
  const { image, cpu, memoryMb, serviceMonitor } = input;
  const upstream = CHARTS["cluster-autoscaler"].images.autoscaler.replace(/:[^:/]*$/, "");
  return {
    cluster,
    image: { repository: image.repository ?? upstream, tag },
    replicas: input.replicas,
    expander: input.expander,
    priorities: input.priorities,
    balanceSimilarGroups: input.balanceSimilarGroups,
    scaleDown: input.scaleDown,
    maxNodeProvisionTime: input.maxNodeProvisionTime,
    scanInterval: input.scanInterval,
    resources: { cpu, memoryMb },
    ...(serviceMonitor === undefined ? {} : { serviceMonitor }),
    timeoutSeconds: input.timeoutSeconds,
    values: input.values,
  };
}
