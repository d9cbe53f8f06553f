/** Permissions on data in S3, the least that each way of use needs. Pure. */

import type { Statement } from "./document";

/** One bucket, or some prefixes of it. */
export interface BucketAccess {
  /** Name or ARN. */
  readonly bucket: string;
  /** What the keys begin with, letter by letter, such as `events/` or `part-`. Default: the whole bucket. */
  readonly prefixes?: readonly string[];
  /** `list`: see the keys; `read`: get objects too; `readWrite`: put and delete them too. */
  readonly access: "list" | "read" | "readWrite";
  /** ARN of the KMS key that encrypts the bucket, where it is a customer's key. */
  readonly kmsKey?: string;
}

const READ = ["s3:GetObject", "s3:GetObjectVersion"];
const WRITE = ["s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload", "s3:ListMultipartUploadParts"];

/**
 * Bucket and object level apart: listing is allowed on the bucket, where a condition keeps it to the prefixes;
 * GetBucketLocation carries no prefix, so it stands alone, without that condition.
 */
export function s3Statements(buckets: readonly BucketAccess[], partition: string): Statement[] {
  return buckets.flatMap((entry): Statement[] => {
    const { access, kmsKey } = entry;
    const arn = bucketArn(entry.bucket, partition);
    const { prefixes = [] } = entry;
    // A folder may be listed by its name without the slash as well.
    const listed = prefixes.flatMap((prefix) => [...folderOf(prefix), `${prefix}*`]).sort();
    const objects = prefixes.length > 0 ? prefixes.map((prefix) => `${arn}/${prefix}*`) : [`${arn}/*`];
    const lists = access === "readWrite" ? ["s3:ListBucket", "s3:ListBucketMultipartUploads"] : ["s3:ListBucket"];
    return [
      { effect: "Allow", actions: ["s3:GetBucketLocation"], resources: [arn] },
      {
        effect: "Allow",
        actions: lists,
        resources: [arn],
        ...(listed.length > 0 ? { conditions: { StringLike: { "s3:prefix": listed } } } : {}),
      },
      ...(access === "list" ? [] : [objectStatement(objects, access)]),
      ...(kmsKey === undefined || access === "list" ? [] : [keyStatement(kmsKey, access)]),
    ];
  });
}

const folderOf = (prefix: string): string[] => (prefix.endsWith("/") ? [prefix.slice(0, -1)] : []);

const objectStatement = (resources: readonly string[], access: BucketAccess["access"]): Statement => ({
  effect: "Allow",
  actions: access === "read" ? READ : [...READ, ...WRITE],
  resources,
});

const keyStatement = (key: string, access: BucketAccess["access"]): Statement => ({
  effect: "Allow",
  actions: access === "read" ? ["kms:Decrypt"] : ["kms:Decrypt", "kms:GenerateDataKey"],
  resources: [key],
});

const bucketArn = (bucket: string, partition: string): string =>
  bucket.startsWith("arn:") ? bucket.replace(/\/\*?$/, "") : `arn:${partition}:s3:::${bucket}`;
