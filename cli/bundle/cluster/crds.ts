import { canBeAllowed, isAllowance, isInvalidObjects } from "../../../bundles/crdSafety/allowance";
import { CHECKS, isCheck } from "../../../bundles/crdSafety/checks";
import { UsageError } from "../../../foundation/errors";

/** Checks the names in `--allow` and returns them unchanged. Throws for names that don't exist or can't be allowed. */
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
