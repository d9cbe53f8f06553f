/** Decides on versions. Pure. */

import * as semver from "semver";

/** A package that is behind, as `npm outdated --json` reports it. */
export interface Outdated {
  readonly current: string;
  readonly latest: string;
}

/** The newest release, not newer than `most`; undefined if there is none. Ignores what is no version. */
export function newest(versions: readonly string[], most?: string): string | undefined {
  const releases = versions.filter((version) => semver.valid(version) !== null && semver.prerelease(version) === null);
  return semver.maxSatisfying(releases, most === undefined ? "*" : `<=${most}`) ?? undefined;
}

/** The releases after `from` that all lists have, from the newest to the oldest. A list may lack `from` itself. */
export function newer(from: string, ...lists: readonly (readonly string[])[]): string[] {
  const [first = [], ...others] = lists;
  const found = first.filter((version) => newest([version]) !== undefined && semver.gt(version, from));
  return semver.rsort(found.filter((version) => others.every((list) => list.includes(version))));
}

/** The newest version that promises the same interface; undefined if that is the current one. */
export function compatible(current: string, versions: readonly string[]): string | undefined {
  const found = newest(versions.filter((version) => semver.satisfies(version, `^${current}`)));
  return found !== undefined && semver.gt(found, current) ? found : undefined;
}

/** Where a version of Pulumi stands besides `package.json` and the Go modules; `@` is the version. */
const PLACES = {
  engine: {
    "toolchain/tools/table.ts": ['const PULUMI = "@"'],
    "service/Containerfile": ["pulumi-nodejs:@", "version.Version=v@"],
    ".github/actions/setup/action.yaml": ["pulumi-version: @"],
  },
  kubernetes: {
    "toolchain/tools/table.ts": ['const PULUMI_KUBERNETES = "@"'],
    "service/Containerfile": ["install resource kubernetes @", "resource-kubernetes-v@/"],
  },
} as const;

/** The files that name a version of the engine or of the Kubernetes provider. */
export const filesOf = (part: keyof typeof PLACES): string[] => Object.keys(PLACES[part]);

/** Replaces the version in the text of such a file. Throws if a place of it does not have the old version. */
export function withVersion(
  part: keyof typeof PLACES,
  file: string,
  text: string,
  { from, to }: { readonly from: string; readonly to: string },
): string {
  const places: readonly string[] = (PLACES[part] as Readonly<Record<string, readonly string[]>>)[file] ?? [];
  return places.reduce((changed, place) => {
    const old = place.replace("@", from);
    if (!changed.includes(old)) throw new Error(`${file}: found no ${old}; expected the version of package.json there`);
    return changed.replaceAll(old, place.replace("@", to));
  }, text);
}
