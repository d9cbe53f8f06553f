import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { readOwnState } from "../../../components/resources/ownState";

const URN = "urn:pulumi:dev::stackyard::stackyard:index:ManifestSet::set";

describe("A stack's own state", () => {
  const { debug } = pulumi.log;
  let messages: string[];
  beforeEach(() => {
    messages = [];
    Object.assign(pulumi.log, {
      debug: (message: string) => {
        messages.push(message);
        return Promise.resolve();
      },
    });
  });
  afterEach(() => Object.assign(pulumi.log, { debug }));

  const answer = (outputs: () => unknown): Promise<void> =>
    pulumi.runtime.setMocks(
      {
        newResource: ({ name, inputs }) => ({ id: name, state: inputs }),
        call: () => ({ outputs: outputs() }),
      },
      "stackyard",
      "dev",
      false,
      "acme",
    );

  it("is read with its secrets, and no message for debugging has them", async () => {
    const set = { type: "stackyard:index:ManifestSet", outputs: { kubeconfig: pulumi.secret("s3cret"), name: "set" } };
    await answer(() => ({ [URN]: set }));
    assert.deepEqual(await readOwnState(), {
      [URN]: { type: set.type, outputs: { kubeconfig: "s3cret", name: "set" } },
    });
    assert.ok(!messages.some((message) => message.includes("s3cret")), messages.join("\n"));
  });

  it("can't be read when the engine can't, with its reason", async () => {
    await answer(() => {
      throw new Error("no such stack");
    });
    await assert.rejects(readOwnState(), /no such stack/);
  });
});
