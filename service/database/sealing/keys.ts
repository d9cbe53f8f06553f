/** A key that seals values. */
export interface SealKey {
  /** Name of the key, stored with each value that it sealed. */
  readonly id: string;
  /** 32 bytes. */
  readonly key: Buffer;
}

const BYTES = 32;
const KEY = /^([\w-]{1,32}):([A-Za-z0-9+/]{43}=)$/;

export const KEYS_EXPECTED = `id:key, separated by commas, each id once and each key ${BYTES} random bytes in base64`;

/** Parses keys as `id:base64`, separated by commas; undefined if the text is invalid. */
export function parseKeys(text: string): readonly SealKey[] | undefined {
  const keys = text.split(/,\s*/).map((each) => {
    const [, id = "", key = ""] = KEY.exec(each.trim()) ?? [];
    return { id, key: Buffer.from(key, "base64") };
  });
  const isLegal = keys.every(({ id, key }) => id !== "" && key.length === BYTES);
  return isLegal && new Set(keys.map(({ id }) => id)).size === keys.length ? keys : undefined;
}
