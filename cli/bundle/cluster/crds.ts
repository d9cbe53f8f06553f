import { canBeAllowed, isAllowance, isInvalidObjects } from "../../../bundles/crdSafety/allowance";
import { CHECKS, isCheck } from "../../../bundles/crdSafety/checks";
import { UsageError } from "../../../foundation/errors";

/** Names of checks as they were written, of all CRDs or of one, each one that there is and that can be passed over. */
export function checksOf(names: readonly string[] = []): readonly string[] {
  for (const text of names) {
    const name = text.slice(text.indexOf("/") + 1);
    if (isAllowance(text) && !isInvalidObjects(name) && (!isCheck(name) || canBeAllowed(name))) continue;
    const known = Object.keys(CHECKS).filter((one) => isCheck(one) && canBeAllowed(one));
    throw new UsageError(
      `--allow: found ${JSON.stringify(text)}; expected one of ${known.join(", ")}, with <CRD>/ before it for one CustomResourceDefinition only`,
    );
  }
  return names;
}
