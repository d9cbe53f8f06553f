import { unlock } from "../../../engine/stack/unlock";
import { pulumiVisibly } from "../../stack/visible";
import { Failure } from "../../../foundation/errors";
import { guard } from "../../../engine/process/interrupt";
import { StackFile } from "../../../engine/stack/file";
import { PLATFORM_PROJECT } from "../../../engine/stack/names";
import { copyWithSecrets } from "../../stack/deployChange";
import { success, type Context } from "../../context";
import { Described } from "../entries";
import { deployed, masterOf } from "../master";
import { siteOf } from "../reached";
import { changeImages } from "./images";
import { restoreJob, stopJob } from "./jobs";
import { Journal, withRemembered } from "./journal";
import { upgradeInOrder } from "./order";
import { fateOf, lackingAssets, runningJobs, type RunningJob } from "./running";
import { confirm } from "../../terminal/ask";
import { table } from "../../terminal/table";
import type { UpgradeOptions } from "../options";

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
        stop: (job) => stopJob(site(job), job),
        restore: (job) => restoreJob(site(job), job),
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
  const columns = ["JOB", "STATUS", "WORKERS", "ACTION"].map((title) => ({ title }));
  return table(
    columns,
    jobs.map((job) => [job.name, job.status, String(job.workers ?? ""), fateOf(job)]),
  );
}
