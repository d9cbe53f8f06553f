/** What was done when, in milliseconds since the start. */
export interface Span {
  readonly title: string;
  readonly from: number;
  readonly to: number;
  readonly failed: boolean;
}

/** Share of the records that are in the index at a time. */
export interface Sample {
  readonly at: number;
  readonly share: number;
}

const WIDTH = 1200;
const MARGIN = 24;
const CHART = 200;
const ROW = 22;
const LABEL = 60;

/** A timeline as SVG: how the records grow, and a bar for each step. */
export function timeline(spans: readonly Span[], samples: readonly Sample[]): string {
  const end = Math.max(1, ...spans.map(({ to }) => to));
  const x = (ms: number): number => Math.round(MARGIN + (ms / end) * (WIDTH - 2 * MARGIN));
  const y = (share: number): number => Math.round(MARGIN + CHART * (1 - share));
  const rows = MARGIN + CHART + 32;
  const height = rows + spans.length * ROW + MARGIN;
  // Far enough from each other, and from the right end, for their labels.
  const every = [1, 2, 5, 10].find((minutes) => x(minutes * 60_000) - x(0) >= LABEL) ?? 20;
  const ticks = Array.from({ length: Math.floor(end / 60_000 / every) + 1 }, (_, tick) => tick * every);
  const minutes = ticks.filter((minute) => x(minute * 60_000) <= WIDTH - LABEL);
  const line = samples.map(({ at, share }) => `${x(at)},${y(share)}`).join(" ");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="13">`,
    `<rect width="${WIDTH}" height="${height}" fill="white"/>`,
    ...minutes.map(
      (minute) =>
        `<path d="M${x(minute * 60_000)} ${MARGIN}V${height - MARGIN}" stroke="#ddd"/>` +
        `<text x="${x(minute * 60_000) + 3}" y="${MARGIN + CHART + 18}" fill="#777">${minute} min</text>`,
    ),
    `<path d="M${MARGIN} ${MARGIN}H${WIDTH - MARGIN}" stroke="#bbb" stroke-dasharray="4"/>`,
    `<text x="${MARGIN + 4}" y="${MARGIN + 16}" fill="#555">all records are in the index</text>`,
    `<polyline points="${line}" fill="none" stroke="#1769aa" stroke-width="2"/>`,
    ...spans.map((span, row) => bar(span, x, rows + row * ROW)),
    "</svg>",
    "",
  ].join("\n");
}

function bar({ title, from, to, failed }: Span, x: (ms: number) => number, top: number): string {
  const [left, right] = [x(from), Math.max(x(to), x(from) + 2)];
  const label = `${escaped(title)} (${Math.round((to - from) / 1000)} s)`;
  // Beside the bar, on the side with more room.
  const place = WIDTH - right >= left ? `x="${right + 6}"` : `x="${left - 6}" text-anchor="end"`;
  return (
    `<rect x="${left}" y="${top}" width="${right - left}" height="${ROW - 6}" rx="3" fill="${failed ? "#c62828" : "#2e7d32"}"/>` +
    `<text ${place} y="${top + 13}" fill="#222">${label}</text>`
  );
}

const escaped = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
