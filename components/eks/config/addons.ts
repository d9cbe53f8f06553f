/** Checks the roles and the data of additional add-ons. */

import { ADOT, EFS_DRIVER, S3_DRIVER } from "../../cluster/serviceAccountRole/addonRoles";
import { bucketFaults } from "../../cluster/serviceAccountRole/s3";
import { mismatch, type Fault, type Path } from "../../../foundation/schema/faults";
import type { EksInput } from "./schema";

type AddonInput = EksInput["addons"][string];

export const addonFaults = ({ addons, identity }: EksInput, base: Path): Fault[] =>
  Object.entries(addons).flatMap(([name, addon]) => [
    ...roleFaults(addon, identity, [...base, name]),
    ...dataFaults(name, addon, [...base, name]),
  ]);

/** A service account requires a role, and with Pod Identity a role requires one. */
function roleFaults({ roleArn, serviceAccount }: AddonInput, identity: EksInput["identity"], base: Path): Fault[] {
  const path = [...base, "serviceAccount"];
  if (roleArn === undefined && serviceAccount !== undefined)
    return [mismatch(path, `"${serviceAccount}"`, "nothing, because there is no roleArn")];
  if (roleArn === undefined || serviceAccount !== undefined || identity === "irsa") return [];
  return [mismatch(path, "nothing", "its service account, because identity is podIdentity")];
}

function dataFaults(name: string, { roleArn, fileSystemId, workspaceId, buckets }: AddonInput, base: Path): Fault[] {
  const path = [...base, "buckets"];
  const faults = bucketFaults(buckets, path, "fewer buckets, or a roleArn with a policy of your own");
  for (const [key, given, owner] of [
    ["fileSystemId", fileSystemId, EFS_DRIVER],
    ["workspaceId", workspaceId, ADOT],
  ] as const) {
    if (given !== undefined && name !== owner)
      faults.push(mismatch([...base, key], `"${given}"`, `nothing, because only ${owner} has one`));
  }
  if (buckets.length === 0) return faults;
  if (name !== S3_DRIVER)
    return [...faults, mismatch(path, `${buckets.length} buckets`, `nothing, because only ${S3_DRIVER} has some`)];
  if (roleArn !== undefined)
    faults.push(
      mismatch(path, `${buckets.length} buckets`, "nothing, because roleArn names a role with its own policy"),
    );
  return faults;
}
