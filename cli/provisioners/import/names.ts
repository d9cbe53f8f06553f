import { createHash } from "node:crypto";
import { PROVISIONER_NAME } from "../../../foundation/schema/fields";

const LONGEST = 40;
const HASH_LENGTH = 8;

/** Returns a valid provisioner name, unchanged if possible, and never one of `taken`. */
export function legalName(name: string, taken: ReadonlySet<string>): string {
  if (PROVISIONER_NAME.test(name) && !taken.has(name)) return name;
  const cut = (text: string, length: number): string => text.slice(0, length).replace(/^-+|-+$/g, "");
  const legible = cut(
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+/, ""),
    LONGEST,
  );
  if (PROVISIONER_NAME.test(legible) && !taken.has(legible)) return legible;
  for (let attempt = 0; ; attempt += 1) {
    const hash = createHash("sha256").update(`${name}\0${attempt}`).digest("hex").slice(0, HASH_LENGTH);
    const made = `${cut(legible, LONGEST - HASH_LENGTH - 1) || "provisioner"}-${hash}`;
    if (!taken.has(made)) return made;
  }
}
