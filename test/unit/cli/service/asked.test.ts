import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { askedOf } from "../../../../cli/service/asked";

describe("what a deployment is asked to be", () => {
  let folder: string;
  beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), "stackyard-asked-"))));
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  const fileOf = (content: object): string => {
    const file = path.join(folder, "deployments.yaml");
    fs.writeFileSync(file, JSON.stringify(content));
    return file;
  };

  it("is a file's deployment, cluster and Kyma included, with the options over it", async () => {
    const kyma = { version: "2.20.0" };
    const file = fileOf({ other: { slots: 9 }, acme: { slots: 2, version: "1.0", platform: "prod", kyma } });
    assert.deepEqual(await askedOf("acme", { file, slots: 3 }), {
      deployment: { slots: 3, version: "1.0", kyma },
      platform: "organization/stackyard/prod",
    });
    const { platform } = await askedOf("acme", { file, platform: "organization/stackyard/dev" });
    assert.equal(platform, "organization/stackyard/dev");
  });

  it("is what options say, where there is no file", async () => {
    const { deployment } = await askedOf("acme", { version: "1.0" });
    assert.equal(deployment.version, "1.0");
  });

  it("reports a file without that deployment, and every fault of a file", async () => {
    const file = fileOf({ other: { slots: 9 }, third: {} });
    await assert.rejects(askedOf("acme", { file }), {
      message: `${file}: found other, third; expected the deployment acme among them`,
    });
    const wrong = fileOf({ acme: { slots: 0, diskGb: -1 } });
    await assert.rejects(askedOf("acme", { file: wrong }), /has 2 faults; nothing was started\.\n.*acme\.slots/);
  });
});
