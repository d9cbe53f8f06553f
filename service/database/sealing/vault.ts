import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { isObject } from "../../../foundation/json/isObject";
import type { SealKey } from "./keys";

/** A value as the database keeps it; an object, because no secret of a request is one. */
export interface Sealed {
  /** Version, id of the key, then nonce, tag and text. */
  readonly sealed: string;
}

/** A sealed value that nobody can open with the keys there are. */
export class SealError extends Error {
  override readonly name = "SealError";
}

const VERSION = "v1";
const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export const isSealed = (value: unknown): value is Sealed =>
  isObject(value) && typeof value["sealed"] === "string" && Object.keys(value).length === 1;

/** Seals values by AES-256-GCM. The first key seals; all of them open. */
export class Vault {
  private readonly byId: ReadonlyMap<string, SealKey>;

  constructor(readonly keys: readonly SealKey[] = []) {
    this.byId = new Map(keys.map((key) => [key.id, key]));
  }

  /** The key that seals; undefined if secrets can't be sealed. */
  get writer(): SealKey | undefined {
    return this.keys[0];
  }

  /** `place` is where the value stands: what is sealed for one place can't be opened in another. */
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

  /** Whether it is sealed with the key that seals now. */
  isCurrent({ sealed }: Sealed): boolean {
    return this.writer !== undefined && sealed.startsWith(`${VERSION}:${this.writer.id}:`);
  }
}

/** Of those who have no keys. */
export const NO_KEYS = new Vault();

const bytesOf = (id: string, place: readonly (string | number)[]): Buffer =>
  Buffer.from(JSON.stringify([VERSION, id, ...place]));
