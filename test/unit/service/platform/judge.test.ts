import assert from "node:assert/strict";
import type { Platform } from "../../../../components/runtime/platform/platform";
import { Failure } from "../../../../foundation/errors";
import type { CheckedRequest } from "../../../../service/operations/checks";
import { requestCheck, refusalOf } from "../../../../service/platform/judge";

const slot = { cpu: 1, memoryGb: 4, diskGb: 40 };
const platformOf = (...names: string[]): Platform =>
  ({
    provisioners: Object.fromEntries(
      names.map((name) => [name, { type: "static", runtimes: [{ host: `http://${name}`, slots: 1, drain: false }] }]),
    ),
    defaultProvisioner: names[0] ?? "",
    environments: {},
    slot,
  }) as unknown as Platform;

const asked = (deployment: object, more: Partial<CheckedRequest> = {}): CheckedRequest => ({
  deployment: "acme",
  change: { deployment },
  desiredConfig: { platform: "organization/stackyard/dev", deployment: { slots: 1, version: "1", ...deployment } },
  provisioner: null,
  ...more,
});

describe("a request that the platform checks", () => {
  it("is rejected for an unknown provisioner, with its path and the same reason as in the CLI", () => {
    const refusal = refusalOf(asked({ provisioner: "sharde" }), platformOf("shared"));
    assert.deepEqual(
      [refusal?.code, refusal?.path, refusal?.reason],
      [
        "BAD_INPUT",
        "provisioner",
        'deployment "acme": found provisioner "sharde"; expected one of the platform\'s set: shared; did you mean shared?',
      ],
    );
  });

  it("is rejected for a field that the provisioner's type does not support", () => {
    const refusal = refusalOf(asked({ cluster: {}, version: undefined }), platformOf("shared"));
    assert.equal(refusal?.path, "cluster");
    assert.match(refusal?.reason ?? "", /found provisioner "shared" of type static; expected one of type gardener/);
  });

  it("is rejected for conflicting fields, each with its path", () => {
    const refusal = refusalOf(asked({ kyma: { version: "2.20.0" }, runtime: { name: "x" } }), platformOf("shared"));
    assert.deepEqual(
      refusal?.reason.split("\n").map((line) => line.replace(/found .*; /, "")),
      ["kyma: expected nothing without cluster", "runtime: expected nothing without cluster"],
    );
  });

  it("is not rejected for changes to the runtime's current provisioner", () => {
    assert.equal(refusalOf(asked({ slots: 2 }, { provisioner: "gone" }), platformOf("shared")), undefined);
    assert.equal(refusalOf(asked({ slots: 2 }, { provisioner: "shared" }), platformOf("shared")), undefined);
  });

  it("is checked again with fresh platform outputs before it is rejected", async () => {
    const ages: (number | undefined)[] = [];
    const judge = (fresh: Platform) =>
      requestCheck({
        platform: (_name, age) => {
          ages.push(age);
          return Promise.resolve(age === undefined ? platformOf("shared") : fresh);
        },
        log: { warn: () => assert.fail("nothing failed") },
      });
    assert.equal(await judge(platformOf("shared", "new"))(asked({ provisioner: "new" })), undefined);
    assert.deepEqual(ages, [undefined, 1000]);
    assert.equal((await judge(platformOf("shared"))(asked({ provisioner: "new" })))?.code, "BAD_INPUT");
    assert.equal(await judge(platformOf("shared"))(asked({ slots: 2 })), undefined);
    assert.equal(ages.length, 5);
  });

  it("is accepted if the platform cannot be read, and is checked by its operation", async () => {
    const said: string[] = [];
    const judge = requestCheck({
      platform: () => Promise.reject(new Error("the backend is away")),
      log: { warn: (_fields, text) => said.push(text) },
    });
    assert.equal(await judge(asked({ provisioner: "nothing" })), undefined);
    assert.deepEqual(said, ["the platform could not be read"]);
  });
});

describe("a request for a platform that does not exist", () => {
  const asked = (platform?: string) => ({
    deployment: "acme",
    change: { deployment: { version: "1" }, ...(platform !== undefined && { platform }) },
    desiredConfig: { platform: platform ?? "organization/stackyard/dev", deployment: { version: "1" } },
    provisioner: null,
  });
  const warned: object[] = [];
  const judge = requestCheck({
    platform: (name) =>
      Promise.reject(name.endsWith("/away") ? new Failure("it does not answer") : new Failure(`no ${name}`, "input")),
    log: { warn: (fields) => warned.push(fields) },
  });

  it("is rejected with the field that names the platform", async () => {
    const refusal = await judge(asked("organization/stackyard/nowhere"));
    assert.deepEqual(
      [refusal?.code, refusal?.path, refusal?.reason],
      ["BAD_INPUT", "platform", "platform: no organization/stackyard/nowhere"],
    );
  });

  it("is not a caller error if the caller names no platform", async () => {
    const refusal = await judge(asked());
    assert.deepEqual([refusal?.code, refusal?.component], ["PROVISIONING_FAILED", "platform"]);
    assert.deepEqual(warned, []);
  });

  it("is accepted if it is unknown whether the platform exists", async () => {
    assert.equal(await judge(asked("organization/stackyard/away")), undefined);
    assert.equal(warned.length, 1);
  });
});
