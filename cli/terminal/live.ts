import { stripVTControlCharacters } from "node:util";
import { seconds } from "../../foundation/text/numbers";

const ERASE_LINE = "\r\u001b[2K";

/** Intervals of updates for slow operations: on a terminal the seconds count up, elsewhere a line is added. */
const TICK_MS = 1000;
const REMIND_MS = 5000;

/** Instances that may be using the last line of the terminal. */
const showing = new Set<Live>();

/** Removes the status line before other output, such as a question or a visible program. */
export function endStatus(): void {
  for (const live of showing) live.end();
}

/**
 * Prints lines for users, with an updating status line at the end of a terminal. Without a terminal, each status text
 * is printed once as a regular line, and again every few seconds: this shows in a log that the work continues, and
 * detects a closed output.
 */
export class Live {
  private shown = "";
  private last = "";
  private since = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly stream: NodeJS.WriteStream,
    private readonly moving: boolean,
  ) {}

  /** Prints a permanent line. */
  line(text: string): void {
    this.erase();
    this.stream.write(`${text}\n`);
  }

  /** Prints a line that the next one replaces. */
  status(text: string): void {
    if (text === this.last) return;
    this.watch(text);
    this.show(text);
  }

  /**
   * Like {@link status} for a command that may end immediately. Without a terminal, it is only printed if the command
   * takes longer. On a terminal without updating lines, as with NO_COLOR, it stays.
   */
  begin(text: string): void {
    if (this.moving || this.stream.isTTY) this.status(text);
    else this.watch(text);
  }

  /** Removes the status line. */
  end(): void {
    this.erase();
    this.last = "";
    clearInterval(this.timer);
    this.timer = undefined;
    showing.delete(this);
  }

  private watch(text: string): void {
    this.last = text;
    this.since = Date.now();
    this.timer ??= setInterval(() => this.tick(), this.moving ? TICK_MS : REMIND_MS).unref();
    this.timer.refresh();
    showing.add(this);
  }

  private tick(): void {
    this.show(this.last, ` (${seconds(Date.now() - this.since)})`);
  }

  private show(text: string, age = ""): void {
    this.erase();
    if (!this.moving) {
      this.stream.write(`${text}${age}\n`);
      return;
    }
    this.shown = cut(text, (this.stream.columns || 80) - 1 - age.length) + age;
    this.stream.write(this.shown);
  }

  /** Clears the status line for other output; its next change shows it again. */
  erase(): void {
    if (this.shown === "") return;
    this.stream.write(ERASE_LINE);
    this.shown = "";
  }
}

/** Cuts a line to at most `width` columns. A line that is cut loses its colours, so that none stays active. */
function cut(text: string, width: number): string {
  const line = text.replace(/\s*\n\s*/g, " ");
  const bare = [...stripVTControlCharacters(line)];
  return bare.length <= width ? line : `${bare.slice(0, width - 1).join("")}…`;
}
