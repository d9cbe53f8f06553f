/** Chooses the version of a package in a catalog as OLM does: the highest that the installed one may become. Pure. */

import { rcompare, satisfies, validRange } from "semver";
import { Refused } from "../errors";
import type { CatalogBundle, CatalogPackage, Edge } from "./read";

export interface Wish {
  readonly package: string;
  /** Range of versions. */
  readonly version: string;
  /** Default: all channels. */
  readonly channel?: string | undefined;
}

/** `installed`: undefined for the first version, which may be any. Throws {@link Refused} if there is none. */
export function chooseBundle(
  { bundles, edges }: CatalogPackage,
  wish: Wish,
  installed: CatalogBundle | undefined,
): CatalogBundle {
  const { package: name, version, channel } = wish;
  if (validRange(version) === null)
    throw new Refused(`version: found ${JSON.stringify(version)}; expected a range, such as ">=1.2 <2"`);
  const within = edges.filter((edge) => channel === undefined || edge.channel === channel);
  if (within.length === 0) {
    const names = [...new Set(edges.map((edge) => edge.channel))].sort().join(", ");
    throw new Refused(`the package ${name} has no channel ${channel ?? ""} with bundles; it has ${names || "none"}`);
  }
  const offered = new Set(within.map(({ bundle }) => bundle));
  const wanted = bundles
    .filter((one) => offered.has(one.name) && satisfies(one.version, version))
    .sort((a, b) => rcompare(a.version, b.version) || (a.name < b.name ? 1 : -1));
  const [newest] = wanted;
  const where = channel === undefined ? "" : ` in channel ${channel}`;
  if (newest === undefined) {
    const versions = bundles.filter((one) => offered.has(one.name)).map((one) => one.version);
    const there = versions.sort(rcompare).slice(0, 12).join(", ");
    throw new Refused(`the package ${name} has no version ${version}${where}; it has ${there}`);
  }
  if (installed === undefined) return newest;
  const next = wanted.find((one) => one.name === installed.name || leads(installed, one, within));
  if (next !== undefined) return next;
  const steps = bundles.filter((one) => leads(installed, one, within)).map((one) => one.version);
  const may = steps.length === 0 ? "nothing" : steps.sort(rcompare).join(" or ");
  throw new Refused(
    `version ${installed.version} of ${name} is installed, which may become ${may}${where}, not ${newest.version}; ` +
      `allow one of these versions first, or set anyUpgrade: true`,
  );
}

const leads = (from: CatalogBundle, to: CatalogBundle, edges: readonly Edge[]): boolean =>
  edges.some(
    ({ bundle, follows, skipRange }) =>
      bundle === to.name &&
      (follows.includes(from.name) || (skipRange !== undefined && satisfies(from.version, skipRange))),
  );
