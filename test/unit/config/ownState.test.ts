import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { readOwnState } from "../../../components/resources/ownState";

const URN = "urn:pulumi:dev::stackyard::stackyard:index:ManifestSet::set";

describe("a stack's own state", () => {
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

  const answer = (outputs: (token: string) => unknown, isPreview = false): Promise<void> =>
    pulumi.runtime.setMocks(
      {
        newResource: ({ name, inputs }) => ({ id: name, state: inputs }),
        call: ({ token }) => ({ outputs: outputs(token) }),
      },
      "stackyard",
      "dev",
      isPreview,
      "acme",
    );

  it("is read with its secrets, which no debug message contains", async () => {
    const set = { type: "stackyard:index:ManifestSet", outputs: { kubeconfig: pulumi.secret("s3cret"), name: "set" } };
    await answer(() => ({ [URN]: set }));
    assert.deepEqual(await readOwnState(), {
      [URN]: { type: set.type, outputs: { kubeconfig: "s3cret", name: "set" } },
    });
    assert.ok(!messages.some((message) => message.includes("s3cret")), messages.join("\n"));
  });

  it("is read in a preview even if its first update failed, and not if it was never deployed", async () => {
    const set = { type: "stackyard:index:ManifestSet", outputs: {} };
    await answer((token) => (token.endsWith(":readStackOutputs") ? {} : { [URN]: set }), true);
    const asked: string[] = [];
    const deployed = (is: boolean) => (stack: string) => {
      asked.push(stack);
      return Promise.resolve(is);
    };
    assert.deepEqual(await readOwnState(deployed(false)), {});
    assert.deepEqual(await readOwnState(deployed(true)), { [URN]: set });
    assert.deepEqual(asked, ["acme/stackyard/dev", "acme/stackyard/dev"]);
  });

  it("is read again while the file backend writes it", async () => {
    let reads = 0;
    await answer(() => {
      if ((reads += 1) < 3) throw new Error("failed to load checkpoint: EOF");
      return {};
    });
    assert.deepEqual(await readOwnState(), {});
    assert.equal(reads, 3);
  });

  it("cannot be read if the engine cannot read it, and the error has the reason", async () => {
    await answer(() => {
      throw new Error("no such stack");
    });
    await assert.rejects(readOwnState(), /no such stack/);
  });
});
