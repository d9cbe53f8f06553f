import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { withEarl } from "./earl";
import { ofTeraslice } from "./step";
import type { Teraslice } from "./teraslice";

const JOB = "records";

export const TERASLICE = {
  begins: [
    ofTeraslice("builds an asset, and its Teraslice master stores it in the S3 server", async (teraslice) => {
      assert.equal((await teraslice.ready("master")).length, 1);
      const text = await teraslice.run("assets", "deploy", teraslice.assetFolder());
      assert.match(text, /asset records 1\.0\.0 is deployed/);
      assert.match((await teraslice.assets()).join("\n"), /ts-assets-story\/\w+\.zip$/);
    }),
  ],
  works: [
    ofTeraslice("starts a job with one worker, which indexes records", async (teraslice) => {
      teraslice.watch(JOB);
      await teraslice.run("register", teraslice.jobFile(JOB), "--yes");
      await teraslice.run("start", JOB, "--yes");
      await grows(teraslice);
    }),
    ofTeraslice("scales it from one worker to four", async (teraslice) => {
      await teraslice.run("workers", JOB, "total", "4", "--yes");
      await workers(teraslice, 4);
    }),
  ],
  isKilled: [
    ofTeraslice("goes on with the job after a worker was killed", async (teraslice) => {
      await teraslice.kill("worker");
      await workers(teraslice, 4);
      await grows(teraslice);
    }),
    ofTeraslice("stands still while the job is paused, and goes on when it is resumed", async (teraslice) => {
      const { delayMs } = teraslice.size;
      await teraslice.run("pause", JOB);
      // What the workers have begun ends.
      await sleep(delayMs + 5000);
      const before = await teraslice.count(JOB);
      await sleep(delayMs + 5000);
      assert.equal(await teraslice.count(JOB), before);
      await teraslice.run("resume", JOB);
      await grows(teraslice);
    }),
    ofTeraslice("goes on with the job while its master is killed, which finds it again", async (teraslice) => {
      await teraslice.kill("master");
      await grows(teraslice);
      await teraslice.until("the master is ready again", async () => (await teraslice.ready("master")).length > 0);
      assert.match(await teraslice.run("state", JOB), /records +running/);
    }),
    ofTeraslice("ends the job when its execution controller is killed, and recovers it there", async (teraslice) => {
      await teraslice.kill("execution_controller");
      // The master does not notice.
      await teraslice.until("its end is reported", async () =>
        /running .*its execution controller has ended/.test(await teraslice.run("state", JOB)),
      );
      const before = await teraslice.count(JOB);
      await teraslice.run("recover", JOB);
      await grows(teraslice);
      assert.ok(before > 0 && before < teraslice.size.records, "it was in the middle");
    }),
  ],
  isUpgraded: [
    ofTeraslice("goes on with the job where it was after an upgrade of Teraslice", async (teraslice) => {
      const before = await teraslice.count(JOB);
      assert.ok(before < teraslice.size.records, "the job is in the middle");
      const image = teraslice.image(teraslice.versions.at(-1)!);
      const text = await teraslice.run("upgrade", image, "--yes");
      assert.match(text, /records +(running|recovering) +4 +stopped, recovered where it ended/);
      const [pod] = await teraslice.ready("worker");
      assert.ok(JSON.stringify(pod).includes(image));
      assert.ok((await teraslice.count(JOB)) >= before);
    }),
  ],
  ends: [
    ofTeraslice("has indexed each record once in the end", async (teraslice) => {
      const { records } = teraslice.size;
      await teraslice.run("await", JOB, "--timeout", "1200");
      await teraslice.until("all records are searchable", async () => (await teraslice.count(JOB)) === records, 30);
      const last = records - 1;
      assert.deepEqual(await teraslice.totals(JOB), { sum: (last * (last + 1)) / 2, greatest: last * last });
    }),
  ],
  isUsed: [
    ofTeraslice("does what users of earl do every day, with earl", withEarl),
    ofTeraslice("stops a job that runs for good, of which nothing is left", async (teraslice) => {
      await teraslice.run("register", teraslice.jobFile("endless", { lifecycle: "persistent" }), "--yes");
      await teraslice.run("start", "endless", "--yes");
      await teraslice.run("stop", "endless", "--yes");
      assert.deepEqual(await teraslice.leftOfJobs(), []);
    }),
    ofTeraslice("loses its master while a job runs", async (teraslice) => {
      const { namespace, platform } = teraslice;
      await teraslice.run("start", "endless", "--yes");
      await platform.kubectl(namespace, "scale", "deployment/story-master", "--replicas=0");
      await platform.kubectl(namespace, "wait", "--for=delete", "pod", "-l", "app.kubernetes.io/component=master");
    }),
  ],
} as const;

async function grows(teraslice: Teraslice): Promise<void> {
  const before = await teraslice.count(JOB);
  await teraslice.until(`more than ${before} records are indexed`, async () => (await teraslice.count(JOB)) > before);
}

async function workers(teraslice: Teraslice, wanted: number): Promise<void> {
  await teraslice.until(`${wanted} workers are ready`, async () => (await teraslice.ready("worker")).length === wanted);
}
