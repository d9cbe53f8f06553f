import { unwritableFault } from "../../foundation/unwritable";

/** The engine's own colour marks, such as `<{%fg 1%}>`. */
const COLOUR_MARK = /<\{%[^%]*%\}>/g;

/** Prefixes that gRPC and the engine add to a message. */
const NOISE = [
  /^error: /i,
  /^Preview failed: (?=\S)/,
  /^rpc error: code = \w+ desc = /,
  /^(?:creating|updating|deleting|reading|refreshing) urn:\S+: /,
  /^\d+ errors? occurred:\s*\n?\s*\*\s*/,
  /^Unhandled exception: (?:Error: )?/,
  /^Running program '[^']*' failed with an unhandled exception:\s*/,
  /^(?:Error|RunError|Failure): (?=\S)/,
  /^invocation of \S+ returned an error: /,
  // Around the refusal of engine/backend/fence.ts.
  /^.*: pq: (?=the lock of stack )/,
  /(?<=^the lock of stack .*) \(\w{5}\)$/,
];

/** Lines that only report that something else failed. */
const EMPTY = [
  /^update failed$/,
  /^preview failed$/,
  /^destroy failed$/,
  /^One or more errors occurred/,
  /^resource (?:creation|update) failed$/i,
  /^Check logs for more details$/,
  // Of the SDK, about requests of the program after the engine has ended.
  /^Channel has been shut down$/,
];

/** The engine's messages when a provider is killed. */
const LOST_PROVIDER = [
  /^(?:\S+ \(resource\) )?plugin \[\S+\] did not begin responding to RPC connections$/,
  /^error reading from server: EOF$/,
  /^transport is closing$/,
  /^connection error: desc = ".*connection refused"$/,
];

const isLost = (text: string): boolean => LOST_PROVIDER.some((lost) => lost.test(text));

/** True if the message reports a killed provider; the engine has no code for this. */
export const isLostProvider = (message: string): boolean => isLost(withoutNoise(message));

const withAdvice = (text: string): string =>
  isLost(text)
    ? `a provider ended in the middle (${text}); unless it was killed by hand, the machine may be short of memory. Run the command again: it continues from the created resources`
    : text;

/** Output of a Go program's panic, from the runtime or from the CLI's handler. */
const PANIC = /^panic: +(.*)$/im;
const GOROUTINE = /^goroutine \d+ \[/m;

/** True if the engine crashed because its stack was removed while it started, a case that it does not handle. */
export const isStackRemoved = (text: string): boolean =>
  GOROUTINE.test(text) && /\bdiyBackend\)\.getTarget\(/.test(text);

/** Returns the message of a crashed engine, without its stack trace unless requested; undefined for any other text. */
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

const VARIABLES = "PULUMI_CONFIG_PASSPHRASE, or PULUMI_CONFIG_PASSPHRASE_FILE with the path of a file";

/** Returns what to do about a missing or wrong passphrase; undefined for any other text. */
export function passphraseFault(text: string): string | undefined {
  if (/passphrase must be set with PULUMI_CONFIG_PASSPHRASE/.test(text)) {
    return `the stack is encrypted with a passphrase, and none is set; set it in ${VARIABLES}`;
  }
  if (!/incorrect passphrase/.test(text)) return undefined;
  return `found another passphrase than the stack was encrypted with; set the right one in ${VARIABLES}`;
}

/** The message with what to do about its cause, where that is known. */
const advised = (text: string): string =>
  crashOf(text) ?? passphraseFault(text) ?? unwritableFault(text) ?? withAdvice(text);

/** Removes colour marks, gRPC prefixes and stack frames from a message. Empty if nothing remains. */
export function plainMessage(message: string): string {
  const text = withoutNoise(message);
  return EMPTY.some((empty) => empty.test(text)) ? "" : advised(text);
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

/** Removes empty messages, and those that another message contains. Keeps the order. */
export function distinctMessages(messages: readonly string[]): string[] {
  const texts = [...new Set(messages.map(plainMessage).filter((text) => text !== ""))];
  return texts.filter((text) => !texts.some((other) => other !== text && other.includes(text)));
}
