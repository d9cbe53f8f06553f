/** Least-privilege permissions for data in S3. Pure. */

import type { Fault, Path } from "../../../foundation/schema/faults";
import type { BucketAccess } from "../onEks/buckets";
import { lengthFaults, POLICY_LIMIT, type Statement } from "./document";

const READ = ["s3:GetObject", "s3:GetObjectVersion"];
const WRITE = ["s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload", "s3:ListMultipartUploadParts"];

/**
 * Separates permissions on buckets and objects. Listing is a permission on the bucket, limited to the prefixes by a
 * condition. AWS has no prefix of requests for GetBucketLocation and ListBucketMultipartUploads, so they are in a
 * statement without the condition.
 */
export function s3Statements(buckets: readonly BucketAccess[], partition: string): Statement[] {
  return buckets.flatMap((entry): Statement[] => {
    const { access, kmsKey } = entry;
    const arn = bucketArn(entry.bucket, partition);
    const { prefixes = [] } = entry;
    // A folder may also be listed by its name without the slash.
    const listed = prefixes.flatMap((prefix) => [...folderOf(prefix), `${prefix}*`]).sort();
    const objects = prefixes.length > 0 ? prefixes.map((prefix) => `${arn}/${prefix}*`) : [`${arn}/*`];
    const uploads = access === "readWrite" ? ["s3:ListBucketMultipartUploads"] : [];
    const isPart = listed.length > 0;
    return [
      { effect: "Allow", actions: ["s3:GetBucketLocation", ...(isPart ? uploads : [])], resources: [arn] },
      {
        effect: "Allow",
        actions: ["s3:ListBucket", ...(isPart ? [] : uploads)],
        resources: [arn],
        ...(isPart ? { conditions: { StringLike: { "s3:prefix": listed } } } : {}),
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

/** Fault for buckets whose policy is longer than AWS allows. */
export const bucketFaults = (buckets: readonly BucketAccess[], path: Path, expected: string): Fault[] =>
  lengthFaults(s3Statements(buckets, "aws-us-gov"), POLICY_LIMIT, path, expected);
