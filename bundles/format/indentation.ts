/** Indentation that go-yaml, with which Kubernetes reads YAML, ignores: within brackets and quotes. */

/**
 * Indents the lines within brackets and quotes as far as YAML requires, and replaces tabs between tokens, where neither
 * changes the meaning. Undefined if the result is longer than `most` characters.
 */
export function indented(text: string, most: number): string | undefined {
  const scan = new Scan();
  const lines: string[] = [];
  let length = 0;
  for (const line of [...text.split(/(?<=\r\n|\r(?!\n)|\n)/), ""]) {
    const fixed = scan.line(line);
    length += fixed.length;
    if (length > most) return undefined;
    lines.push(fixed);
  }
  return lines.join("");
}

/** `-`, `?` and `:` before a space, which a node may follow; anchors, tags and aliases; and the start of a text. */
const ENTRY = /[-?:](?=\s|$)/y;
const PROPERTY = /[&!*][^\s,[\]{}]*/y;
const BLOCK = /[|>][-+0-9]*[ \t]*(#.*)?\r?\n?$/y;
const END = /[ \t]*(#.*)?(\r|\n|$)/y;
/** The rest of a text without quotes, outside and inside of brackets. */
const PLAIN = /((?!:(\s|$)|\s#)[^\r\n])+/y;
const IN_FLOW = /((?!:([\s,[\]{}]|$)|\s#)[^\r\n,[\]{}])+/y;

/** Where in YAML the end of the last line is. */
class Scan {
  /** The quotes of an open text. */
  #quote = "";
  /** Number of open brackets. */
  #depth = 0;
  /** Column of the innermost entry, which lines of its text exceed. */
  #column = -1;
  /** Column of the last node of the line outside of brackets, which is a key if `:` follows; -1 if there is none. */
  #node = -1;
  /** Such a text continues: its lines mean nothing else. */
  #continues = false;
  #at = 0;

  line(line: string): string {
    const isWithin = this.#quote !== "" || this.#depth > 0;
    const indentation = /^ */.exec(line)?.[0].length ?? 0;
    if (this.#continues && !isWithin && (line.trim() === "" || indentation > this.#column)) return line;
    this.#continues = false;
    [this.#at, this.#node] = [0, -1];
    let result = isWithin ? " ".repeat(Math.max(this.#column + 1 - indentation, 0)) : "";
    for (let isAfter = isWithin; this.#at < line.length;) {
      const start = this.#at;
      const isSpace = line[start] === "\t" && this.#quote === "" && isAfter;
      this.#token(line);
      const token = line.slice(start, this.#at);
      isAfter ||= token.trim() !== "";
      result += isSpace ? " " : token;
    }
    return result;
  }

  /** Reads a token, at least a character. */
  #token(line: string): void {
    const [before = "", char = ""] = [line[this.#at - 1], line[this.#at]];
    const inFlow = this.#depth > 0;
    if (this.#quote !== "") this.#quoted(line);
    else if (char === '"' || char === "'") {
      this.#quote = char;
      if (!inFlow) this.#node = this.#at;
      this.#at++;
    } else if (char === "[" || char === "{") this.#bracket(1);
    else if (inFlow && (char === "]" || char === "}")) this.#bracket(-1);
    else if (/\s/.test(char) || (inFlow && (char === "," || (char === ":" && /["'\]}]/.test(before))))) this.#at++;
    else if (char === "#" && /^$|\s/.test(before)) this.#at = line.length;
    else if (this.#takes(ENTRY, line)) {
      if (!inFlow) this.#column = char === ":" && this.#node >= 0 ? this.#node : this.#at - 1;
      this.#node = -1;
    } else if (this.#takes(PROPERTY, line)) return;
    else if (!inFlow && this.#takes(BLOCK, line)) this.#continues = true;
    else if (inFlow) {
      if (!this.#takes(IN_FLOW, line)) this.#at++;
    } else {
      this.#node = this.#at;
      this.#continues = this.#takes(PLAIN, line) && this.#takes(END, line);
      this.#at = Math.max(this.#at, this.#node + 1);
    }
  }

  #quoted(line: string): void {
    const char = line[this.#at];
    if (this.#quote === '"' && char === "\\") this.#at += 2;
    else if (char !== this.#quote) this.#at++;
    else if (this.#quote === "'" && line[this.#at + 1] === "'") this.#at += 2;
    else {
      this.#quote = "";
      this.#at++;
    }
  }

  #bracket(more: number): void {
    if (this.#depth === 0) this.#node = this.#at;
    this.#depth += more;
    this.#at++;
  }

  #takes(pattern: RegExp, line: string): boolean {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(line)?.[0];
    this.#at += found?.length ?? 0;
    return found !== undefined;
  }
}
