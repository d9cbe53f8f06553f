/** Kubernetes quantities of bytes: `40Gi`, `1.5T`, `42949672960`. */

const FACTORS: Readonly<Record<string, number>> = {
  "": 1,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** Bytes of a quantity, rounded up as Kubernetes does; undefined when it is none. */
export function bytesOf(quantity: unknown): number | undefined {
  if (typeof quantity === "number") return Number.isFinite(quantity) ? Math.ceil(quantity) : undefined;
  if (typeof quantity !== "string") return undefined;
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:([eE][+-]?\d+)|(m|k|[MGTPE]|[KMGTPE]i))?$/.exec(quantity.trim());
  if (!match) return undefined;
  const [, digits, exponent = "", suffix = ""] = match;
  return Math.ceil(Number(digits + exponent) * (FACTORS[suffix] ?? 1));
}

/** `40 GiB`, `1.5 TiB`; exact bytes where nothing shorter is true to a tenth. */
export function sizeText(bytes: number): string {
  for (const [unit, factor] of [
    ["TiB", 2 ** 40],
    ["GiB", 2 ** 30],
    ["MiB", 2 ** 20],
    ["KiB", 2 ** 10],
  ] as const) {
    const count = bytes / factor;
    if (count >= 1 && Number.isInteger(count * 10)) return `${count} ${unit}`;
  }
  return `${bytes} bytes`;
}
