import { getWorkspace } from "@pulumi/aws/amp";
import { getFileSystem } from "@pulumi/aws/efs";
import { getAddonVersion } from "@pulumi/aws/eks";
import type { Provider } from "@pulumi/aws/provider";
import { getBucket } from "@pulumi/aws/s3";
import * as pulumi from "@pulumi/pulumi";
import { coerce, gt, lt } from "semver";
import { messageOf } from "../../../foundation/errors";
import { bucketName } from "../../cluster/onEks/buckets";
import type { EksConfig } from "../../cluster/onEks/eksConfig";
import { ADOT, addonRoles } from "../../cluster/serviceAccountRole/addonRoles";
import { CERT_MANAGER } from "../addons";
import type { StateResource } from "../../resources/ownState";

/** Error messages of AWS and its provider for what does not exist. */
const NOT_FOUND = /couldn't find resource|empty result|not ?found|no matching|InvalidParameter|status code: 404/i;

interface Looked {
  readonly fault?: string;
  readonly warning?: string;
}

const at = (addon: string): string => `stackyard:cluster.addons.${addon}`;

/**
 * Asks AWS about additional add-ons: whether EKS has them and their versions, unless they run already, and whether
 * their file systems and buckets exist. Throws if AWS would reject one, or its pods would get no role.
 */
export async function checkAddons(
  config: EksConfig,
  versions: Readonly<Record<string, string>>,
  resources: readonly StateResource[],
  provider: Provider,
): Promise<void> {
  const running = new Map(
    resources.flatMap(({ type, outputs }) =>
      type === "aws:eks/addon:Addon" ? [[outputs["addonName"], outputs["addonVersion"]] as const] : [],
    ),
  );
  const looks = Object.entries(config.moreAddons).flatMap(([addon, { fileSystemId, workspaceId, buckets = [] }]) => [
    ...(running.has(addon) && [undefined, running.get(addon)].includes(versions[addon])
      ? []
      : [lookAtVersion(addon, config, versions[addon], provider)]),
    ...(fileSystemId === undefined ? [] : [lookAtFileSystem(addon, fileSystemId, provider)]),
    ...(workspaceId === undefined ? [] : [lookAtWorkspace(addon, workspaceId, provider)]),
    ...buckets.map(({ bucket }, index) => lookAtBucket(`${at(addon)}.buckets[${index}]`, bucket, config, provider)),
  ]);
  if (ADOT in config.moreAddons && !(CERT_MANAGER in config.moreAddons) && !running.has(ADOT))
    await pulumi.log.warn(
      `${at(ADOT)}: found no add-on ${CERT_MANAGER}, whose certificates it needs; add ${CERT_MANAGER}: {}, or install it before`,
    );
  const found = await Promise.all(looks);
  for (const { warning } of found) if (warning !== undefined) await pulumi.log.warn(warning);
  const faults = [...identityFaults(config, versions), ...found.flatMap(({ fault }) => fault ?? [])];
  if (faults.length > 0) throw new pulumi.RunError(`${faults.join("\n")}\nNothing was changed.`);
}

/** Faults for versions that are too old for Pod Identity: their pods would have no role. */
function identityFaults(config: EksConfig, versions: Readonly<Record<string, string>>): string[] {
  return addonRoles(config).flatMap(({ addon, identity = config.identity, podIdentitySince: since }) => {
    const version = versions[addon];
    if (identity === "irsa" || since === undefined || version === undefined || !older(version, since)) return [];
    return [`${pinOf(addon, config)}: found "${version}"; expected v${since} or later, which supports Pod Identity`];
  });
}

/** The key that sets the version of an add-on. */
const pinOf = (addon: string, { addonVersions, lockFile, version }: EksConfig): string =>
  addonVersions[addon] === undefined ? `${lockFile}: addons."${version}".${addon}` : `${at(addon)}.version`;

const older = (version: string, than: string): boolean => lt(coerce(version) ?? than, coerce(than) ?? than);

async function lookAtVersion(
  addonName: string,
  config: EksConfig,
  version: string | undefined,
  provider: Provider,
): Promise<Looked> {
  const { version: minor, region } = config;
  const list = `aws eks describe-addon-versions --kubernetes-version ${minor} --region ${region}`;
  try {
    const newest = await getAddonVersion({ addonName, kubernetesVersion: minor, mostRecent: true }, { provider });
    const [wanted, most] = [coerce(version), coerce(newest.version)];
    return wanted && most && gt(wanted, most)
      ? {
          fault: `${pinOf(addonName, config)}: found "${version}"; expected ${newest.version} or older, the newest version for ${minor}`,
        }
      : {};
  } catch (error) {
    const message = messageOf(error);
    return NOT_FOUND.test(message)
      ? { fault: `${at(addonName)}: found an add-on that EKS does not have for ${minor}; expected one of: ${list}` }
      : { warning: `${at(addonName)}: whether EKS has it for ${minor} is not known: ${message}` };
  }
}

async function lookAtFileSystem(addon: string, fileSystemId: string, provider: Provider): Promise<Looked> {
  const path = `${at(addon)}.fileSystemId`;
  try {
    const { availabilityZoneName: zone } = await getFileSystem({ fileSystemId }, { provider });
    return zone === ""
      ? {}
      : { warning: `${path}: ${fileSystemId} is in ${zone} alone; while that zone is down, so are its volumes` };
  } catch (error) {
    const message = messageOf(error);
    return NOT_FOUND.test(message)
      ? { fault: `${path}: found "${fileSystemId}"; expected a file system that exists in this account and region` }
      : { warning: `${path}: whether ${fileSystemId} exists is not known: ${message}` };
  }
}

async function lookAtWorkspace(addon: string, workspaceId: string, provider: Provider): Promise<Looked> {
  const path = `${at(addon)}.workspaceId`;
  try {
    await getWorkspace({ workspaceId }, { provider });
    return {};
  } catch (error) {
    const message = messageOf(error);
    return NOT_FOUND.test(message)
      ? { fault: `${path}: found "${workspaceId}"; expected a workspace that exists in this account and region` }
      : { warning: `${path}: whether ${workspaceId} exists is not known: ${message}` };
  }
}

async function lookAtBucket(path: string, bucket: string, { region }: EksConfig, provider: Provider): Promise<Looked> {
  try {
    const { bucketRegion } = await getBucket({ bucket: bucketName(bucket) }, { provider });
    return bucketRegion === region
      ? {}
      : {
          warning: `${path}: ${bucket} is in ${bucketRegion}; reading it from ${region} is slower, and AWS charges for it`,
        };
  } catch (error) {
    const message = messageOf(error);
    if (NOT_FOUND.test(message)) return { fault: `${path}: found "${bucket}"; expected a bucket that exists` };
    // Who deploys needs no rights on data.
    await pulumi.log.debug(`Whether the bucket ${bucket} exists is not known: ${message}`);
    return {};
  }
}
