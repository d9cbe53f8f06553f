import assert from "node:assert/strict";
import type { Client } from "../../kubernetes/client/client";
import { connect } from "../../kubernetes/connect/connect";
import { projectRoot } from "../../toolchain/root";
import { sideYard } from "../../toolchain/yard/sideYards";
import { startYard, stopYard, type Yard } from "../../toolchain/yard/yard";
import { Gardener } from "../doubles/gardener/gardener";
import { CHANGES } from "./changes";
import { FAULTS } from "./faults";
import { garden, PROJECT } from "./garden";
import { changeOn, tried, type Verdict } from "./verdicts";

/** What the double does not copy, as its README says. */
const NOT_COPIED = new Set([
  "a class that is not there",
  "a label that is none",
  "ranges of pods and services that overlap",
  "ranges of nodes and pods that overlap",
  "a network of nobody",
  "a cloud of nobody",
  "an extension of nobody",
  "a window that is too short",
  "a place that is none",
  "a toleration of nobody",
  "a Secret that is not there",
  "a finalizer",
  // It sets the domain a moment after the creation.
  "another domain than Gardener's",
]);

/** The double does not copy the validators of extensions either. */
const BY_EXTENSION = 'admission webhook "validator.';

describe("the double of Gardener", () => {
  let yard: Yard;
  let double: Gardener;
  let both: readonly [real: Client, copy: Client];
  before(async () => {
    const directory = sideYard(projectRoot(), "garden-double");
    await stopYard({ directory });
    yard = await startYard({ directory });
    const { client, release } = await garden();
    double = await Gardener.start({ yard: yard.directory, project: PROJECT, release });
    both = [client, connect(double.kubeconfig, undefined, {})];
  });
  after(async () => {
    await double.stop();
    await yard.stop();
  });

  /** Where the double is kinder than Gardener. */
  async function kinder(title: string, judge: (client: Client) => Promise<Verdict>): Promise<string[]> {
    const [real, copy] = [await judge(both[0]), await judge(both[1])];
    const isRefused = real !== undefined && !real.includes(BY_EXTENSION);
    return !isRefused || copy !== undefined ? [] : [`${title}: Gardener says ${real}`];
  }

  it(`refuses what Gardener refuses (${FAULTS.length} faults)`, async () => {
    const found: string[] = [];
    for (const [title, shoot] of FAULTS) found.push(...(await kinder(title, (client) => tried(client, shoot()))));
    assert.deepEqual(
      found.filter((one) => !NOT_COPIED.has(one.split(":")[0] ?? "")),
      [],
    );
  });

  for (const [cloud, changes] of Object.entries(CHANGES)) {
    it(`refuses the changes that Gardener refuses (${cloud}, ${changes.length} changes)`, async () => {
      const found: string[] = [];
      for (const [at, change] of changes.entries())
        found.push(...(await kinder(change.title, (client) => changeOn(client, `d-${cloud}-${at}`, change))));
      assert.deepEqual(
        found.filter((one) => !NOT_COPIED.has(one.split(":")[0] ?? "")),
        [],
      );
    });
  }
});
