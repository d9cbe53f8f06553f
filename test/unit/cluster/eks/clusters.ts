import type * as pulumi from "@pulumi/pulumi";
import assert from "node:assert/strict";
import { eks } from "../../../../components/eks/feature";
import type { Feature } from "../../../../components/feature";
import { createFeatures } from "../../../../components/platform/create";
import { decodeConfig } from "../../../../components/platform/config/decodeConfig";
import { readOwnState } from "../../../../components/resources/ownState";
import { ConfigError, renderPath } from "../../../../foundation/schema/faults";
import { filesOf } from "../../config/fixtures";
import { mock, settled, type Call, type Recorder } from "../../runtime/mocks";
import { answerOf, outputsOf } from "../answers";

export const SMALLEST = {
  type: "eks",
  name: "acme",
  region: "eu-central-1",
  version: "1.35",
  access: { admins: { ci: "arn:aws:iam::123456789012:role/ci" } },
  nodePools: { general: { instanceTypes: ["m7i.xlarge"], min: 2, max: 5 } },
};
const spec = { namespace: "runtimes", host: "https://*.example.com", image: "example/runtime" };
const provisioners = { eu: { type: "kubernetes", spec } };

/** The decoded config of a platform on the smallest cluster with these keys. */
const decode = (cluster: object) => {
  const ingress = { existing: ["nginx"] };
  const values = { cluster: { ...SMALLEST, ...cluster }, provisioners, defaultProvisioner: "eu", ingress };
  return decodeConfig({ values, stack: "dev" }, filesOf({}));
};

/** Faults of the smallest cluster with these keys, as texts with their paths. */
export function faultsOf(cluster: object): string[] {
  try {
    decode(cluster);
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.faults.map(({ path, message }) => `${renderPath(path)}: ${message}`);
  }
  return [];
}

/** What a program registers for the smallest cluster with these keys. `answer`: what AWS says, if it differs. `ofCluster`: more outputs of the cluster. */
export async function graphOf(
  cluster: object,
  who = "ci",
  answer?: (call: Call) => Record<string, unknown> | undefined,
  ofCluster: object = {},
  more: readonly Feature[] = [],
): Promise<Recorder & { readonly outputs: pulumi.Inputs }> {
  const recorder = mock(
    (made) => ({ ...outputsOf(made), ...(made.type === "aws:eks/cluster:Cluster" && ofCluster) }),
    (call) => answer?.(call) ?? answerOf(call, who),
  );
  const { outputs } = await createFeatures(
    [eks, ...more],
    decode(cluster),
    { archives: { karpenter: "./karpenter.tgz" } },
    readOwnState(),
  );
  await settled(recorder);
  return Object.assign(recorder, { outputs });
}
