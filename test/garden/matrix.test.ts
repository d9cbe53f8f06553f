import assert from "node:assert/strict";
import { messageOf } from "../../foundation/errors";
import type { Context } from "../../foundation/pulumi/resource";
import { shoot as handler } from "../../provider/resources/shoot/shoot";
import { contextOf } from "../unit/provider/context";
import { CASES, VERSIONS } from "./cases";
import { garden, type Garden } from "./garden";
import { inputsOf, shootFor } from "./product";

const context = (more: Partial<Context> = {}): Context => contextOf(() => undefined, more);

describe("Gardener's own API server", () => {
  let real: Garden;
  before(async () => void (real = await garden()));

  for (const version of VERSIONS) {
    const cases = CASES.filter(({ cluster }) => cluster.kubernetesVersion === version);
    it(`takes each Shoot of Kubernetes ${version}, by a dry run and for good (${cases.length} cases)`, async () => {
      const refused: string[] = [];
      for (const [at, one] of cases.entries()) {
        const name = `m${version.split(".")[1]}-${at}`;
        try {
          const inputs = inputsOf(real, shootFor(name, one));
          await handler.create(context({ preview: true }), inputs);
          await handler.create(context(), inputs);
        } catch (error) {
          refused.push(`${one.title}: ${messageOf(error)}`);
        }
      }
      assert.deepEqual(refused, []);
    });
  }
});
