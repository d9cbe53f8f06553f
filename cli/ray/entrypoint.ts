/** Quotes words for the shell with which Ray starts a job. */
export const shellLine = (words: readonly string[]): string => words.map(quoted).join(" ");

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
