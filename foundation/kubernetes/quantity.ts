/** Kubernetes quantities: `7910m`, `31Gi`, `1.5T`, `1e3`. */

const FACTORS: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  "": 1,
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

/** Parses a quantity; undefined if it is invalid. */
export function quantity(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "string") return undefined;
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:([eE][+-]?\d+)|([numk]|[MGTPE]|[KMGTPE]i))?$/.exec(value.trim());
  if (!match) return undefined;
  const [, digits, exponent = "", suffix = ""] = match;
  return Number(digits + exponent) * (FACTORS[suffix] ?? 1);
}
