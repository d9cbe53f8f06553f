import { mismatch, type Fault, type Path } from "../../../foundation/schema/faults";
import { foundAt, type FaultContext } from "../../../foundation/schema/issues";
import { didYouMean } from "../../../foundation/text/nearest";
import { allTypes, ofType, type ProvisionerInput } from "../../runtime/types/registry";

/** The valid parts of a config. A part with faults is not set, and reported elsewhere. */
interface Pieces {
  /** All provisioner names, including those of invalid provisioners. */
  readonly provisionerNames: ReadonlySet<string>;
  /** Whether `cluster` is set at all. */
  readonly clusterGiven: boolean;
  readonly provisioners: Readonly<Record<string, ProvisionerInput>>;
  readonly defaultProvisioner: string | undefined;
  readonly environments: Readonly<Record<string, { readonly provisioner: string }>>;
}

/** Checks across parts: names that must exist, and what types of provisioners check. */
export function crossChecks(pieces: Pieces, place: FaultContext): Fault[] {
  const found = (path: Path): string => foundAt(place, path);
  const { clusterGiven, provisioners } = pieces;
  const ofTypes = allTypes.flatMap((type) => type.faults?.(ofType(type, provisioners), { found, clusterGiven }) ?? []);
  return [...references(pieces, found), ...ofTypes];
}

/** Checks that the default and the environments name existing provisioners. */
function references(pieces: Pieces, found: (path: Path) => string): Fault[] {
  const names = [...pieces.provisionerNames];
  const named = Object.entries(pieces.environments).map(
    ([environment, { provisioner }]) => [["environments", environment, "provisioner"], provisioner] as const,
  );
  const all: (readonly [Path, string])[] = [...named];
  if (pieces.defaultProvisioner !== undefined) all.unshift([["defaultProvisioner"], pieces.defaultProvisioner]);
  // Without any provisioner, the missing set is reported instead.
  if (names.length === 0) return [];
  return all
    .filter(([, name]) => !pieces.provisionerNames.has(name))
    .map(([path, name]) => mismatch(path, found(path), `one of ${names.join(", ")}`, didYouMean(name, names)));
}
