import type { OfferedRay } from "../../contract/decoding";
import { mismatch, renderPath, type Fault, type Path } from "../../../foundation/schema/faults";
import { foundAt, type FaultContext } from "../../../foundation/schema/issues";
import { oneOfNames } from "./named";
import type { JupyterHubInput } from "../settings";

/** Determines the Ray and Python versions in an image from its name. Pure. */

interface ImageVersions {
  /** Such as 2.60.0. */
  readonly ray?: string;
  /** Such as 3.12. */
  readonly python?: string;
}

/**
 * Parses tags such as `2.60.0-py312-cpu` of an image called ray, `2026-10-01-ray-2.60.0`, and Jupyter's `python-3.12`.
 * Versions that the name lacks are not set.
 */
export function imageVersions(image: string): ImageVersions {
  const [path = ""] = image.split("@");
  const [, name = "", tag = ""] = /([^/:]+)(?::([^/:]+))?$/.exec(path) ?? [];
  const [, ray] =
    /(?:^|[^a-z])ray-?(?:ml)?[-_]?v?(\d+\.\d+\.\d+)/.exec(tag) ??
    (/^ray([-_.].*)?$/.test(name) ? /^v?(\d+\.\d+\.\d+)(?![\d.])/.exec(tag) : null) ??
    [];
  const [, major, minor] = /(?:^|[^a-z])py(?:thon)?[-_]?(3)\.?(\d{1,2})(?!\d)/.exec(tag) ?? [];
  return {
    ...(ray !== undefined && { ray }),
    ...(minor !== undefined && { python: `${major}.${minor}` }),
  };
}

/** Versions of a client's image that differ from the cluster's, if both are known: `Ray 2.40.0 instead of 2.60.0`. */
function versionClashes(client: string, cluster: Required<Pick<ImageVersions, "ray">> & ImageVersions): string[] {
  const found = imageVersions(client);
  return (["ray", "python"] as const).flatMap((key) =>
    found[key] === undefined || cluster[key] === undefined || found[key] === cluster[key]
      ? []
      : [`${key === "ray" ? "Ray" : "Python"} ${found[key]} instead of ${cluster[key]}`],
  );
}

type RayClusters = Readonly<Record<string, OfferedRay>>;

const at = (...path: Path): Path => ["jupyterhub", ...path];

/** Checks the Ray cluster that the config names for notebooks: it must be enabled, and their images compatible. */
export function rayFaults(input: JupyterHubInput, clusters: RayClusters, place: FaultContext): Fault[] {
  const { ray, rayCluster } = input;
  if (rayCluster === undefined) return [];
  if (!ray) return [mismatch(at("rayCluster"), foundAt(place, at("rayCluster")), "none, because ray is false")];
  const cluster = clusters[rayCluster];
  if (cluster === undefined) return [oneOfNames(at("rayCluster"), rayCluster, Object.keys(clusters), place)];
  return imageClashes(input, cluster).map(({ path, clashes, wanted }) =>
    mismatch(path, `${foundAt(place, path)}, with ${clashes}`, `${wanted}, as the Ray cluster ${rayCluster} has`),
  );
}

/** Warnings about the default Ray cluster, which the config does not name. */
export function rayWarnings(input: JupyterHubInput, clusters: RayClusters): string[] {
  const [[first, cluster] = [], ...others] = Object.entries(clusters);
  if (!input.enabled || !input.ray || input.rayCluster !== undefined || first === undefined || !cluster) return [];
  const names = [first, ...others.map(([name]) => name)];
  return [
    ...(others.length === 0
      ? []
      : [
          `stackyard:jupyterhub.rayCluster: found nothing; notebooks reach ${first}, the first by name of ${names.join(", ")}, ` +
            `and another one when a cluster comes before it. Name it: rayCluster: ${first}`,
        ]),
    ...imageClashes(input, cluster).map(
      ({ path, clashes, wanted }) =>
        `stackyard:${renderPath(path)}: found ${clashes}; notebooks can't reach the Ray cluster ${first} without ${wanted}`,
    ),
  ];
}

interface ImageClash {
  readonly path: Path;
  readonly clashes: string;
  readonly wanted: string;
}

/** Finds incompatible images. Ray rejects clients of another Ray version, or of another Python minor version. */
function imageClashes(input: JupyterHubInput, { image, rayVersion }: OfferedRay): ImageClash[] {
  const { python } = imageVersions(image);
  const wanted = [`Ray ${rayVersion}`, ...(python === undefined ? [] : [`Python ${python}`])].join(" and ");
  const images: [Path, string | undefined][] = [
    [at("image"), input.image],
    ...Object.entries(input.profiles).map(([slug, each]): [Path, string | undefined] => [
      at("profiles", slug, "image"),
      each.image,
    ]),
  ];
  return images.flatMap(([path, each]) => {
    const clashes =
      each === undefined ? [] : versionClashes(each, { ray: rayVersion, ...(python !== undefined && { python }) });
    return clashes.length === 0 ? [] : [{ path, clashes: clashes.join(" and "), wanted }];
  });
}
