import { labelWithHash } from "../../../foundation/text/legalName";

/** Makes unique names of a-z, 0-9 and `-` of what AWS calls something. Pure. */
export function namesOf(longest: number): (text: string) => string {
  const taken = new Set<string>();
  return (text) => {
    const plain = text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "");
    const isFree = plain !== "" && plain.length <= longest && !taken.has(plain);
    const name = isFree ? plain : labelWithHash({ text, whole: text, hashLength: 6, longest, empty: "unnamed" });
    taken.add(name);
    return name;
  };
}

/** The name of a role, which its ARN has after its path. */
export const roleNameOf = (arn = ""): string => arn.split("/").at(-1) ?? "";
