import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { runtimeProgram } from "../../../runtime/program";
import { mock, type Recorder, valueOf } from "./mocks";
import { PLATFORM } from "./platform";

interface Setting {
  readonly deployment?: object;
  readonly move?: string;
  /** The provisioner that the stack remembers. Default: none, it is the first run. */
  readonly remembered?: string;
  readonly outputs?: object;
}

/** Runs the program as the engine would, with a state that holds nothing but the remembered provisioner. */
async function run(setting: Setting): Promise<{ outputs: Record<string, unknown>; recorder: Recorder }> {
  const recorder = mock(
    ({ type, inputs }) => {
      if (type === "pulumi:index:Stash") return { output: setting.remembered ?? inputs.input };
      return { host: "http://host-1:9091", audienceUrl: "a", dataDir: "d", storageBytes: null, inventory: [] };
    },
    ({ token }) => {
      if (token === "pulumi:pulumi:readStackOutputs") return { outputs: setting.outputs ?? PLATFORM };
      return { result: [] };
    },
  );
  pulumi.runtime.setAllConfig({
    "stackyard-runtime:platform": "organization/stackyard/dev",
    "stackyard-runtime:deployment": JSON.stringify({ slots: 1, version: "0.50.0", ...setting.deployment }),
    ...(setting.move === undefined ? {} : { "stackyard-runtime:move": setting.move }),
  });
  const outputs = await runtimeProgram();
  return { outputs: await valueOf(pulumi.output(outputs)), recorder };
}

const refuses = (setting: Setting, message: RegExp) =>
  assert.rejects(run(setting), (error: Error) => pulumi.RunError.isInstance(error) && message.test(error.message));

describe("the program of a runtime stack", () => {
  it("gives a deployment without a provisioner the default one, and remembers it", async () => {
    const { outputs, recorder } = await run({});
    assert.equal(outputs.provisioner, "eu");
    assert.equal(recorder.only("pulumi:index:Stash").inputs.input, "eu");
  });

  it("takes the environment's provisioner", async () => {
    const { outputs } = await run({ deployment: { environment: "dev" } });
    assert.equal(outputs.provisioner, "shared");
    assert.equal(outputs.host, "http://host-1:9091");
  });

  it("keeps the provisioner that it remembers when the default is another one", async () => {
    assert.equal((await run({ remembered: "us" })).outputs.provisioner, "us");
  });

  it("refuses another provisioner than the one it remembers, and says how to move", async () => {
    await refuses({ deployment: { provisioner: "us" }, remembered: "eu" }, /is with provisioner "eu".*--move/);
  });

  it("lets a static runtime change its host where a move to its own provisioner is allowed", async () => {
    const allow = async (move?: string) =>
      (await run({ deployment: { environment: "dev" }, move })).recorder.only("stackyard:index:SlotAllocation").inputs
        .allowMove as boolean;
    assert.equal(await allow("shared"), true);
    assert.equal(await allow(), false);
  });

  it("reports faults of the config before it reads or makes anything", async () => {
    const recorder = mock(
      () => ({}),
      () => ({}),
    );
    pulumi.runtime.setAllConfig({ "stackyard-runtime:deployment": '{"slots":0}', "stackyard-runtime:plaform": "x" });
    await assert.rejects(runtimeProgram(), /has 4 faults; nothing was changed/);
    assert.deepEqual(
      [recorder.calls, recorder.resources.filter(({ type }) => type !== "pulumi:pulumi:Stack")],
      [[], []],
    );
  });

  it("says what to do when the platform stack is not up", async () => {
    await refuses({ outputs: {} }, /platform stack "organization\/stackyard\/dev" has no outputs.*pulumi up -s dev/);
  });

  it("says what to do when the platform stack is something else, without showing values", async () => {
    await refuses(
      { outputs: { ...PLATFORM, provisioners: "s3cret", slot: { cpu: 1 } } },
      /^(?!.*s3cret)[^]*is not what a runtime needs[^]*- provisioners: [^]*- slot\.memoryGb: /,
    );
  });
});
