/** Converts user data of nodes to the format of a managed node group. Pure. */

import type { NodePoolConfig } from "./plan";

/** EC2's limit in bytes, before base64 encoding. */
export const LONGEST_USER_DATA = 16_384;
const BOUNDARY = "==STACKYARD==";
/** Content type of a NodeConfig. */
export const NODE_CONFIG = "application/node.eks.aws";

/** A part of the user data of Amazon Linux. */
export interface UserDataPart {
  readonly type: string;
  readonly text: string;
}

/**
 * Returns a multipart document unchanged; a script or a NodeConfig of Amazon Linux as the single part of such a
 * document, because EKS adds its own parts; and Bottlerocket settings unchanged. Undefined if the operating system
 * would not accept the text.
 */
export function userDataOf(os: NodePoolConfig["os"], text: string): string | undefined {
  if (os === "bottlerocket") return /^\s*(#.*\n\s*)*\[settings\b/.test(text) ? text : undefined;
  if (/^MIME-Version:/i.test(text)) return text;
  if (text.startsWith("#!")) return mimeParts([{ type: "text/x-shellscript", text }]);
  return /^apiVersion: node\.eks\.aws\//m.test(text) ? mimeParts([{ type: NODE_CONFIG, text }]) : undefined;
}

/** Whether a document consists of parts that the user has joined. */
export const isOwnDocument = (data: string): boolean => !data.includes(`boundary="${BOUNDARY}"`);

/** A multipart document of these parts, before those of a document that `userDataOf` returned. */
export function mimeParts(parts: readonly UserDataPart[], more?: string): string {
  const own = parts.flatMap(({ type, text }) => [
    `--${BOUNDARY}`,
    `Content-Type: ${type}; charset="us-ascii"`,
    "",
    text.trimEnd(),
    "",
  ]);
  const others = more === undefined ? [`--${BOUNDARY}--`, ""] : [more.slice(more.indexOf(`--${BOUNDARY}`))];
  return ["MIME-Version: 1.0", `Content-Type: multipart/mixed; boundary="${BOUNDARY}"`, "", ...own, ...others].join(
    "\n",
  );
}
