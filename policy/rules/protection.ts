import { at } from "../../foundation/json/parts";
import { wholeFinding, type Rule } from "../rule";

/** Types whose deletion loses data, each with its name for messages. */
const STATEFUL: Readonly<Record<string, string>> = {
  "aws:eks/cluster:Cluster": "a cluster",
  "aws:kms/key:Key": "a key, and with it all that it encrypts",
  "aws:rds/instance:Instance": "a database",
  "aws:rds/cluster:Cluster": "a database",
  "aws:docdb/cluster:Cluster": "a database",
  "aws:neptune/cluster:Cluster": "a database",
  "aws:redshift/cluster:Cluster": "a database",
  "aws:efs/fileSystem:FileSystem": "a file system",
  "aws:ebs/volume:Volume": "a volume",
  "aws:s3/bucket:Bucket": "a bucket",
  "aws:s3/bucketV2:BucketV2": "a bucket",
  "aws:dynamodb/table:Table": "a table",
  "kubernetes:core/v1:PersistentVolumeClaim": "a user's volume",
  "kubernetes:core/v1:PersistentVolume": "a user's volume",
};

/** Whether deleting a resource of this type loses data. */
export const isStateful = (type: string): boolean => Object.hasOwn(STATEFUL, type);

/** Whether a stack is for production, by its name: `prod`, `prod-eu`, `eu-production`, `live`, `prd`. */
export const isProduction = (stack: string): boolean => /(^|[-_.])(prod(uction)?\d*|prd\d*|live)($|[-_.])/i.test(stack);

/**
 * The engine neither deletes nor replaces a protected resource; it rejects the whole update. A policy pack sees the
 * resources that a program declares, never the planned deletions, so it can only require protection.
 */
export const protection: Rule = {
  name: "protected-in-production",
  description: "In production, resources with state are protected against deletion and replacement.",
  check({ type, stack, isProtected, props }) {
    if (!isProduction(stack)) return [];
    if (type === "stackyard:index:ManifestSet" && props["claimsWhenDeleted"] === "Delete") {
      return wholeFinding("found claimsWhenDeleted: Delete; expected the volumes of users to stay when their set goes");
    }
    const what = STATEFUL[type];
    if (what === undefined) return [];
    if (!isProtected) return wholeFinding(`found ${what} that is not protected; expected protect: true in its options`);
    const flag = at(props, "deletionProtection");
    return flag === false ? wholeFinding(`found deletionProtection: false on ${what}; expected true`) : [];
  },
};
