import { CHECKS, isCheck, type Check } from "../../provider/bundles/crdSafety/checks";
import { UsageError } from "../errors";

/** Names of checks as they were written, each one that there is. */
export function checksOf(names: readonly string[] = []): Check[] {
  return names.map((name) => {
    if (isCheck(name)) return name;
    throw new UsageError(`--allow: found ${JSON.stringify(name)}; expected one of ${Object.keys(CHECKS).join(", ")}`);
  });
}
