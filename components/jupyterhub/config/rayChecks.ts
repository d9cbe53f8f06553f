import type { OfferedRay } from "../../contract/decoding";
import { imageVersions, versionClashes } from "../imageVersions";
import { mismatch, renderPath, type Fault, type Path } from "../../../foundation/schema/faults";
import { foundAt, type FaultContext } from "../../../foundation/schema/issues";
import { oneOfNames } from "./named";
import type { JupyterHubInput } from "./schema";

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
