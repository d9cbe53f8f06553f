/** Errors of untrusted content and of the requests that fetch it. */

/** Replaces control characters, so that untrusted text can't control the terminal that prints it. */
export const printable = (text: string): string => text.replace(/[^\P{C}\n]/gu, "?");

/** As {@link printable}, without line breaks, so that untrusted text can't add lines to a list. */
export const onOneLine = (text: string): string => printable(text).replaceAll("\n", " ");

/** Content or a response that must never be used: malicious, too large, or different from what was requested. */
export class Refused extends Error {
  override readonly name = "Refused";

  constructor(message: string, options?: ErrorOptions) {
    super(printable(message), options);
  }
}

/** A source is unavailable. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";

  constructor(
    message: string,
    /** Whether a retry may succeed. */
    readonly passing: boolean,
    options?: ErrorOptions,
  ) {
    super(printable(message), options);
  }
}
