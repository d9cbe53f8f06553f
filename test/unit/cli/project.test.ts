import assert from "node:assert/strict";
import { likelyKubernetes, readRuntimeConfig, writeConfig } from "../../../engine/runtime/project";
import { setSecrets } from "../../../engine/runtime/request/secrets";
import { StackFile } from "../../../engine/stack/file";

const PLATFORM = StackFile.of(`
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
    assert.deepEqual(readRuntimeConfig(file), config);
  });

  it("uses the secrets provider of the platform, unless it has its own", () => {
    const after = (text: string, type: string, state: Record<string, unknown>) => {
      const file = StackFile.of(text);
      setSecrets(file, { type, state });
      return file.text();
    };
    assert.equal(after("", "passphrase", { salt: "v1:salt" }), 'encryptionsalt: "v1:salt"\n');
    const cloud = { url: "awskms://key", encryptedkey: "abc" };
    assert.equal(after("", "cloud", cloud), 'secretsprovider: "awskms://key"\nencryptedkey: "abc"\n');
    assert.equal(after("encryptionsalt: own\n", "cloud", cloud), "encryptionsalt: own\n");
    assert.equal(after("config: {}\n", "service", {}), "config: {}\n");
  });
});

describe("the guess whether a runtime needs the Kubernetes provider", () => {
  it("follows the choice of the provisioner", () => {
    assert.equal(likelyKubernetes(PLATFORM, { environment: "test" }), false);
    assert.equal(likelyKubernetes(PLATFORM, { environment: "prod" }), true);
    assert.equal(likelyKubernetes(PLATFORM, {}), true);
    assert.equal(likelyKubernetes(PLATFORM, { provisioner: "pool" }), false);
    assert.equal(likelyKubernetes(PLATFORM, { environment: "test", provisioner: "eu" }), true);
  });

  it("is yes if nothing is known", () => {
    assert.equal(likelyKubernetes(undefined, {}), true);
    assert.equal(likelyKubernetes(PLATFORM, { provisioner: "unknown" }), true);
    assert.equal(likelyKubernetes(PLATFORM, undefined), true);
  });
});
