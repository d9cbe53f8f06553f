import { mismatch, type Fault, type Path } from "../faults";
import { foundAt, type Place } from "../issues";
import { didYouMean } from "../nearest";

/** A name that is not among those that there are. */
export function oneOfNames(path: Path, name: string, names: readonly string[], place: Place): Fault {
  const expected = names.length === 0 ? "nothing, because there are none" : `one of ${names.join(", ")}`;
  return mismatch(path, foundAt(place, path), expected, didYouMean(name, names));
}
