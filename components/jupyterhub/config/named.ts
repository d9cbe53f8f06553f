import { mismatch, type Fault, type Path } from "../../../foundation/schema/faults";
import { foundAt, type FaultContext } from "../../../foundation/schema/issues";
import { didYouMean } from "../../../foundation/text/nearest";

/** Fault for an unknown name, with the known names. */
export function oneOfNames(path: Path, name: string, names: readonly string[], place: FaultContext): Fault {
  const expected = names.length === 0 ? "nothing, because there are none" : `one of ${names.join(", ")}`;
  return mismatch(path, foundAt(place, path), expected, didYouMean(name, names));
}
