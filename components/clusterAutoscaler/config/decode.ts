import { CHARTS } from "../../charts/table";
import { minorOf, tagOf, TAGS } from "../images";
import { mismatch, type Path } from "../../../foundation/schema/faults";
import { foundAt } from "../../../foundation/schema/issues";
import type { ClusterSettings, DecodeContext } from "../../contract/decoding";
import type { Resolver } from "../../../foundation/schema/resolver";
import { takenFaults } from "../../cluster/serviceAccountRole/takenRole";
import { AUTOSCALER, type AutoscalerInput, type AutoscalerSettings, type ScaledCluster } from "./schema";

const KEY = "clusterAutoscaler";
const COMPONENT = { component: KEY, token: "ClusterAutoscaler" } as const;

/** Decodes the autoscaler's settings. Undefined if it is not configured, is disabled or has faults. */
export function decodeAutoscaler(
  input: AutoscalerInput | undefined,
  context: DecodeContext,
): AutoscalerSettings | undefined {
  if (input === undefined) return undefined;
  const { place, faults, wanted, disabled, offers } = context;
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
  faults.push(...takenFaults(AUTOSCALER, offers.cluster.config?.eks, offers.roles));
  const scaled = scaledCluster(input, offers.cluster.input, context);
  const tag = scaled && tagFor(input, scaled, context);
  wanted.push({ ...COMPONENT, chart: "cluster-autoscaler", optional: input.optional });
  return scaled && tag !== undefined ? settingsOf(input, scaled.cluster, tag) : undefined;
}

interface Scaled {
  readonly cluster: ScaledCluster;
  readonly version: string;
  /** Config path of the version. */
  readonly versionPath: Path;
}

function scaledCluster(
  input: AutoscalerInput,
  cluster: ClusterSettings | undefined,
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
    const expected = "name, region and version of the EKS cluster, whose nodes the autoscaler scales";
    faults.push(mismatch(["cluster", "eks"], "nothing", expected));
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
  const upstream = CHARTS["cluster-autoscaler"].images.autoscaler.replace(/:[^:/]*$/, "");
  return { ...input, cluster, image: { repository: input.image.repository ?? upstream, tag } };
}
