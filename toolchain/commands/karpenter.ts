import { say } from "../bootstrap/progress";
import { ensureTools } from "../tools/ensure";
import { karpenter } from "../tools/karpenter";
import { startYard } from "../yard/yard";
import { applyAll, startKarpenter, stopKarpenter, yardPool } from "../yard/karpenter/karpenter";

/** Node pool for the yard. */
const POOL = {
  instanceTypes: ["m7i.large", "m7i.xlarge", "m7i.2xlarge"],
  capacity: "onDemand",
  min: 0,
  max: 20,
  desired: 0,
  diskGb: 50,
  labels: {},
  taints: [],
  os: "al2023",
  perZone: false,
  maxUnavailablePercent: 100,
  forceUpdate: false,
  securityGroupIds: [],
  scaleDown: { unneededFor: "10s" },
} as const;

/** `make karpenter-up`: starts the real Karpenter on the local yard, with simulated nodes. */
export async function karpenterUp(root: string): Promise<number> {
  const yard = await startYard();
  const { folders, programs } = await ensureTools(root, [karpenter]);
  await startKarpenter(yard, { folder: folders[0] ?? "", program: programs["karpenter"] ?? "" });
  await applyAll(yard, yardPool("spare", POOL));
  say(
    "✓ Karpenter runs. Pods that select stackyard.dev/node-pool: spare get nodes, as do pods that no other node has room for",
  );
  return 0;
}

/** `make karpenter-down`: deletes its nodes and stops it. */
export async function karpenterDown(): Promise<number> {
  await stopKarpenter(await startYard());
  say("✓ Karpenter is stopped, and its nodes are gone");
  return 0;
}
