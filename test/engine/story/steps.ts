import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Story } from "./story";
import { withEarl } from "./earl";

export interface Step {
  readonly title: string;
  readonly run: (story: Story) => Promise<void>;
}

const JOB = "records";

/** What happens, in order; each step builds upon those before it. */
export const STEPS: readonly Step[] = [
  {
    title: "deploys a platform with a search engine and a Teraslice master",
    run: async (story) => {
      await story.project.platform(story.config(story.versions[0]));
      assert.equal((await story.pods("master")).filter(({ isReady }) => isReady).length, 1);
    },
  },
  {
    title: "builds an asset and stores it at the master",
    run: async (story) => {
      assert.match(await story.teraslice("assets", "deploy", story.assetFolder()), /asset records 1\.0\.0 is deployed/);
    },
  },
  {
    title: "starts a job with one worker, which indexes records",
    run: async (story) => {
      story.watch(JOB);
      await story.teraslice("register", story.jobFile(JOB), "--yes");
      await story.teraslice("start", JOB, "--yes");
      await grows(story);
    },
  },
  {
    title: "scales it from one worker to four",
    run: async (story) => {
      await story.teraslice("workers", JOB, "total", "4", "--yes");
      await workers(story, 4);
    },
  },
  {
    title: "goes on after a worker was killed",
    run: async (story) => {
      await story.kill("worker");
      await workers(story, 4);
      await grows(story);
    },
  },
  {
    title: "stands still while it is paused, and goes on when it is resumed",
    run: async (story) => {
      await story.teraslice("pause", JOB);
      // What the workers have begun ends.
      await sleep(story.size.delayMs + 5000);
      const before = await story.count(JOB);
      await sleep(story.size.delayMs + 5000);
      assert.equal(await story.count(JOB), before);
      await story.teraslice("resume", JOB);
      await grows(story);
    },
  },
  {
    title: "goes on while its master is killed, which finds it again",
    run: async (story) => {
      await story.kill("master");
      await grows(story);
      await story.until("the master is ready again", async () => (await story.pods("master")).some(isReady));
      assert.match(await story.teraslice("state", JOB), /records +running/);
    },
  },
  {
    title: "ends when its execution controller is killed, and is recovered where it was",
    run: async (story) => {
      await story.kill("execution_controller");
      // The master does not notice.
      await story.until("its end is reported", async () =>
        /running .*its execution controller has ended/.test(await story.teraslice("state", JOB)),
      );
      const before = await story.count(JOB);
      await story.teraslice("recover", JOB);
      await grows(story);
      assert.ok(before > 0 && before < story.size.records, "it was in the middle");
    },
  },
  {
    title: "goes on where it was after an upgrade of Teraslice",
    run: async (story) => {
      const before = await story.count(JOB);
      assert.ok(before < story.size.records, "the job is in the middle");
      const image = story.image(story.versions.at(-1)!);
      const text = await story.teraslice("upgrade", image, "--yes");
      assert.match(text, /records +(running|recovering) +4 +stopped, recovered where it ended/);
      const [pod] = await story.pods("worker");
      assert.ok(JSON.stringify(pod).includes(image));
      assert.ok((await story.count(JOB)) >= before);
    },
  },
  {
    title: "has indexed each record once in the end",
    run: async (story) => {
      await story.teraslice("await", JOB, "--timeout", "1200");
      await story.until("all records are searchable", async () => (await story.count(JOB)) === story.size.records, 30);
      const last = story.size.records - 1;
      assert.deepEqual(await story.totals(JOB), { sum: (last * (last + 1)) / 2, greatest: last * last });
    },
  },
  { title: "does what users of earl do every day, with earl", run: withEarl },
  {
    title: "stops a job that runs for good, and nothing of it is left",
    run: async (story) => {
      await story.teraslice("register", story.jobFile("endless", { lifecycle: "persistent" }), "--yes");
      await story.teraslice("start", "endless", "--yes");
      await story.teraslice("stop", "endless", "--yes");
      assert.deepEqual(await story.leftOfJobs(), []);
    },
  },
  {
    title: "is destroyed with a dead master and a job that runs, of which nothing is left",
    run: async (story) => {
      await story.teraslice("start", "endless", "--yes");
      await story.kubectl("scale", "deployment/story-master", "--replicas=0");
      await story.kubectl("wait", "--for=delete", "pod", "--selector=app.kubernetes.io/component=master");
      await story.project.remove();
      assert.deepEqual(await story.leftOfJobs(), []);
    },
  },
];

const isReady = (pod: { readonly isReady: boolean }): boolean => pod.isReady;

async function grows(story: Story): Promise<void> {
  const before = await story.count(JOB);
  await story.until(`more than ${before} records are indexed`, async () => (await story.count(JOB)) > before);
}

async function workers(story: Story, wanted: number): Promise<void> {
  await story.until(`${wanted} workers are ready`, async () => {
    return (await story.pods("worker")).filter(isReady).length === wanted;
  });
}
