/** What can be wrong with a bundle. Every message says where, what was found, what is expected. */

import { plain } from "../foundation/net/errors";

export { onOneLine, plain, Refused, Unavailable } from "../foundation/net/errors";

/** Where in a bundle something is wrong, and what. */
export interface Fault {
  /** `manifests/01_crd.yaml`; a folder where the fault is with it. */
  readonly file: string;
  /** Counted from 1; unset where the fault is with the file. */
  readonly document?: number | undefined;
  /** Counted from 1. */
  readonly line?: number | undefined;
  readonly what: string;
}

/** Longer lists help nobody. */
const MAX_LISTED = 50;

/** The content is no bundle of its format, or can't be made one: every fault at once. */
export class FormatError extends Error {
  override readonly name = "FormatError";

  constructor(
    format: string,
    readonly faults: readonly Fault[],
    heading = `this is no ${format} bundle:`,
  ) {
    const lines = faults.slice(0, MAX_LISTED).map((fault) => `  - ${faultText(fault)}`);
    const more = faults.length > MAX_LISTED ? [`  - and ${faults.length - MAX_LISTED} more`] : [];
    super(plain([heading, ...lines, ...more].join("\n")));
  }
}

/** `manifests/a.yaml:12`, as far as it is known. */
export const placeText = ({ file, line }: Pick<Fault, "file" | "line">): string =>
  line === undefined ? file : `${file}:${line}`;

/** `manifests/a.yaml:12 (document 2): …`. */
export function faultText({ document, what, ...place }: Fault): string {
  const text = `${placeText(place)}${document === undefined ? "" : ` (document ${document})`}: ${what}`;
  return text.replaceAll("\n", " ");
}
