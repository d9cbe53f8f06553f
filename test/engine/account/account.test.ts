import * as ec2 from "@aws-sdk/client-ec2";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { connection } from "../../doubles/aws/moto/maker";
import { startMoto, type MotoServer } from "../../doubles/aws/moto/server";
import { STEPS } from "../../account/steps";
import { AccountWorld } from "./world";

const page = readFileSync(path.join(__dirname, "../../../test/account/README.md"), "utf8");
/** The commands of the example: dry run, run, continuation, clean-up. */
const [, block = ""] = /^```sh\n([^]*?)^```$/m.exec(page) ?? [];
const EXAMPLE = block
  .trim()
  .split("\n")
  .map((line) =>
    line
      .replace(/ +#.*$/, "")
      .replace(/^npm run test:account -- /, "")
      .split(" "),
  );
const NAME = "at-one";

describe("the account test", function () {
  this.timeout(900_000);
  let moto: MotoServer | undefined;
  let world: AccountWorld;

  before(async function () {
    const started = await startMoto();
    if ("missing" in started) return this.skip();
    moto = started;
    world = await AccountWorld.start(moto, `${NAME}-imported`);
  });
  after(async () => {
    await world?.stop();
    await moto?.stop();
  });

  /** A command of the example, with its folder elsewhere. */
  function example(index: number, ...more: string[]): string[] {
    const args = EXAMPLE[index] ?? assert.fail(`the example has no command ${index}`);
    const folder = path.join(world.folder, NAME);
    const own = args.includes("--folder") ? [] : ["--folder", folder, "--public-cidr", "203.0.113.7/32"];
    return [...args.map((word) => (word.startsWith(".account-test/") ? folder : word)), ...own, ...more];
  }

  it("shows steps, times and costs before it creates anything", async () => {
    const { code, text } = await world.run(...example(0));
    assert.equal(code, 0, text);
    for (const { name, minutes } of STEPS)
      assert.match(text, new RegExp(`^  ${name} +${minutes} min +\\d+\\.\\d\\d USD`, "m"));
    assert.match(text, /^ {2}total +\d+ min +\d+\.\d\d USD$/m);
    assert.match((await world.run(...example(1))).text, /costs money\? Standard input is not a terminal.*pass --yes/);
    assert.deepEqual(await world.existing(), ["role operator"]);
  });

  it("refuses the credentials of another account", async () => {
    const { code, text } = await world.run(...example(1, "--account", "210987654321", "--yes"));
    assert.equal(code, 1);
    assert.match(
      text,
      /--account: found 210987654321, and the credentials are of 123456789012 .*; nothing was created/,
    );
  });

  it("ends at an interruption with what exists, and lets no second run into its folder", async () => {
    const run = world.start(...example(1, "--pull-request", "7", "--yes"));
    await run.says(/▶ bootstrap/);
    const { code, text } = await world.run(...example(2));
    assert.equal(code, 1);
    assert.match(text, /process \d+ runs the test of this folder; wait for it/);
    await run.says(/✓ approval/);
    assert.match(world.github.comments[0]?.body ?? "", /### `stackyard\/at-one`: \d+ to create/);
    await world.until(() => world.things().length > 0);
    run.kill("SIGINT");
    const ended = await run.ended;
    assert.equal(ended.code, 130, ended.text);
    assert.match(
      ended.text,
      /✗ deploy after [^]*interrupted by SIGINT\n\nStill exists, and costs money:\n[^]*platform at-one +pulumi destroy/,
    );
    assert.match(ended.text, /Delete it all: {2}npm run test:account -- --folder \S+at-one --clean-up/);
  });

  it("refuses names that are taken", async () => {
    const other = example(1, "--yes").map((word) => word.replace(/\/at-one$/, "/at-other"));
    const { code, text } = await world.run(...other);
    assert.equal(code, 1);
    assert.match(
      text,
      /found the stack at-one-bootstrap of CloudFormation, the role at-one-preview, .*take another --name/,
    );
  });

  it("continues, and fails with what is left of a cluster", async () => {
    const client = new ec2.EC2Client(connection(moto!.address));
    const Tags = [{ Key: "kubernetes.io/cluster/at-one-main", Value: "owned" }];
    const TagSpecifications = [{ ResourceType: "volume" as const, Tags }];
    const disk = { AvailabilityZone: "eu-central-1a", Size: 1, TagSpecifications };
    const { VolumeId } = await client.send(new ec2.CreateVolumeCommand(disk));
    const { code, text } = await world.run(...example(2, "--yes"));
    await client.send(new ec2.DeleteVolumeCommand({ VolumeId }));
    client.destroy();
    assert.equal(code, 1, text);
    assert.match(text, new RegExp(`✓ destroy in [^]*✗ leftovers[^]*found 1 resources of at-one-main[^]*Still exists`));
    assert.match(
      text,
      /✓ plan: done before[^]*✓ deploy in [^]*control plane 1\.36, nodes 1\.35\n[^]*control plane 1\.35, nodes 1\.35\n/,
    );
    assert.deepEqual(world.things(), []);
  });

  it("leaves nothing behind at its end", async () => {
    const { code, text } = await world.run(...example(2, "--yes"));
    assert.equal(code, 0, text);
    assert.match(text, /✓ destroy: done before[^]*Nothing of the run exists any more/);
    assert.deepEqual(await world.existing(), ["role operator"]);
  });

  it("deletes everything when its time is over", async () => {
    const [run, folder] = [example(1, "--limit", "0.02", "--yes"), path.join(world.folder, "at-two")];
    const late = run.map((word) => (word === NAME ? "at-two" : word.endsWith("/at-one") ? folder : word));
    const { code, text } = await world.run(...late);
    assert.equal(code, 1);
    assert.match(text, /the limit of 0\.02 minutes is over[^]*▶ clean-up[^]*✓ clean-up\nNothing of the run exists/);
    assert.deepEqual(await world.existing(), ["role operator"]);
    const { code: again, text: said } = await world.run("--folder", folder, ...EXAMPLE[3]!.slice(2));
    assert.equal(again, 0, said);
  });
});
