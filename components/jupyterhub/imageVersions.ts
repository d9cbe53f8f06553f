/** Determines the Ray and Python versions in an image from its name. Pure. */

interface ImageVersions {
  /** Such as 2.56.0. */
  readonly ray?: string;
  /** Such as 3.12. */
  readonly python?: string;
}

/**
 * Parses tags such as `2.56.0-py312-cpu` of an image called ray, `2026-10-01-ray-2.56.0`, and Jupyter's `python-3.12`.
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

/** Versions of a client's image that differ from the cluster's, if both are known: `Ray 2.40.0 instead of 2.56.0`. */
export function versionClashes(
  client: string,
  cluster: Required<Pick<ImageVersions, "ray">> & ImageVersions,
): string[] {
  const found = imageVersions(client);
  return (["ray", "python"] as const).flatMap((key) =>
    found[key] === undefined || cluster[key] === undefined || found[key] === cluster[key]
      ? []
      : [`${key === "ray" ? "Ray" : "Python"} ${found[key]} instead of ${cluster[key]}`],
  );
}
