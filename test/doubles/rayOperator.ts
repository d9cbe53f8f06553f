import { setTimeout as sleep } from "node:timers/promises";

/** Runs kubectl and answers what it printed. */
export type Kubectl = (...args: string[]) => Promise<string>;

/** Stands in for the KubeRay operator as far as that it calls every RayCluster of a namespace ready. */
export class RayOperator {
  private running = true;
  private readonly done: Promise<void>;

  constructor(
    private readonly kubectl: Kubectl,
    private readonly namespace: string,
  ) {
    this.done = this.work();
  }

  async stop(): Promise<void> {
    this.running = false;
    await this.done;
  }

  private async work(): Promise<void> {
    const place = ["-n", this.namespace];
    while (this.running) {
      const columns =
        "jsonpath={range .items[*]}{.metadata.name} {.metadata.generation} {.status.observedGeneration}\n{end}";
      // Before its chart is there, the kind is not known.
      const text = await this.kubectl("get", "rayclusters", ...place, "-o", columns).catch(() => "");
      for (const [name = "", generation = "", seen] of text.split("\n").map((line) => line.trim().split(" "))) {
        if (name === "" || seen === generation) continue;
        const status = { observedGeneration: Number(generation), state: "ready", conditions: [] };
        const patch = ["patch", "raycluster", name, ...place, "--subresource=status", "--type=merge", "-p"];
        // It may be gone by now.
        await this.kubectl(...patch, JSON.stringify({ status })).catch(() => "");
      }
      await sleep(200);
    }
  }
}
