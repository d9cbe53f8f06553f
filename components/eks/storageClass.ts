import * as pulumi from "@pulumi/pulumi";
import type { EksConfig } from "../cluster/onEks/eksConfig";
import { addonRoles, EFS_DRIVER, FSX_DRIVER } from "../cluster/serviceAccountRole/addonRoles";

const API = { apiVersion: "storage.k8s.io/v1", kind: "StorageClass" } as const;

const DEFAULT = "storageclass.kubernetes.io/is-default-class";

const GP3 = {
  ...API,
  metadata: { name: "gp3", annotations: { [DEFAULT]: "true" } },
  provisioner: "ebs.csi.aws.com",
  parameters: { type: "gp3", encrypted: "true" },
  allowVolumeExpansion: true,
  reclaimPolicy: "Delete",
  // Creates a volume in the zone of its pod, because EBS volumes can't move between zones.
  volumeBindingMode: "WaitForFirstConsumer",
};

/**
 * Classes for EBS, the default one last. Parameters of a class can't change, so one with a key has the end of the key's
 * id in its name, and the other stays for the volumes that it created.
 */
function ebsClasses(provisioner: string, key: string | undefined): Record<string, unknown>[] {
  const usual = { ...GP3, provisioner };
  if (key === undefined) return [usual];
  const name = `gp3-${key.slice(-8)}`;
  return [
    { ...usual, metadata: { name: "gp3", annotations: { [DEFAULT]: "false" } } },
    { ...usual, metadata: { ...GP3.metadata, name }, parameters: { ...GP3.parameters, kmsKeyId: key } },
  ];
}

/** Each volume is an access point of the file system, which all zones reach. */
const efsClass = (fileSystemId: string) => ({
  ...API,
  metadata: { name: "efs" },
  provisioner: "efs.csi.aws.com",
  parameters: { provisioningMode: "efs-ap", fileSystemId, directoryPerms: "700" },
});

/** Where file systems of FSx are created. */
interface Place {
  readonly subnetId: string;
  /** Group that lets clients in: that of all nodes. */
  readonly securityGroupId: string;
}

/** Each volume is a file system of its own. */
const fsxClass = ({ subnetId, securityGroupId }: Place) => ({
  ...API,
  metadata: { name: "fsx-lustre" },
  provisioner: "fsx.csi.aws.com",
  parameters: { subnetId, securityGroupIds: securityGroupId, deploymentType: "SCRATCH_2" },
  allowVolumeExpansion: true,
  mountOptions: ["flock"],
});

/** The default storage class, and those of the drivers whose role the platform creates. */
export function storageClasses(
  config: Pick<EksConfig, "region" | "nodes" | "cniRights" | "moreAddons" | "volumeKey">,
  { subnetId, securityGroupId }: { readonly [Key in keyof Place]: pulumi.Input<string> },
): pulumi.Input<Record<string, unknown>[]> {
  const { fileSystemId } = config.moreAddons[EFS_DRIVER] ?? {};
  const known = [
    // EKS Auto Mode has its own EBS driver.
    ...ebsClasses(config.nodes === "auto" ? "ebs.csi.eks.amazonaws.com" : GP3.provisioner, config.volumeKey),
    ...(fileSystemId === undefined ? [] : [efsClass(fileSystemId)]),
  ];
  return addonRoles(config).some(({ addon }) => addon === FSX_DRIVER)
    ? pulumi
        .all([subnetId, securityGroupId])
        .apply(([subnet, group]) => [...known, fsxClass({ subnetId: subnet, securityGroupId: group })])
    : known;
}
