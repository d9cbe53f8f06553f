/** Names by which a layer of an image deletes what layers below it have, as the OCI image specification says. */

/** What all of them begin with. No image can hold a file of such a name. */
export const MARK = ".wh.";

/** Deletes all that is in its folder. */
export const OPAQUE = ".wh..wh..opq";

/**
 * Whether a file is an opaque whiteout. Sources other than images have it where somebody unpacked an image manually and
 * committed the result; with nothing below it, it means nothing.
 */
export const isOpaqueWhiteout = (path: string, { length }: Uint8Array): boolean =>
  length === 0 && (path === OPAQUE || path.endsWith(`/${OPAQUE}`));
