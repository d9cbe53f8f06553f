/** Sizes in bytes. */

export const MIB = 1024 * 1024;

/** Maximum size of a response without content: a manifest, a token, an index. */
export const RESPONSE_BYTES = 4 * MIB;

/** Formats a size for messages: `64 MiB`. */
export const mib = (bytes: number): string =>
  bytes >= MIB ? `${Math.round(bytes / MIB)} MiB` : `${Math.round(bytes / 1024)} KiB`;
