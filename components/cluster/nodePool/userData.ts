/** What nodes read when they start, in the form in which a managed node group takes it. Pure. */

import type { NodePoolConfig } from "./plan";

/** EC2's limit, before the encoding. */
export const LONGEST_USER_DATA = 16_384;
const BOUNDARY = "==STACKYARD==";

/**
 * A document of several parts as it is; a script or a NodeConfig of Amazon Linux as one part of such a document, because EKS adds its
 * own; the settings of Bottlerocket as they are. Undefined for what the system would not read.
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
