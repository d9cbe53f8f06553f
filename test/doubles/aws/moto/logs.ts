import * as logs from "@aws-sdk/client-cloudwatch-logs";
import type { LogGroupArgs } from "@pulumi/aws/cloudwatch";
import { connection, maker, suffix, required } from "./maker";

const client = new logs.CloudWatchLogsClient(connection());

const retain = (logGroupName: string, retentionInDays: number | undefined) =>
  retentionInDays === undefined
    ? client.send(new logs.DeleteRetentionPolicyCommand({ logGroupName }))
    : client.send(new logs.PutRetentionPolicyCommand({ logGroupName, retentionInDays }));

export const logGroup = maker<LogGroupArgs>({
  takes: ["kmsKeyId", "name", "retentionInDays"],
  async create({ kmsKeyId, name = `group-${suffix()}`, retentionInDays }) {
    await client.send(new logs.CreateLogGroupCommand({ logGroupName: name, kmsKeyId }));
    await retain(name, retentionInDays);
    const { logGroups = [] } = await client.send(new logs.DescribeLogGroupsCommand({ logGroupNamePrefix: name }));
    const made = required(logGroups.find(({ logGroupName }) => logGroupName === name));
    return { id: name, outputs: { arn: made.arn?.replace(/:\*$/, ""), name } };
  },
  async update(id, { retentionInDays }) {
    await retain(id, retentionInDays);
  },
  delete: (logGroupName) => client.send(new logs.DeleteLogGroupCommand({ logGroupName })),
});
