import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { NOTEBOOK } from "./notebookSteps";
import type { Step } from "./step";
import { TERASLICE } from "./terasliceSteps";

let disks: readonly string[] = [];

const show = (lines: readonly string[]): void => lines.forEach((line) => console.log(`        ${line}`));

/** What happens, in order. */
export const STEPS: readonly Step[] = [
  { title: "deploys a platform", run: (story) => story.deploy() },
  ...NOTEBOOK.begins,
  ...TERASLICE.begins,
  {
    title: "has disks with the user's file and the asset",
    run: async (story) => show((disks = await story.disks())),
  },
  ...TERASLICE.works,
  ...TERASLICE.isKilled,
  ...TERASLICE.isUpgraded,
  ...NOTEBOOK.isKilled,
  ...NOTEBOOK.isUpgraded,
  ...TERASLICE.ends,
  {
    title: "has the same disks after all of that, with the same content",
    run: async (story) => {
      const found = await story.disks();
      show(found);
      assert.deepEqual(found, disks);
    },
  },
  ...TERASLICE.isUsed,
  {
    title: "is destroyed, and nothing is left",
    run: async (story) => {
      await story.destroy();
      // Volumes go a moment after their claims.
      for (const end = Date.now() + 60_000; (await story.left()).length > 0 && Date.now() < end; await sleep(1000));
      assert.deepEqual(await story.left(), []);
    },
  },
];
