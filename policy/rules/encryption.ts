import { objectName, objectsOf } from "../objects";
import { at, listOf, recordsOf, textOr } from "../../foundation/json/parts";
import { wholeFinding, type Asked, type Finding, type Rule } from "../rule";

/** Types with a single property for encryption. */
const BY_FLAG: Readonly<Record<string, string>> = {
  "aws:ebs/volume:Volume": "encrypted",
  "aws:efs/fileSystem:FileSystem": "encrypted",
  "aws:rds/instance:Instance": "storageEncrypted",
  "aws:rds/cluster:Cluster": "storageEncrypted",
  "aws:docdb/cluster:Cluster": "storageEncrypted",
  "aws:neptune/cluster:Cluster": "storageEncrypted",
  "aws:redshift/cluster:Cluster": "encrypted",
  "aws:elasticache/replicationGroup:ReplicationGroup": "atRestEncryptionEnabled",
};

function ofAws({ type, props }: Asked): Finding[] {
  const flag = BY_FLAG[type];
  if (flag !== undefined) {
    return isTrue(props[flag]) ? [] : wholeFinding(`found ${flag}: ${textOr(props[flag], "not set")}; expected true`);
  }
  if (type === "aws:eks/cluster:Cluster") {
    const resources = listOf(at(props, "encryptionConfig", "resources"));
    if (resources.includes("secrets")) return [];
    return wholeFinding("found no encryptionConfig for secrets; expected a KMS key that encrypts them in etcd");
  }
  if (type === "aws:ec2/launchTemplate:LaunchTemplate") return ofTemplate(props);
  if (type === "aws:ec2/instance:Instance" || type === "aws:ec2/launchConfiguration:LaunchConfiguration")
    return ofInstance(props);
  return [];
}

/** Disks of a launch template. Instance stores are ephemeral, and `noDevice` mappings are skipped. */
function ofTemplate(props: Asked["props"]): Finding[] {
  const mappings = recordsOf(props["blockDeviceMappings"]).filter(
    ({ virtualName, noDevice }) => virtualName === undefined && noDevice === undefined,
  );
  if (mappings.length === 0)
    return wholeFinding(
      "found no mapping of a disk; expected one with ebs.encrypted: true, since an image's own disk need not be",
    );
  return mappings
    .filter(({ ebs }) => !isTrue(at(ebs, "encrypted")))
    .flatMap(({ deviceName }) =>
      wholeFinding(`found the disk ${textOr(deviceName, "?")} not encrypted; expected an encrypted one`),
    );
}

function ofInstance(props: Asked["props"]): Finding[] {
  const root = at(props, "rootBlockDevice", "encrypted");
  const others = recordsOf(props["ebsBlockDevices"]).filter(
    ({ encrypted, noDevice, snapshotId }) => !isTrue(encrypted) && noDevice !== true && snapshotId === undefined,
  );
  return [
    ...(isTrue(root) ? [] : wholeFinding("found no rootBlockDevice.encrypted: true; expected it")),
    ...others.flatMap(({ deviceName }) =>
      wholeFinding(`found the disk ${textOr(deviceName, "?")} not encrypted; expected an encrypted one`),
    ),
  ];
}

/** Only storage classes of AWS EBS have this parameter. */
const ofKubernetes = (asked: Asked): Finding[] =>
  objectsOf(asked)
    .filter(({ kind, provisioner }) => kind === "StorageClass" && provisioner === "ebs.csi.aws.com")
    .filter((object) => !isTrue(at(object, "parameters", "encrypted")))
    .map((object) => ({
      part: objectName(object),
      message: 'found no parameters.encrypted: "true"; expected it, since its volumes hold user data',
    }));

/** AWS accepts some flags as strings. */
const isTrue = (value: unknown): boolean => value === true || value === "true";

export const encryption: Rule = {
  name: "encrypted",
  description: "Disks, databases, file systems and the secrets of a cluster are encrypted.",
  check: (asked) => [...ofAws(asked), ...ofKubernetes(asked)],
};
