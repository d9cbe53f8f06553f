import { coerce, lt, major } from "semver";
import { unlock } from "../../../engine/stack/unlock";
import { textAt } from "../../../kubernetes/objects/objects";
import type { Where } from "../../../provider/resources/terasliceJob/leftovers";
import { pulumiVisibly } from "../../stack/visible";
import { Failure, UsageError } from "../../../foundation/errors";
import { guard } from "../../../engine/process/interrupt";
import { StackFile } from "../../../engine/stack/file";
import { PLATFORM_PROJECT } from "../../../engine/stack/names";
import { copyWithSecrets } from "../../stack/deployChange";
import { success, type Context } from "../../context";
import { Described } from "../entries";
import { deployed, masterOf } from "../master";
import { siteOf } from "../reached";
import { repeatedly, restoreJob, stopJob } from "./jobs";
import { upgradeInOrder } from "./order";
import { fateOf, lackingAssets, runningJobs, type RunningJob } from "./running";
import { confirm } from "../../terminal/ask";
import { table } from "../../terminal/table";
import type { UpgradeOptions } from "../options";

/**
 * Records in the cluster which jobs were running before an upgrade, so that after a kill the next command can restore
 * them, on any machine.
 */
class Journal {
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

/** Image of a master before and after an upgrade. */
interface ImageChange {
  readonly from: string;
  readonly to: string;
  /** Warnings to consider before the upgrade. */
  readonly warnings: readonly string[];
}

/**
 * Sets the image of a master in its description, and the image of its jobs if they have their own. A separate jobs
 * image can't be derived, so the option is required. `again`: continue an interrupted upgrade, where the image may
 * already be set.
 */
export function changeImages(master: Described, to: string, jobsTo: string | undefined, again = false): ImageChange {
  const { entry } = master;
  const { image, settings = {} } = entry;
  const ofJobs = settings.kubernetes_image;
  const from = image ?? ofJobs;
  if (from === undefined) throw new Failure(`${master.file.file} names no image of the master; name the one that runs`);
  if (jobsTo === undefined && ofJobs !== undefined && ofJobs !== from) {
    throw new UsageError(`jobs have an image of their own, ${ofJobs}; expected --jobs-image with the one for ${to}`);
  }
  if (!again && from === to && (jobsTo === undefined || jobsTo === ofJobs))
    throw new Failure(`the master has ${to} already`);
  const own = jobsTo ?? (ofJobs === undefined ? undefined : to);
  master.set({
    ...entry,
    // A master without its own image uses the image of the jobs.
    ...((image !== undefined || own !== to) && { image: to }),
    ...(own !== undefined && { settings: { ...settings, kubernetes_image: own } }),
  });
  return { from, to, warnings: versionWarnings(from, to) };
}

/**
 * Upstream does not guarantee that an older master can read the stores of a newer one, or that major versions are
 * compatible.
 */
function versionWarnings(from: string, to: string): string[] {
  const [before, after] = [from, to].map((image) => coerce(/:v?(\d[^@:/]*)(?:@|$)/.exec(image)?.[1]));
  if (!before || !after) return [`the versions of ${from} and ${to} can't be compared; read the release notes`];
  if (lt(after, before)) {
    return [`${after.version} is older than ${before.version}: an older master may not read what a newer one stored`];
  }
  if (major(after) === major(before)) return [];
  return [`${after.version} is another major version than ${before.version}; read its release notes first`];
}

/** Upgrades a master: preview, stop the jobs, replace the master, restore the jobs; or roll back. */
export async function upgrade(context: Context, image: string, options: UpgradeOptions): Promise<void> {
  const { stack, jobsImage, timeout } = options;
  const file = await StackFile.read(context.root, stack);
  const platform = await deployed(context.platforms, options);
  const where = { client: platform.client, namespace: platform.endpoint.namespace };
  const journal = new Journal(where, platform.endpoint.service);
  const before = await journal.read();
  const change = changeImages(Described.find(file, options.cluster), image, jobsImage, before.length > 0);
  const { from, to, warnings } = change;
  const master = masterOf(platform, timeout);
  const jobs = withRemembered(await runningJobs(master, where), before);
  const lacking = await lackingAssets(jobs, to, master);
  if (lacking.length > 0) {
    throw new Failure(
      [`nothing was changed: under ${to} jobs would not start again`, ...lacking.map((line) => `  - ${line}`)].join(
        "\n",
      ),
    );
  }
  for (const warning of warnings) context.live.line(`${context.colours.warn("warning:")} ${warning}`);
  if (before.length > 0)
    context.live.line("continues an interrupted upgrade, and restores the jobs that ran before it");
  context.print(`${platform.endpoint.name}: ${from} is replaced by ${to}`);
  context.print(shown(jobs));

  await guard(async () => {
    const note = (text: string): void => context.live.line(`  ${text}`);
    await unlock({ project: PLATFORM_PROJECT, stack, workspace: context.platforms }, note);
    const copies = {
      new: await copyWithSecrets(context.platforms, stack, file),
      old: await copyWithSecrets(context.platforms, stack, await StackFile.read(context.root, stack)),
    };
    const pulumi = (args: readonly string[]) => pulumiVisibly([...args, "--stack", stack], context.platforms);
    try {
      if (options.yes !== true || options.preview === true) {
        const code = await pulumi(["preview", "--config-file", copies.new.file]);
        if (code !== 0) throw new Failure("the preview failed, so nothing was changed; its output is above");
        const question = `Upgrade the master ${platform.endpoint.name}, with ${jobs.length} running jobs?`;
        if (options.preview === true || !(await confirm(question))) return;
      }
      if (!(await file.isAsRead())) throw new Failure(`${file.file} was changed by another process in the meantime`);
      const site = ({ name }: RunningJob) => siteOf(context, platform, name, timeout);
      await journal.write(jobs);
      const { failure, down } = await upgradeInOrder(jobs, {
        note,
        stop: (job) => repeatedly(() => stopJob(site(job), job)),
        restore: (job) => repeatedly(() => restoreJob(site(job), job)),
        deployMaster: async (which) => {
          // Only the master's objects are updated, so that the update does not start the platform's jobs in a different
          // state.
          const only = ["--target", platform.objects, "--config-file", copies[which].file];
          const code = await pulumi(["up", "--yes", "--skip-preview", "--suppress-outputs", ...only]);
          if (code !== 0) throw new Failure("the update of the master failed; its output is above");
        },
      });
      if (down.length > 0) await journal.write(down);
      else await journal.remove();
      if (failure) throw failure;
      await file.write();
      const code = await pulumi(["up", "--yes", "--skip-preview", "--suppress-outputs"]);
      const rest = `the master and its jobs are upgraded, the rest of the update failed; go on with "pulumi up --stack ${stack}"`;
      if (code !== 0) throw new Failure(rest);
      success(context, `the master ${platform.endpoint.name} runs ${to}`);
    } finally {
      await Promise.all([copies.new.remove(), copies.old.remove()]);
    }
  });
}

function shown(jobs: readonly RunningJob[]): string {
  if (jobs.length === 0) return "no job runs";
  const columns = ["JOB", "STATUS", "WORKERS", "ACTION"];
  const rows = jobs.map((job) => [job.name, job.status, String(job.workers ?? ""), fateOf(job)]);
  return table(columns, rows);
}
