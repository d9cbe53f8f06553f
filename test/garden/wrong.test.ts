import assert from "node:assert/strict";
import { decodeRuntimeConfig } from "../../components/runtime/deployment";
import { messageOf } from "../../foundation/errors";
import { CLOUDS } from "./cases";
import { garden, type Garden } from "./garden";
import { shootFor, uncheckedShoot } from "./product";
import { tried } from "./verdicts";
import { WRONG } from "./wrong";

/** What the product says: the schema of a deployment, and the plan with the defaults of its provisioner. */
function refusalOf(title: string, cluster: object): string {
  try {
    const deployment = { cluster: JSON.parse(JSON.stringify(cluster)) as object };
    decodeRuntimeConfig({ platform: "organization/stackyard/dev", deployment }, title);
    shootFor("wrong", { cluster });
    return "taken";
  } catch (error) {
    return messageOf(error);
  }
}

describe("a request that an extension refuses", () => {
  let real: Garden;
  before(async () => void (real = await garden()));

  for (const [cloud, requests] of Object.entries(WRONG)) {
    it(`is refused before, with the path (${cloud}, ${Object.keys(requests).length} requests)`, async function () {
      const wrong: string[] = [];
      for (const [title, [change, path]] of Object.entries(requests)) {
        const cluster = { ...CLOUDS[cloud]?.cluster, ...change };
        const why = refusalOf(title.replaceAll(" ", "-"), cluster);
        if (!why.includes(`${path}: `)) wrong.push(`${title}: the product says ${why}`);
        if (!real.extensions.includes(cloud)) continue;
        if ((await tried(real.client, uncheckedShoot("wrong", cluster))) === undefined)
          wrong.push(`${title}: Gardener takes it`);
      }
      assert.deepEqual(wrong, []);
      if (!real.extensions.includes(cloud)) this.skip();
    });
  }
});
