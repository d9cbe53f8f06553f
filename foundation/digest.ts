import { createHash } from "node:crypto";

/** The digest of bytes as registries write it: `sha256:…`. */
export const digestOf = (bytes: Buffer): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
