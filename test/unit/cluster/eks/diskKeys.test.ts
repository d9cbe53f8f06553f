import assert from "node:assert/strict";
import { karpenter } from "../../../../components/karpenter/feature";
import type { Call, Recorder } from "../../runtime/mocks";
import { withWarnings } from "../../runtime/warnings";
import { faultsOf, graphOf } from "./clusters";

const KEY = "arn:aws:kms:eu-central-1:123456789012:key/0a1b2c3d-0000-4000-8000-000000000000";
const ID = KEY.split("/").at(-1);
const AUTOSCALING =
  "arn:aws:iam::123456789012:role/aws-service-role/autoscaling.amazonaws.com/AWSServiceRoleForAutoScaling";

const pools = (more: object = {}) => ({
  nodePools: {
    general: { instanceTypes: ["m7i.xlarge"], max: 5, ...more },
    two: { instanceTypes: ["m7i.xlarge"], max: 5, diskKey: KEY },
  },
});
const groups = pools({ min: 2, diskKey: KEY });
const grantsOf = ({ resources }: Recorder) =>
  resources
    .flatMap(({ type, name, inputs }) =>
      type === "aws:kms/grant:Grant" ? [[name, inputs["granteePrincipal"], inputs["keyId"]]] : [],
    )
    .sort();
/** An error of an invoke, whose message is in the details of gRPC. */
const failure = (details: string): Error => Object.assign(new Error(details), { details });
const answers =
  (part: string, answer: Record<string, unknown> | string) =>
  ({ token, inputs }: Call): Record<string, unknown> | undefined => {
    if (!token.includes(part) && inputs["name"] !== part) return undefined;
    if (typeof answer === "string") throw failure(answer);
    return answer;
  };

describe("the keys of the disks of nodes", function () {
  this.timeout(30_000);

  it("are granted once to Auto Scaling, before node groups", async () => {
    const all = await graphOf(groups);
    assert.deepEqual(grantsOf(all), [[`cluster-eks-disk-key/${ID}`, AUTOSCALING, KEY]]);
    const { inputs } = all.only("aws:kms/grant:Grant");
    assert.ok((inputs["operations"] as string[]).includes("CreateGrant"));
  });

  it("are granted to Karpenter, and to Spot where a pool uses it", async () => {
    const config = { nodes: "karpenter", ...pools() };
    const all = await graphOf(config, "ci", undefined, {}, [karpenter]);
    assert.deepEqual(grantsOf(all), [[`karpenter-disk-key/${ID}`, "arn:aws:test:::karpenter-role-role", KEY]]);
    const spot = await graphOf({ ...config, ...pools({ capacity: "spot", diskKey: KEY }) }, "ci", undefined, {}, [
      karpenter,
    ]);
    assert.deepEqual(grantsOf(spot)[0], [
      `karpenter-disk-key-spot/${ID}`,
      "arn:aws:iam::123456789012:role/aws-service-role/spot.amazonaws.com/AWSServiceRoleForEC2Spot",
      KEY,
    ]);
  });

  it("are granted to the role of a cluster with EKS Auto Mode", async () => {
    const all = await graphOf({ nodes: "auto", ...pools() });
    assert.deepEqual(grantsOf(all), [
      [`cluster-eks-control-plane-disk-key/${ID}`, "arn:aws:test:::cluster-eks-control-plane-role", KEY],
    ]);
  });

  it("of volumes are granted to the EBS driver, and have a class of their own that is the default one", async () => {
    const other = KEY.replace("0a1b2c3d", "1a1b2c3d");
    const all = await graphOf({ ...groups, volumeKey: other });
    assert.deepEqual(grantsOf(all)[1], [
      `cluster-eks-volume-key/${other.split("/")[1]}`,
      "arn:aws:test:::cluster-eks-ebs-role",
      other,
    ]);
    const { inputs } = all.resources.find(({ name }) => name === "cluster-eks-storage")!;
    const classes = (
      inputs["objects"] as { metadata: { name: string; annotations: Record<string, string> }; parameters: object }[]
    ).map(({ metadata, parameters }) => [metadata.name, ...Object.values(metadata.annotations), parameters]);
    assert.deepEqual(classes, [
      ["gp3", "false", { type: "gp3", encrypted: "true" }],
      ["gp3-00000000", "true", { type: "gp3", encrypted: "true", kmsKeyId: other }],
    ]);
    const auto = await graphOf({ nodes: "auto", ...pools(), volumeKey: KEY });
    assert.deepEqual(grantsOf(auto), [
      [`cluster-eks-control-plane-disk-key/${ID}`, "arn:aws:test:::cluster-eks-control-plane-role", KEY],
    ]);
    const gone = answers("kms/getKey:", "NotFoundException: Key does not exist");
    await assert.rejects(
      graphOf(
        {
          ...pools({ min: 2 }),
          nodePools: { general: { instanceTypes: ["m7i.xlarge"], min: 2, max: 5 } },
          volumeKey: other,
        },
        "ci",
        gone,
      ),
      /stackyard:cluster\.volumeKey: found arn:\S+, which does not exist; expected a key that exists/,
    );
    assert.deepEqual(faultsOf({ volumeKey: KEY.replace("eu-central-1", "us-east-1") }).length, 1);
  });

  it("are refused by the preview if EBS can't use them", async () => {
    const refused = (part: string, answer: Record<string, unknown> | string, pattern: RegExp) =>
      assert.rejects(graphOf(groups, "ci", answers(part, answer)), pattern);
    const path = /nodePools\.general\.diskKey: found arn:aws:kms:\S+/.source;
    const key = { keyState: "Enabled", keyUsage: "ENCRYPT_DECRYPT", keySpec: "SYMMETRIC_DEFAULT" };
    await refused(
      "kms/getKey:",
      "NotFoundException: no such key",
      new RegExp(`${path}, which does not exist; expected`),
    );
    await refused(
      "kms/getKey:",
      { ...key, keyState: "PendingDeletion" },
      new RegExp(`${path}, whose state is PendingDeletion`),
    );
    await refused(
      "kms/getKey:",
      { ...key, keyUsage: "SIGN_VERIFY", keySpec: "RSA_2048" },
      new RegExp(`${path}, of RSA_2048 for SIGN_VERIFY`),
    );
    await refused(
      "AWSServiceRoleForAutoScaling",
      "NoSuchEntity",
      /found a key, and the account has no role AWSServiceRoleForAutoScaling.*\n {2}aws iam create-service-linked-role --aws-service-name autoscaling/,
    );
  });

  it("are warned of if nobody may look at them, or the default one of the account is not granted", async () => {
    const denied = await withWarnings(() => graphOf(groups, "ci", answers("kms/getKey:", "AccessDeniedException")));
    assert.match(denied.warned.join("\n"), /diskKey: whether \S+ can encrypt disks is not known: .*AccessDenied/);
    const byDefault = ({ token, inputs }: Call) =>
      token.includes("getDefaultKmsKey")
        ? { keyArn: KEY }
        : token.includes("kms/getKey:")
          ? {
              arn: inputs["keyId"],
              keyManager: "CUSTOMER",
              keyState: "Enabled",
              keyUsage: "ENCRYPT_DECRYPT",
              keySpec: "SYMMETRIC_DEFAULT",
            }
          : undefined;
    const { warned } = await withWarnings(() => graphOf({ ...pools({ min: 2 }) }, "ci", byDefault));
    assert.match(
      warned.join("\n"),
      /nodePools: general, autoscaler have no diskKey, and the account's default key for EBS is arn/,
    );
  });
});
