/** `<{%fg 1%}>` and the like: the engine's own colour marks. */
const COLOUR_MARK = /<\{%[^%]*%\}>/g;

/** Prefixes that gRPC and the engine add to a message. */
const NOISE = [
  /^error: /i,
  /^rpc error: code = \w+ desc = /,
  /^(?:creating|updating|deleting|reading|refreshing) urn:\S+: /,
  /^\d+ errors? occurred:\s*\n?\s*\*\s*/,
  /^Unhandled exception: (?:Error: )?/,
  /^Running program '[^']*' failed with an unhandled exception:\s*/,
  /^(?:Error|RunError|Failure): (?=\S)/,
  /^invocation of \S+ returned an error: /,
];

/** Lines that only say that something else failed. */
const EMPTY = [
  /^update failed$/,
  /^preview failed$/,
  /^destroy failed$/,
  /^One or more errors occurred/,
  /^resource (?:creation|update) failed$/i,
  /^Check logs for more details$/,
];

/** What the engine says when a provider is killed under it. */
const LOST_PROVIDER = [
  /^(?:\S+ \(resource\) )?plugin \[\S+\] did not begin responding to RPC connections$/,
  /^error reading from server: EOF$/,
  /^transport is closing$/,
  /^connection error: desc = ".*connection refused"$/,
];

const isLost = (text: string): boolean => LOST_PROVIDER.some((lost) => lost.test(text));

/** Whether the engine complains of a provider that was killed under it; it has no code for that. */
export const isLostProvider = (message: string): boolean => isLost(withoutNoise(message));

const withAdvice = (text: string): string =>
  isLost(text)
    ? `a provider ended in the middle (${text}); unless it was killed by hand, the machine may be short of memory. Run the command again: it continues from the created resources`
    : text;

/** What a panic of a program in Go prints, by itself or by the CLI's handler. */
const PANIC = /^panic: +(.*)$/im;
const GOROUTINE = /^goroutine \d+ \[/m;

/** Whether the engine crashed because its stack was removed by another process while it began: it does not expect that. */
export const isStackRemoved = (text: string): boolean =>
  GOROUTINE.test(text) && /\bdiyBackend\)\.getTarget\(/.test(text);

/** What an engine that crashed says of it, without its stack trace unless that was requested; undefined for any other text. */
export function crashOf(text: string): string | undefined {
  if (isStackRemoved(text)) return "another process removed the stack at this moment; run the command again";
  const reason = PANIC.exec(text)?.[1];
  if (reason === undefined || !GOROUTINE.test(text)) return undefined;
  const trace = process.env["STACKYARD_TRACE"] ? `\n${text}` : "";
  return (
    `the engine (pulumi) crashed: ${reason.trim()}. Run the command again: it continues from the created resources. ` +
    `STACKYARD_TRACE=1 shows the stack trace, for a report to Pulumi${trace}`
  );
}

/** The words a user needs, without colour marks, gRPC prefixes and stack frames; empty when nothing is left. */
export function plainMessage(message: string): string {
  const text = withoutNoise(message);
  return EMPTY.some((empty) => empty.test(text)) ? "" : (crashOf(text) ?? withAdvice(text));
}

function withoutNoise(message: string): string {
  let text = message.replace(COLOUR_MARK, "").trim();
  for (let before = ""; before !== text;) {
    before = text;
    for (const noise of NOISE) text = text.replace(noise, "").trimStart();
  }
  const lines = text.split("\n").filter((line) => !/^\s+at (?:.+ \()?(?:\/|file:|node:|<anonymous>)/.test(line));
  return lines.join("\n").trim();
}

/** Messages without empty ones and without one that another already contains, in their order. */
export function distinct(messages: readonly string[]): string[] {
  const texts = [...new Set(messages.map(plainMessage).filter((text) => text !== ""))];
  return texts.filter((text) => !texts.some((other) => other !== text && other.includes(text)));
}
