/** IPv4 ranges in CIDR notation. Pure. */

export interface Range {
  /** First address as a number. */
  readonly start: number;
  /** Bits of the prefix, 0 to 32. */
  readonly bits: number;
}

const CIDR = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/;

/** Parses a range. Returns undefined if the text is not a CIDR block or has host bits set. */
export function parseCidr(text: string): Range | undefined {
  const parts = CIDR.exec(text)?.slice(1).map(Number);
  if (!parts || parts.slice(0, 4).some((part) => part > 255) || parts[4]! > 32) return undefined;
  const start = parts.slice(0, 4).reduce((sum, part) => sum * 256 + part, 0);
  const bits = parts[4]!;
  return start % 2 ** (32 - bits) === 0 ? { start, bits } : undefined;
}

export const cidrText = ({ start, bits }: Range): string =>
  `${[24, 16, 8, 0].map((shift) => Math.floor(start / 2 ** shift) % 256).join(".")}/${bits}`;

const endOf = ({ start, bits }: Range): number => start + 2 ** (32 - bits);

export const overlap = (a: Range, b: Range): boolean => a.start < endOf(b) && b.start < endOf(a);

export const isWithin = (inner: Range, outer: Range): boolean => inner.bits >= outer.bits && overlap(inner, outer);

/** Splits a range into 2^`more` equal parts and returns the one at `index`. */
export const partOf = ({ start, bits }: Range, more: number, index: number): Range => ({
  start: start + index * 2 ** (32 - bits - more),
  bits: bits + more,
});
