import { stripVTControlCharacters } from "node:util";
import { seconds } from "../../foundation/text/numbers";

const ERASE_LINE = "\r\u001b[2K";

/** How often what takes longer says so: on a terminal the line counts, elsewhere a line is added. */
const TICK_MS = 1000;
const REMIND_MS = 5000;

/** Those that may have the last line of the terminal. */
const showing = new Set<Live>();

/** Takes the moving line away before another user writes: a question, a program that the user sees. */
export function endStatus(): void {
  for (const live of showing) live.end();
}

/**
 * Lines for users, with one moving line at the end of a terminal. Where there is no terminal, a moving line is printed
 * like any other, once per text and again every few seconds: anyone who reads a log sees that it continues, and where nobody
 * reads any more, that is noticed.
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

  /** A line that stays. */
  line(text: string): void {
    this.erase();
    this.stream.write(`${text}\n`);
  }

  /** A line that the next one replaces. */
  status(text: string): void {
    if (text === this.last) return;
    this.watch(text);
    this.show(text);
  }

  /**
   * The same for a command that may be done in a moment: where there is no terminal it is only said if it takes longer. On one
   * without moving lines, as with NO_COLOR, it stays.
   */
  begin(text: string): void {
    if (this.moving || this.stream.isTTY) this.status(text);
    else this.watch(text);
  }

  /** Takes the moving line away. */
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

  /** Makes room for another line; the moving one comes back with its next change. */
  erase(): void {
    if (this.shown === "") return;
    this.stream.write(ERASE_LINE);
    this.shown = "";
  }
}

/** One line of at most `width` columns; colours are dropped where something is cut, so that none stays on. */
function cut(text: string, width: number): string {
  const line = text.replace(/\s*\n\s*/g, " ");
  const bare = [...stripVTControlCharacters(line)];
  return bare.length <= width ? line : `${bare.slice(0, width - 1).join("")}…`;
}
