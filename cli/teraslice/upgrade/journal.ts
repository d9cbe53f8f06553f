import { textAt } from "../../../kubernetes/client/objects";
import type { Where } from "../../../provider/resources/terasliceJob/leftovers";
import type { RunningJob } from "./running";

/**
 * What ran before an upgrade, kept in the cluster while it is in progress: when the command is killed, the next one still
 * knows what to restore, on whatever machine it is run.
 */
export class Journal {
  private readonly ref;

  constructor(
    private readonly where: Where,
    master: string,
  ) {
    this.ref = { apiVersion: "v1", kind: "ConfigMap", namespace: where.namespace, name: `${master}-upgrade` };
  }

  /** Jobs of an upgrade that was cut off; none if there was none. */
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

/** What is to run afterwards: what ran before the upgrade that was cut off, as it was then, and what runs besides. */
export function withRemembered(running: readonly RunningJob[], before: readonly RunningJob[]): RunningJob[] {
  const known = new Set(before.map(({ jobId }) => jobId));
  const all = [...before, ...running.filter(({ jobId }) => !known.has(jobId))];
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}
