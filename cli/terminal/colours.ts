import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Whether to use colours and updating lines on a stream: it is a terminal, and NO_COLOR is not set. */
export function isColourful(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "" && env.FORCE_COLOR !== "0") return true;
  return stream.isTTY === true && env.TERM !== "dumb";
}

/** Styles for texts; without colours each function returns its text unchanged. */
export interface Colours {
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
  dim(text: string): string;
  bold(text: string): string;
}

export function colours(on: boolean): Colours {
  const paint = (style: Style) => (text: string) => (on ? styleText(style, text, { validateStream: false }) : text);
  return {
    good: paint("green"),
    bad: paint("red"),
    warn: paint("yellow"),
    dim: paint("dim"),
    bold: paint("bold"),
  };
}
