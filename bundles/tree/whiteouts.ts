/** Whiteouts: names with which an image layer deletes files of the layers below, as in the OCI image specification. */

/** Common prefix. No image can contain a regular file with such a name. */
export const MARK = ".wh.";

/** Deletes everything in its folder. */
export const OPAQUE = ".wh..wh..opq";

/**
 * Whether a file is an opaque whiteout. Other sources contain it if an image was unpacked by hand; without layers
 * below, it has no effect.
 */
export const isOpaqueWhiteout = (path: string, { length }: Uint8Array): boolean =>
  length === 0 && (path === OPAQUE || path.endsWith(`/${OPAQUE}`));
