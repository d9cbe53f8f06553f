/** What can be wrong with content from outside, or with the way to it. */

/** Names and words from outside must not steer the terminal of anyone who reads them. */
export const plain = (text: string): string => text.replace(/[^\P{C}\n]/gu, "?");

/** The same where a line break would begin another line of somebody's list. */
export const onOneLine = (text: string): string => plain(text).replaceAll("\n", " ");

/** Content or an answer that must not be used, now or ever: hostile, too large, or another one than was requested. */
export class Refused extends Error {
  override readonly name = "Refused";

  constructor(message: string, options?: ErrorOptions) {
    super(plain(message), options);
  }
}

/** A source can't be had. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";

  constructor(
    message: string,
    /** Whether trying again may help. */
    readonly passing: boolean,
    options?: ErrorOptions,
  ) {
    super(plain(message), options);
  }
}
