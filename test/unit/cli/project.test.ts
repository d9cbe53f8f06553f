import assert from "node:assert/strict";
import { adoptSecrets, likelyKubernetes, readConfig, writeConfig } from "../../../cli/runtime/project";
import { StackFile } from "../../../cli/stack/file";

const PLATFORM = StackFile.of(`
encryptionsalt: v1:salt
config:
  stackyard:provisioners:
    pool: {type: static}
    eu: {type: kubernetes}
  stackyard:defaultProvisioner: pool
  stackyard:environments:
    prod: {provisioner: eu}
`);

describe("stack file of a runtime", () => {
  it("holds the runtime's config under the project's name", () => {
    const file = StackFile.of("");
    const config = { platform: "organization/stackyard/dev", deployment: { slots: 1 }, move: undefined };
    writeConfig(file, config);
    assert.deepEqual(file.configKeys(), ["stackyard-runtime:platform", "stackyard-runtime:deployment"]);
    assert.deepEqual(readConfig(file), config);
  });

  it("keeps secrets as the platform's file does, unless it says how by itself", () => {
    const fresh = StackFile.of("");
    adoptSecrets(fresh, PLATFORM);
    assert.equal(fresh.top("encryptionsalt"), "v1:salt");
    const own = StackFile.of("secretsprovider: awskms://key\n");
    adoptSecrets(own, PLATFORM);
    assert.equal(own.text(), "secretsprovider: awskms://key\n");
    const alone = StackFile.of("config: {}\n");
    adoptSecrets(alone, undefined);
    assert.equal(alone.text(), "config: {}\n");
  });
});

describe("guess whether a runtime needs the Kubernetes provider", () => {
  it("follows the choice of the provisioner", () => {
    assert.equal(likelyKubernetes(PLATFORM, { environment: "test" }), false);
    assert.equal(likelyKubernetes(PLATFORM, { environment: "prod" }), true);
    assert.equal(likelyKubernetes(PLATFORM, {}), true);
    assert.equal(likelyKubernetes(PLATFORM, { provisioner: "pool" }), false);
    assert.equal(likelyKubernetes(PLATFORM, { environment: "test", provisioner: "eu" }), true);
  });

  it("says yes where nothing is known", () => {
    assert.equal(likelyKubernetes(undefined, {}), true);
    assert.equal(likelyKubernetes(PLATFORM, { provisioner: "unknown" }), true);
    assert.equal(likelyKubernetes(PLATFORM, undefined), true);
  });
});
