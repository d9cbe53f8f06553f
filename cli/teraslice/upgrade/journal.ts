import { textAt } from "../../../kubernetes/objects/objects";
import type { Where } from "../../../provider/resources/terasliceJob/leftovers";
import type { RunningJob } from "./running";

/**
 * Records in the cluster which jobs were running before an upgrade, so that after a kill the next command can restore
 * them, on any machine.
 */
export class Journal {
  private readonly ref;

  constructor(
    private readonly where: Where,
    master: string,
  ) {
    this.ref = { apiVersion: "v1", kind: "ConfigMap", namespace: where.namespace, name: `${master}-upgrade` };
  }

  /** Returns the jobs of an interrupted upgrade; empty if there was none. */
  async read(): Promise<readonly RunningJob[]> {
    const text = textAt(await this.where.client.get(this.ref), "data", "jobs");
    return text === undefined ? [] : (JSON.parse(text) as RunningJob[]);
  }

  async write(jobs: readonly RunningJob[]): Promise<void> {
    const { apiVersion, kind, namespace, name } = this.ref;
    const metadata = { namespace, name };
    await this.where.client.apply({ apiVersion, kind, metadata, data: { jobs: JSON.stringify(jobs) } });
  }

  async remove(): Promise<void> {
    await this.where.client.remove(this.ref);
  }
}

/**
 * Returns the jobs to run afterwards: those recorded by an interrupted upgrade, in their state at that time, and those
 * running now.
 */
export function withRemembered(running: readonly RunningJob[], before: readonly RunningJob[]): RunningJob[] {
  const known = new Set(before.map(({ jobId }) => jobId));
  const all = [...before, ...running.filter(({ jobId }) => !known.has(jobId))];
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}
