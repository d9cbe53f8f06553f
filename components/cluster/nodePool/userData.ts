/** Converts user data of nodes to the format of a managed node group. Pure. */

import type { NodePoolConfig } from "./plan";

/** EC2's limit in bytes, before base64 encoding. */
export const LONGEST_USER_DATA = 16_384;
const BOUNDARY = "==STACKYARD==";

/**
 * Returns a multipart document unchanged; a script or a NodeConfig of Amazon Linux as the single part of such a
 * document, because EKS adds its own parts; and Bottlerocket settings unchanged. Undefined if the operating system
 * would not accept the text.
 */
export function userDataOf(os: NodePoolConfig["os"], text: string): string | undefined {
  if (os === "bottlerocket") return /^\s*(#.*\n\s*)*\[settings\b/.test(text) ? text : undefined;
  if (/^MIME-Version:/i.test(text)) return text;
  if (text.startsWith("#!")) return oneOf("text/x-shellscript", text);
  return /^apiVersion: node\.eks\.aws\//m.test(text) ? oneOf("application/node.eks.aws", text) : undefined;
}

const oneOf = (type: string, text: string): string =>
  [
    "MIME-Version: 1.0",
    `Content-Type: multipart/mixed; boundary="${BOUNDARY}"`,
    "",
    `--${BOUNDARY}`,
    `Content-Type: ${type}; charset="us-ascii"`,
    "",
    text.trimEnd(),
    "",
    `--${BOUNDARY}--`,
    "",
  ].join("\n");
