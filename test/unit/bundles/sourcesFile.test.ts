import assert from "node:assert/strict";
import { join } from "node:path";
import { readSources } from "../../../cli/bundle/source/sourcesFile";
import { Failure } from "../../../foundation/errors";
import { temporaryFolder, write } from "./samples";

describe("a sources file", () => {
  const folder = temporaryFolder();
  const read = async (text: string, env: NodeJS.ProcessEnv = {}): ReturnType<typeof readSources> => {
    await write(folder(), { "sources.yaml": text, "ca.pem": "a certificate" });
    return readSources(join(folder(), "sources.yaml"), env);
  };
  const faults = async (text: string, expected: readonly RegExp[], env: NodeJS.ProcessEnv = {}): Promise<void> => {
    await assert.rejects(read(text, env), (error) => {
      assert.ok(error instanceof Failure, (error as Error).stack);
      const [first = "", ...lines] = error.message.split("\n");
      assert.match(first, /sources\.yaml (cannot be used:|is not YAML or JSON:)/);
      assert.equal(lines.length, expected.length, error.message);
      expected.forEach((each, index) => assert.match(lines[index] ?? "", each));
      return true;
    });
  };

  it("has paths relative to itself, and secrets from variables or files", async () => {
    const digest = `sha256:${"0".repeat(64)}`;
    const text = `sources:
      - { type: local, path: ../one, directory: deploy }
      - type: http
        url: https://example.com/a.tgz
        digest: ${digest}
        auth: { username: me, password: { env: WORD } }
        certificateData: { path: ca.pem }
    `;
    assert.deepEqual(await read(text, { WORD: "secret" }), [
      { type: "local", path: join(folder(), "../one"), directory: "deploy" },
      {
        type: "http",
        url: "https://example.com/a.tgz",
        digest,
        auth: { username: "me", password: "secret" },
        certificateData: "a certificate",
      },
    ]);
  });

  it("keeps labels unchanged, and takes the user's kubeconfig by default", async () => {
    const text = `sources:
      - { type: configMaps, namespace: shop, labels: { env: prod } }
      - { type: configMaps, namespace: shop, labels: { path: x }, kubeconfig: { env: OTHER } }
      - { type: git, repository: "git@host:a", ref: { branch: main }, auth: { privateKey: { path: ca.pem } } }
      - { type: image, ref: a/b, platform: linux/arm64, mirrors: [m], plainHttp: true, dockerConfig: { env: OTHER } }
    `;
    const env = { KUBECONFIG: join(folder(), "ca.pem"), OTHER: "other" };
    assert.deepEqual(await read(text, env), [
      { type: "configMaps", namespace: "shop", labels: { env: "prod" }, kubeconfig: "a certificate" },
      { type: "configMaps", namespace: "shop", labels: { path: "x" }, kubeconfig: "other" },
      { type: "git", repository: "git@host:a", ref: { branch: "main" }, auth: { privateKey: "a certificate" } },
      { type: "image", ref: "a/b", platform: "linux/arm64", mirrors: ["m"], plainHttp: true, dockerConfig: "other" },
    ]);
    await assert.rejects(read(text, { HOME: "/nowhere", OTHER: "other" }), /\/nowhere\/\.kube\/config can't be read/);
    await faults("sources: [{ type: configMaps, namespace: shop }]", [
      /sources\[0\]: found an object; expected either labels or names/,
    ]);
    await faults("sources: [{ type: git, repository: x, ref: { branch: a, tag: b } }]", [
      /sources\[0\]\.ref: found an object; expected exactly one/,
    ]);
  });

  it("is rejected with all faults at once, without secrets", async () => {
    const text = `sources:
      - { type: http, url: "ftp://x", digest: abc, auth: { token: plain-secret, pasword: {} } }
      - { type: local }
      - { type: nothing }
    `;
    await faults(text, [
      /sources\[0\]\.url: found "ftp:\/\/x"; expected a URL that begins with https/,
      /sources\[0\]\.digest: found "abc"; expected sha256:/,
      /sources\[0\]\.auth\.token: found a text; expected \{ env: VARIABLE \} or \{ path: FILE \}/,
      /sources\[0\]\.auth\.pasword: found an unknown key; expected one of .*; did you mean password/,
      /sources\[1\]\.path: found nothing; expected the path/,
      /sources\[2\]/,
    ]);
    await faults("sources: []", [/sources: found an empty list; expected at least one source/]);
    await faults("- 1", [/the file: found .*; expected an object with sources/]);
    await faults("a: [", [/^ {2}- Flow sequence .* must/]);
    await faults("sources: *nobody", [/Unresolved alias .*nobody/]);
  });

  it("is rejected with the name of a missing variable or file", async () => {
    const auth = "{ username: me, password: { env: NOT_SET } }";
    await faults(
      `sources: [{ type: http, url: "https://x/", auth: ${auth}, certificateData: { path: nowhere.pem } }]`,
      [
        /sources\[0\]\.auth\.password: found no variable NOT_SET/,
        /sources\[0\]\.certificateData: nowhere\.pem can't be read/,
      ],
    );
    await assert.rejects(readSources(join(folder(), "nowhere.yaml")), Failure);
  });
});
