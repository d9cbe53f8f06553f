import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { isObject } from "../../../foundation/json/isObject";
import type { SealKey } from "./keys";

/** A sealed value as stored. It is an object because secrets in requests never are, so the two can't be confused. */
export interface Sealed {
  /** Version, key id, then nonce, tag and ciphertext. */
  readonly sealed: string;
}

/** None of the keys can open the sealed value. */
export class SealError extends Error {
  override readonly name = "SealError";
}

const VERSION = "v1";
const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export const isSealed = (value: unknown): value is Sealed =>
  isObject(value) && typeof value["sealed"] === "string" && Object.keys(value).length === 1;

/** Seals values with AES-256-GCM. The first key seals; all keys open. */
export class Vault {
  private readonly byId: ReadonlyMap<string, SealKey>;

  constructor(readonly keys: readonly SealKey[] = []) {
    this.byId = new Map(keys.map((key) => [key.id, key]));
  }

  /** The key that seals; undefined if there is none. */
  get writer(): SealKey | undefined {
    return this.keys[0];
  }

  /** `place` identifies where the value is stored. A value sealed for one place can't be opened in another. */
  seal(value: unknown, place: readonly (string | number)[]): Sealed {
    if (!this.writer) throw new SealError("there is no key to seal with");
    const { id, key } = this.writer;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(bytesOf(id, place));
    const text = Buffer.concat([cipher.update(JSON.stringify(value), "utf8"), cipher.final()]);
    const packed = Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64url");
    return { sealed: `${VERSION}:${id}:${packed}` };
  }

  open({ sealed }: Sealed, place: readonly (string | number)[]): unknown {
    const [version, id = "", packed = ""] = sealed.split(":");
    const where = place.join(".");
    if (version !== VERSION) throw new SealError(`${where} is sealed in a form that this version does not know`);
    const key = this.byId.get(id)?.key;
    if (!key) throw new SealError(`${where} is sealed with key ${id}; expected APP_ENCRYPTION_KEYS to have it`);
    const data = Buffer.from(packed, "base64url");
    try {
      const decipher = createDecipheriv(CIPHER, key, data.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(bytesOf(id, place))
        .setAuthTag(data.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const text = data.subarray(NONCE_BYTES + TAG_BYTES);
      return JSON.parse(Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8"));
    } catch (error) {
      const reason = `${where} can't be opened with key ${id}: it was sealed with another key, altered, or copied from elsewhere`;
      throw new SealError(reason, { cause: error });
    }
  }

  /** True if the value is sealed with the current key. */
  isCurrent({ sealed }: Sealed): boolean {
    return this.writer !== undefined && sealed.startsWith(`${VERSION}:${this.writer.id}:`);
  }
}

/** Vault without keys. */
export const NO_KEYS = new Vault();

const bytesOf = (id: string, place: readonly (string | number)[]): Buffer =>
  Buffer.from(JSON.stringify([VERSION, id, ...place]));
