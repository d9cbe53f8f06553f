/** Numbers of bytes. */

export const MIB = 1024 * 1024;

/** Most of an answer that is no content: a manifest, a token, an index. */
export const ANSWER_BYTES = 4 * MIB;

/** `64 MiB`, for messages. */
export const mib = (bytes: number): string =>
  bytes >= MIB ? `${Math.round(bytes / MIB)} MiB` : `${Math.round(bytes / 1024)} KiB`;
