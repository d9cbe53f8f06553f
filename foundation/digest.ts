import { createHash } from "node:crypto";

/** The digest of bytes as registries write it: `sha256:…`. */
export const digestOf = (bytes: Buffer): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

/** 12 hexadecimal digits that distinguish texts in what people read. */
export const shortHash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 12);
