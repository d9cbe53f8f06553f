import * as pulumi from "@pulumi/pulumi";

const CLUSTER = "aws:eks/cluster:Cluster";

interface State {
  readonly type: string;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** Why a cluster can't go from one Kubernetes minor to another; undefined when it can. Pure. */
export function refusal(from: string, to: string): string | undefined {
  const minor = (version: string): number => Number(version.split(".")[1]);
  const step = minor(to) - minor(from);
  if (step === 0 || step === 1) return undefined;
  const expected =
    step > 1 ? `1.${minor(from) + 1} first: EKS raises one minor at a time` : `${from} or more: EKS never goes back`;
  return `found "${to}", and the cluster runs ${from}; expected ${expected}`;
}

/** Refuses a version that the cluster in this stack's state can't go to, before anything else is changed. */
export async function refuseSkippedVersions(wanted: string): Promise<void> {
  const stackName = `${pulumi.getOrganization()}/${pulumi.getProject()}/${pulumi.getStack()}`;
  const { outputs = {} } = (await pulumi.runtime.invoke("pulumi:pulumi:readStackResourceOutputs", { stackName })) as {
    outputs?: Readonly<Record<string, State>>;
  };
  const running = Object.values(outputs).find(({ type }) => type === CLUSTER)?.outputs["version"];
  const why = typeof running === "string" ? refusal(running, wanted) : undefined;
  if (why !== undefined) {
    throw new pulumi.RunError(
      `The stack's config has 1 fault; nothing was changed.\n  - stackyard:cluster.version: ${why}`,
    );
  }
}
