import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { hiding } from "../../../components/platform/create";

const isSecret = async (value: unknown): Promise<boolean> =>
  pulumi.Output.isInstance(value) && (await pulumi.isSecret(value));

describe("secrets of the config in inputs of resources", () => {
  const hide = hiding(["admin", "s3cret-word"]);

  it("are secret alone, in a text, in a list and in an output", async () => {
    const hidden = hide({ url: "https://s3cret-word@host", list: ["s3cret-word"], out: pulumi.output("s3cret-word") });
    const { url, list, out } = hidden as { url: unknown; list: unknown[]; out: unknown };
    assert.deepEqual(await Promise.all([url, list[0], out].map(isSecret)), [true, true, true]);
  });

  it("change no other value, nor one that a short secret equals", async () => {
    const plain = { user: "admin", replicas: 2, list: ["a"], none: undefined, file: new pulumi.asset.StringAsset("b") };
    const hidden = hide({ ...plain, out: pulumi.output("a") }) as typeof plain & { out: unknown };
    const { out, ...others } = hidden;
    assert.deepEqual(others, plain);
    assert.equal(await isSecret(out), false);
  });
});
