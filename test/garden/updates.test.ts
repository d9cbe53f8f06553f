import assert from "node:assert/strict";
import { messageOf } from "../../foundation/errors";
import type { Context } from "../../foundation/pulumi/resource";
import { shoot as handler } from "../../provider/resources/shoot/shoot";
import { contextOf } from "../unit/provider/context";
import type { Case } from "./cases";
import { CHANGES, type Change } from "./changes";
import { garden, type Garden } from "./garden";
import { inputsOf, shootFor } from "./product";

const context = (more: Partial<Context> = {}): Context => contextOf(() => undefined, more);
type Request = Omit<Case, "title">;

describe("an update of a Shoot", () => {
  let real: Garden;
  let count = 0;
  before(async () => void (real = await garden()));

  /** Who refuses the change, and why; undefined if it is made. */
  async function refusalOf({ from, to }: Change): Promise<readonly ["product" | "Gardener", string] | undefined> {
    const name = `u${(count += 1)}`;
    const inputsFor = (request: Request) => inputsOf(real, shootFor(name, request));
    const old = inputsFor(from);
    const { id, state } = await handler.create(context(), old);
    const known = { inputs: old, state };
    let next: ReturnType<typeof inputsFor>;
    try {
      next = inputsFor(to);
      const { cluster, shoot } = next;
      await handler.check(context(), { cluster, shoot }, { old: { ...old }, seed: "" });
      await handler.diff(context(), id, known, next);
    } catch (error) {
      return ["product", messageOf(error)];
    }
    try {
      await handler.update(context({ preview: true }), id, known, next);
      await handler.update(context(), id, known, next);
      return undefined;
    } catch (error) {
      const why = messageOf(error);
      return [/^could not (check|apply|create|change) /.test(why) ? "Gardener" : "product", why];
    }
  }

  for (const [cloud, changes] of Object.entries(CHANGES)) {
    it(`is made by Gardener, or refused by the product with its path (${cloud}, ${changes.length} changes)`, async () => {
      const wrong: string[] = [];
      for (const change of changes) {
        const refusal = await refusalOf(change);
        const [by, why = ""] = refusal ?? [];
        const good = change.refused === undefined ? by === undefined : by === "product" && why.includes(change.refused);
        if (!good) wrong.push(`${change.title}: ${by === undefined ? "made" : `${by} says ${why}`}`);
      }
      assert.deepEqual(wrong, []);
    });
  }
});
