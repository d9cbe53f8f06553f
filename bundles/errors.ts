/** Errors of bundles. Every message says where the fault is, what was found, and what is expected. */

import { printable } from "../foundation/net/errors";

export { onOneLine, printable, Refused, Unavailable } from "../foundation/net/errors";

/** A fault in a bundle and its position. */
export interface BundleFault {
  /** File such as `manifests/01_crd.yaml`, or a folder. */
  readonly file: string;
  /** Number of the document, from 1; unset if the fault is about the file. */
  readonly document?: number | undefined;
  /** From 1. */
  readonly line?: number | undefined;
  readonly what: string;
}

/** Longer lists don't help. */
const MAX_LISTED = 50;

/** The content does not match its format; lists every fault at once. */
export class FormatError extends Error {
  override readonly name = "FormatError";

  constructor(
    format: string,
    readonly faults: readonly BundleFault[],
    heading = `this is no ${format} bundle:`,
  ) {
    const lines = faults.slice(0, MAX_LISTED).map((fault) => `  - ${faultText(fault)}`);
    const more = faults.length > MAX_LISTED ? [`  - and ${faults.length - MAX_LISTED} more`] : [];
    super(printable([heading, ...lines, ...more].join("\n")));
  }
}

/** Position such as `manifests/a.yaml:12`, as far as it is known. */
export const placeText = ({ file, line }: Pick<BundleFault, "file" | "line">): string =>
  line === undefined ? file : `${file}:${line}`;

/** `manifests/a.yaml:12 (document 2): …`. */
function faultText({ document, what, ...place }: BundleFault): string {
  const text = `${placeText(place)}${document === undefined ? "" : ` (document ${document})`}: ${what}`;
  return text.replaceAll("\n", " ");
}
