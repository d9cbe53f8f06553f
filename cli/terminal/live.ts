import { stripVTControlCharacters } from "node:util";

const ERASE_LINE = "\r\u001b[2K";

/**
 * Lines for people, with one moving line at the end of a terminal. Where there is no terminal, a moving line is printed
 * like any other, once per text.
 */
export class Live {
  private shown = "";
  private last = "";

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
    this.last = text;
    if (!this.moving) {
      this.stream.write(`${text}\n`);
      return;
    }
    this.erase();
    this.shown = cut(text, (this.stream.columns || 80) - 1);
    this.stream.write(this.shown);
  }

  /** Takes the moving line away. */
  end(): void {
    this.erase();
    this.last = "";
  }

  private erase(): void {
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
