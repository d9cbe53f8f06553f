import { scryptSync } from "node:crypto";

/** Hash for texts that may contain a secret: slow against guessing, and different for each `place`. */
export const slowHash = (text: string, place: string): string => scryptSync(text, place, 32).toString("hex");
