import { statementsOf } from "../../foundation/iam/document";
import { managedFindings, permissionFindings } from "../../foundation/iam/permissions";
import { isObject } from "../../foundation/json/isObject";
import { mismatch, type Fault, type Path } from "../../foundation/schema/faults";
import { tryRead } from "../../foundation/schema/files";
import type { Resolver } from "../../foundation/schema/resolver";

/** Checks the custom policies of an entry with the rule `no-wildcard-iam` of the policy pack. */

const OR_REASON = "or wildcardReason with the reason";

/** Reads a policy document from a file. Adds faults according to the policy pack. */
export function readPolicy(
  { files, faults }: Resolver,
  path: Path,
  file: string,
  reason: string | undefined,
): string | undefined {
  const read = tryRead(files, file);
  const document = "bytes" in read ? documentOf(read.bytes.toString("utf8")) : undefined;
  if (document === undefined) {
    const found = "trouble" in read ? read.trouble : "no policy document";
    faults.push(mismatch(path, `${JSON.stringify(file)}, ${found}`, "a JSON file with an IAM policy"));
    return undefined;
  }
  for (const { part, message } of reason === undefined ? permissionFindings(document) : []) {
    faults.push({ path, message: `in ${JSON.stringify(file)}, ${part}: ${message}, ${OR_REASON}` });
  }
  return JSON.stringify(document);
}

/** Faults for managed policies that grant full access, according to the policy pack. */
export const managedFaults = (policies: Readonly<Record<string, string>>, path: Path): Fault[] =>
  Object.entries(policies).flatMap(([name, arn]) =>
    managedFindings(arn).map(({ message }) => ({ path: [...path, name], message: `${message}, ${OR_REASON}` })),
  );

function documentOf(text: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) && statementsOf(parsed).length > 0 ? parsed : undefined;
  } catch {
    return undefined;
  }
}
