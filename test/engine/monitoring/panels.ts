import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { metricsIn } from "../../fixtures/alerts";
import { projectRoot } from "../../../toolchain/root";
import { ensureTools } from "../../../toolchain/tools/ensure";
import { prometheus, usesPrometheus } from "../../tools/prometheus";
import { Prometheus } from "./prometheus";
import { dashboardsChart } from "./promtool";

/** The panels of one program, whose metrics the real Prometheus reads. */
export class Panels {
  private constructor(
    private readonly server: Prometheus,
    private readonly folder: string,
    private readonly queries: readonly { readonly name: string; readonly query: string }[],
  ) {}

  /** `start`: how its metrics begin. Undefined where Prometheus is not installed. */
  static async of(start: string, address: string): Promise<Panels | undefined> {
    if (!usesPrometheus(projectRoot(), prometheus)) return undefined;
    const { programs } = await ensureTools(projectRoot(), [prometheus]);
    const folder = mkdtempSync(path.join(tmpdir(), "stackyard-prometheus-"));
    const sources = new Map([[start, { address, stop: () => Promise.resolve() }]]);
    const server = await new Prometheus().start(programs["prometheus"]!, folder, sources);
    const { queries } = await dashboardsChart();
    const own = queries.filter(({ query }) => metricsIn(query).some((metric) => metric.startsWith(start)));
    return new Panels(server, folder, own);
  }

  /** The panels that still show nothing after a minute. */
  async empty(): Promise<string[]> {
    let left = this.queries;
    if (left.length === 0) throw new Error("there are no panels");
    for (const until = Date.now() + 60_000; left.length > 0 && Date.now() < until; await sleep(500)) {
      const counts = await Promise.all(left.map(({ query }) => this.server.count(query)));
      left = left.filter((_, index) => counts[index] === 0);
    }
    return left.map(({ name }) => name);
  }

  async stop(): Promise<void> {
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
