/** The subset of regular expressions that means the same in RE2 and in JavaScript, on ASCII texts. Pure. */

/**
 * Supported parts of an expression. Everything else, such as flags, named groups, Unicode and POSIX classes, is
 * unsupported.
 */
const PARTS: readonly RegExp[] = [
  /[^\\[\](){}*+?|^$.]/y, // A literal character.
  /\\[dDwWsSbBtnr]/y,
  /\\[^A-Za-z0-9]/y,
  /[\^$.|)]/y,
  /\((?:\?:)?(?!\?)/y,
  /\[\^?(?:[^\\[\]]|\\[dDwWsStnr]|\\[^A-Za-z0-9])+\]/y,
  /[*+?]\??/y,
  /\{(\d{1,4})(?:,(\d{0,4}))?\}\??/y,
];
/** RE2's limit for repetitions. */
const MOST = 1000;

export function isSharedPattern(pattern: unknown): boolean {
  if (typeof pattern !== "string") return false;
  let position = 0;
  while (position < pattern.length) {
    const match = PARTS.map((part) => {
      part.lastIndex = position;
      return part.exec(pattern);
    }).find((one) => one !== null);
    if (!match || match.slice(1).some((times) => Number(times ?? 0) > MOST)) return false;
    position += match[0].length;
  }
  return true;
}
