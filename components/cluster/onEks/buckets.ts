import { checkedText, list, matching, oneOf, strict } from "../../../foundation/schema/fields";

/** Access to a bucket, or to some prefixes in it. */
export interface BucketAccess {
  /** Name or ARN. */
  readonly bucket: string;
  /** Literal prefixes of object keys, such as `events/` or `part-`. Default: the whole bucket. */
  readonly prefixes?: readonly string[];
  /** `list`: list keys. `read`: also get objects. `readWrite`: also put and delete objects. */
  readonly access: "list" | "read" | "readWrite";
  /** ARN of the customer managed KMS key that encrypts the bucket, if any. */
  readonly kmsKey?: string;
}

const PREFIX =
  "what keys begin with, such as events/, without * ? $, which mean something to AWS, and no slash at the start";

/** Whether a bucket name is valid for AWS, except for its length, which the pattern checks. */
const isBucket = (name: string): boolean =>
  /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) &&
  !/\.\.|\.-|-\.|^\d+\.\d+\.\d+\.\d+$|^xn--|^sthree-|^amzn-s3-demo-|-s3alias$|--ol-s3$/.test(name);

/** Name of a bucket that is set by its name or ARN. */
export const bucketName = (bucket: string): string => bucket.replace(/^arn:aws[a-z-]*:s3:::/, "");

/** Schema of {@link BucketAccess}. */
export const bucketAccess = strict("an object with bucket", {
  bucket: checkedText(
    "a bucket's name or ARN",
    (text) => (isBucket(bucketName(text)) ? undefined : ""),
    /^(arn:aws[a-z-]*:s3:::)?[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
  ).describe("Bucket, by name or ARN."),
  prefixes: list(matching(/^[^*?$\s/][^*?$\s]*$/, PREFIX), "prefixes").describe(
    "Literal key prefixes, such as `events/` or `part-`. Default: the whole bucket.",
  ),
  access: oneOf(["list", "read", "readWrite"]).default("read").describe("Permitted access to the data."),
  kmsKey: matching(/^arn:aws[a-z-]*:kms:\S+$/, "the ARN of a KMS key")
    .optional()
    .describe("KMS key that encrypts the bucket, if it is a customer managed key."),
});
