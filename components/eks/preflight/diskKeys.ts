import { getDefaultKmsKey } from "@pulumi/aws/ebs";
import { getRole } from "@pulumi/aws/iam";
import { getKey } from "@pulumi/aws/kms";
import type { Provider } from "@pulumi/aws/provider";
import * as pulumi from "@pulumi/pulumi";
import { messageOf } from "../../../foundation/errors";
import { diskKeys, LAUNCHERS, volumeKeys } from "../../cluster/serviceAccountRole/diskGrants";
import { nodeGroups } from "../../cluster/nodePool/pools";
import type { EksConfig } from "../../cluster/onEks/eksConfig";
import { NO_ROLE } from "./roleNames";

type Config = Pick<EksConfig, "nodes" | "nodePools" | "volumeKey">;

/** Key that AWS creates for EBS, which every launch may use. */
const OF_AWS = /:alias\/aws\/ebs$/;
const NO_KEY = /NotFoundException|couldn't find resource|does not exist|empty result/i;

/**
 * Asks KMS about the keys of disks: with another key, or without a role that AWS grants it to, no node starts. Throws
 * for these, and warns if the account's default key for EBS is one that nobody granted.
 */
export async function checkDiskKeys(config: Config, provider: Provider): Promise<void> {
  const keys = [...new Set([...diskKeys(config.nodePools), ...volumeKeys(config)])];
  const found = await Promise.all([
    ...keys.map((key) => lookAtKey(key, config, provider)),
    ...(diskKeys(nodeGroups(config)).length > 0 ? [lookAtLauncher(config, provider)] : []),
    warnOfDefault(config, provider),
  ]);
  const faults = found.flatMap((fault) => fault ?? []);
  if (faults.length > 0) throw new pulumi.RunError(`${faults.join("\n")}\nNothing was changed.`);
}

/** The key `diskKey` of the first pool that fits, else that of volumes. */
function pathOf({ nodePools, volumeKey }: Config, fits: (key: string | undefined) => boolean): string {
  const [pool] = Object.entries(nodePools).find(([, { diskKey }]) => fits(diskKey)) ?? [];
  if (pool === undefined && fits(volumeKey)) return "stackyard:cluster.volumeKey";
  return `stackyard:cluster.nodePools.${pool}.diskKey`;
}

async function lookAtKey(keyId: string, config: Config, provider: Provider): Promise<string | undefined> {
  const path = pathOf(config, (key) => key === keyId);
  const expected = (found: string, what: string): string => `${path}: found ${keyId}, ${found}; expected ${what}`;
  try {
    const { keyState, keyUsage, keySpec } = await getKey({ keyId }, { provider });
    if (keyState !== "Enabled") return expected(`whose state is ${keyState}`, "an enabled key");
    return keyUsage === "ENCRYPT_DECRYPT" && keySpec === "SYMMETRIC_DEFAULT"
      ? undefined
      : expected(`of ${keySpec} for ${keyUsage}`, "a symmetric key that encrypts, as EBS takes no other");
  } catch (error) {
    const message = messageOf(error);
    if (NO_KEY.test(message)) return expected("which does not exist", "a key that exists");
    await pulumi.log.warn(`${path}: whether ${keyId} can encrypt disks is not known: ${message}`);
    return undefined;
  }
}

/** Auto Scaling launches the nodes of groups with its own role, which a new account lacks. */
async function lookAtLauncher(config: Config, provider: Provider): Promise<string | undefined> {
  const name = LAUNCHERS.autoscaling;
  try {
    await getRole({ name }, { provider });
  } catch (error) {
    const message = messageOf(error);
    if (NO_ROLE.test(message))
      return [
        `${pathOf({ ...config, nodePools: nodeGroups(config) }, Boolean)}: found a key, and the account has no role ${name}; expected that role, which is granted the key:`,
        "  aws iam create-service-linked-role --aws-service-name autoscaling.amazonaws.com",
      ].join("\n");
    await pulumi.log.debug(`Whether the role ${name} exists is not known: ${message}`);
  }
  return undefined;
}

async function warnOfDefault({ nodePools, volumeKey }: Config, provider: Provider): Promise<undefined> {
  const pools = Object.entries(nodePools).flatMap(([name, { diskKey }]) => (diskKey === undefined ? [name] : []));
  try {
    const { keyArn } = await getDefaultKmsKey({}, { provider });
    if (pools.length === 0 || OF_AWS.test(keyArn)) return;
    const { arn, keyManager } = await getKey({ keyId: keyArn }, { provider });
    if (keyManager !== "CUSTOMER") return;
    await pulumi.log.warn(
      `stackyard:cluster.nodePools: ${pools.join(", ")} have no diskKey, and the account's default key for EBS is ${arn}: ` +
        "nodes start only if its key policy admits who launches them. With diskKey, the platform grants it." +
        (volumeKey === undefined
          ? " The same holds for volumes of pods and the role of the EBS driver, and for volumeKey."
          : ""),
    );
  } catch (error) {
    await pulumi.log.debug(`The account's default key for EBS is not known: ${messageOf(error)}`);
  }
}
