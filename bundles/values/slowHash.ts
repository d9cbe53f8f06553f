import { scryptSync } from "node:crypto";

/** For what may hold a secret: slow, so that nobody finds out by guessing, and another one for each `place`. */
export const slowHash = (text: string, place: string): string => scryptSync(text, place, 32).toString("hex");
