/** What stays when the CloudFormation stack of the bootstrap is deleted: the bucket of states and the key. */

import * as kms from "@aws-sdk/client-kms";
import * as s3 from "@aws-sdk/client-s3";
import { messageOf } from "../../../foundation/errors";

/** The shortest time after which AWS deletes a key. */
const KEY_DAYS = 7;

export class KeptState {
  private readonly kms: kms.KMSClient;
  private readonly s3: s3.S3Client;

  constructor(region: string) {
    this.kms = new kms.KMSClient({ region });
    this.s3 = new s3.S3Client({ region });
  }

  async hasBucket(Bucket: string): Promise<boolean> {
    try {
      await this.s3.send(new s3.HeadBucketCommand({ Bucket }));
      return true;
    } catch (error) {
      const { $metadata: { httpStatusCode } = {} } = error as s3.S3ServiceException;
      if (httpStatusCode === 404) return false;
      // Another account's.
      if (httpStatusCode === 403) return true;
      throw error;
    }
  }

  /** Deletes a bucket with all versions of all objects, if it is there. */
  async deleteBucket(Bucket: string): Promise<void> {
    if (!(await this.hasBucket(Bucket))) return;
    for (;;) {
      const asked = new s3.ListObjectVersionsCommand({ Bucket });
      const { Versions = [], DeleteMarkers = [] } = await this.s3.send(asked);
      const Objects = [...Versions, ...DeleteMarkers].map(({ Key = "", VersionId }) => ({ Key, VersionId }));
      if (Objects.length === 0) break;
      await this.s3.send(new s3.DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
    }
    await this.s3.send(new s3.DeleteBucketCommand({ Bucket }));
  }

  /** The id of the key of an alias; undefined if there is none. */
  async keyOf(alias: string): Promise<string | undefined> {
    for await (const { Aliases = [] } of kms.paginateListAliases({ client: this.kms }, {})) {
      const found = Aliases.find(({ AliasName }) => AliasName === alias);
      if (found) return found.TargetKeyId;
    }
    return undefined;
  }

  /** Has AWS delete a key. */
  async deleteKey(KeyId: string): Promise<void> {
    try {
      await this.kms.send(new kms.ScheduleKeyDeletionCommand({ KeyId, PendingWindowInDays: KEY_DAYS }));
    } catch (error) {
      if (!/pending deletion/.test(messageOf(error))) throw error;
    }
  }
}
