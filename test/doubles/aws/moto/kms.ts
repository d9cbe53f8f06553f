import * as kms from "@aws-sdk/client-kms";
import type * as args from "@pulumi/aws/kms";
import { connection, maker, suffix, required } from "./maker";

const client = new kms.KMSClient(connection());

const rotate = (KeyId: string, enabled: boolean | undefined) =>
  client.send(enabled ? new kms.EnableKeyRotationCommand({ KeyId }) : new kms.DisableKeyRotationCommand({ KeyId }));

export const key = maker<args.KeyArgs>({
  takes: ["deletionWindowInDays", "description", "enableKeyRotation"],
  async create({ description, enableKeyRotation }) {
    const { KeyMetadata } = await client.send(new kms.CreateKeyCommand({ Description: description }));
    const id = required(KeyMetadata?.KeyId);
    await rotate(id, enableKeyRotation);
    return { id, outputs: { arn: KeyMetadata?.Arn, keyId: id } };
  },
  async update(KeyId, { description, enableKeyRotation }) {
    await client.send(new kms.UpdateKeyDescriptionCommand({ KeyId, Description: description ?? "" }));
    await rotate(KeyId, enableKeyRotation);
  },
  delete: (KeyId, { deletionWindowInDays }) =>
    client.send(new kms.ScheduleKeyDeletionCommand({ KeyId, PendingWindowInDays: deletionWindowInDays })),
});

export const alias = maker<args.AliasArgs>({
  takes: ["name", "targetKeyId"],
  async create({ name = `alias/${suffix()}`, targetKeyId }) {
    await client.send(new kms.CreateAliasCommand({ AliasName: name, TargetKeyId: targetKeyId }));
    const { Aliases = [] } = await client.send(new kms.ListAliasesCommand({ KeyId: targetKeyId }));
    const made = required(Aliases.find(({ AliasName }) => AliasName === name));
    return { id: name, outputs: { arn: made.AliasArn, name } };
  },
  async update(AliasName, { targetKeyId }) {
    await client.send(new kms.UpdateAliasCommand({ AliasName, TargetKeyId: targetKeyId }));
  },
  delete: (AliasName) => client.send(new kms.DeleteAliasCommand({ AliasName })),
});
