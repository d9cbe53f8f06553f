const UNITS: Readonly<Record<string, number>> = {
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

/** The number that a quantity of Kubernetes stands for, such as `7910m`, `31Gi`, `1e3`; undefined for what is none. */
export function quantity(text: string): number | undefined {
  const [, number = "", unit = ""] = /^([+-]?[\d.]+(?:[eE][+-]?\d+)?)([a-zA-Z]{0,2})$/.exec(text) ?? [];
  const factor = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
  const value = Number(number);
  return number === "" || factor === undefined || Number.isNaN(value) ? undefined : value * factor;
}
