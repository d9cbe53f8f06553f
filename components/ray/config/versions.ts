import type { RayClusterConfig, RayClusterInput } from "./schema";

/** What follows from the version of Ray: of images, and of token authentication. Pure. */

/** The images of the Ray project, whose tags begin with the version. */
const OFFICIAL = /^(?:[^/]+\/)*rayproject\/ray(?:-[a-z]+)?$/;

interface ImageVersion {
  /** The version that the tag begins with, or names as in `ray-2.56.0`; undefined if it does neither. */
  readonly version: string | undefined;
  /** Whether the version is that of Ray, and not one of the image itself. */
  readonly isCertain: boolean;
}

/** The version of Ray in an image, as far as its name and tag say it. */
export function versionIn(image: string, expected: string): ImageVersion {
  const [, name = "", tag = ""] = /^(.+?)(?::([^:/@]+))?(?:@.*)?$/.exec(image) ?? [];
  const named = /(?:^|[^a-z])ray-v?(\d+\.\d+\.\d+)(?![\w.])/.exec(tag)?.[1];
  const version = named ?? /^\d+\.\d+\.\d+(?![\w.])/.exec(tag)?.[0];
  const isRays = named !== undefined || OFFICIAL.test(name);
  return { version, isCertain: version === expected || (version !== undefined && isRays) };
}

/** Whether this version of Ray has token authentication. */
export function hasTokens(rayVersion: string): boolean {
  const [major = 0, minor = 0] = rayVersion.split(".").map(Number);
  return major > 2 || (major === 2 && minor >= 52);
}

/** The Secret with the token of the cluster called `name`; undefined without authentication. */
export function authOf(name: string, { auth, rayVersion }: RayClusterInput): RayClusterConfig["auth"] {
  const { enabled = hasTokens(rayVersion), secretName } = auth;
  if (!enabled) return undefined;
  return { secretName: secretName ?? `${name}-ray-token`, isOwn: secretName === undefined };
}

/** Warnings for one cluster: images whose version is not known, and no authentication where nobody asked for that. */
export function versionWarnings(
  name: string,
  { rayVersion, auth, image, head, workerGroups }: RayClusterInput,
): string[] {
  const at = `stackyard:ray.${name}`;
  const images: [string, string | undefined][] = [
    [`${at}.image`, image],
    [`${at}.head.image`, head.image],
    ...Object.entries(workerGroups).map(([group, pod]): [string, string | undefined] => [
      `${at}.workerGroups.${group}.image`,
      pod.image,
    ]),
  ];
  const unknown = images.flatMap(([path, given]) =>
    given === undefined || versionIn(given, rayVersion).isCertain
      ? []
      : [`${path}: ${given} does not say its version of Ray; rayVersion says that it is ${rayVersion}`],
  );
  if (hasTokens(rayVersion) || auth.enabled === false) return unknown;
  const open = `${at}.rayVersion: Ray ${rayVersion} has no token authentication, so every pod that reaches its ports can run code in it; 2.52.0 and later have it`;
  return [...unknown, open];
}
