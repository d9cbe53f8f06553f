import assert from "node:assert/strict";
import { readKubeconfig } from "../../../kubernetes/access/kubeconfig";
import { inClusterAccess } from "../../../kubernetes/connect/connect";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

const config = (cluster: object, user: object = {}, more: object = {}): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "one",
    contexts: [
      { name: "one", context: { cluster: "c", user: "u" } },
      { name: "two", context: { cluster: "other", user: "u" } },
    ],
    clusters: [{ name: "c", cluster: { server: "https://one:6443", ...cluster } }],
    users: [{ name: "u", user }],
    ...more,
  });

const noFiles = (path: string): Buffer => {
  throw Object.assign(new Error(path), { code: "ENOENT" });
};

describe("a kubeconfig", () => {
  it("provides server, CA and client certificate of its current context", () => {
    const access = readKubeconfig(
      config(
        { "certificate-authority-data": base64("the ca"), "tls-server-name": "api" },
        { "client-certificate-data": base64("the cert"), "client-key-data": base64("the key") },
      ),
    );
    assert.equal(access.server.href, "https://one:6443/");
    assert.deepEqual([access.tls.ca, access.tls.cert, access.tls.key].map(String), ["the ca", "the cert", "the key"]);
    assert.equal(access.tls.servername, "api");
    assert.deepEqual(access.credentials, { kind: "none" });
  });

  it("can name files, if their paths are absolute", () => {
    const read = (path: string) => Buffer.from(`content of ${path}`);
    const files = config({ "certificate-authority": "/etc/ca.crt" }, { tokenFile: "/run/token" });
    const access = readKubeconfig(files, undefined, read);
    assert.equal(String(access.tls.ca), "content of /etc/ca.crt");
    assert.ok(access.credentials.kind === "tokenFile");
    assert.equal(access.credentials.read(), "content of /run/token");
    assert.throws(
      () => readKubeconfig(config({ "certificate-authority": "ca.crt" })),
      /certificate-authority is ca.crt; expected an absolute path/,
    );
    assert.throws(
      () => readKubeconfig(config({ "certificate-authority": "/no/ca.crt" }), undefined, noFiles),
      /certificate-authority \/no\/ca.crt cannot be read \(ENOENT\)/,
    );
  });

  it("supports tokens, passwords and credential plugins", () => {
    const kindOf = (user: object) => readKubeconfig(config({}, user)).credentials.kind;
    assert.equal(kindOf({ token: "t" }), "token");
    assert.equal(kindOf({ username: "u", password: "p" }), "basic");
    assert.equal(kindOf({ exec: { command: "aws" } }), "exec");
    assert.throws(() => kindOf({ "auth-provider": { name: "gcp" } }), /auth-provider, which Kubernetes dropped/);
  });

  it("provides the impersonated user", () => {
    const as = (user: object) => readKubeconfig(config({}, user)).as;
    assert.equal(as({ token: "t" }), undefined);
    assert.deepEqual(
      as({ token: "t", as: "ada", "as-groups": ["ops"], "as-uid": "7", "as-user-extra": { "a.io/b": ["c"] } }),
      { user: "ada", groups: ["ops"], uid: "7", extra: { "a.io/b": ["c"] } },
    );
  });

  it("is rejected for an unknown context, with the closest match", () => {
    assert.throws(
      () => readKubeconfig(config({}), "onne"),
      /context of the kubeconfig: found "onne"; expected one of one, two; did you mean one\?/,
    );
    assert.throws(
      () => readKubeconfig(config({}, {}, { "current-context": "" })),
      /no current context in the kubeconfig; expected one of one, two/,
    );
  });

  it("says what is missing", () => {
    assert.throws(
      () => readKubeconfig(config({}), "two"),
      /found a context two whose cluster other is not in the kubeconfig/,
    );
    assert.throws(() => readKubeconfig(config({ server: "one:6443" })), /found a cluster c without server URL/);
    assert.throws(
      () => readKubeconfig(config({ "proxy-url": "http://p" })),
      /found a cluster c with a proxy-url, which is not supported/,
    );
    assert.throws(() => readKubeconfig("hello"), /found YAML that is no kubeconfig/);
  });

  it("is never quoted in the error if it is not YAML", () => {
    assert.throws(
      () => readKubeconfig("users:\n  - token: very-secret\n bad"),
      (error: Error) => /text that is not YAML \(line \d\)/.test(error.message) && !/very-secret/.test(error.message),
    );
  });
});

describe("a process in a pod", () => {
  const env = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" };

  it("reaches its cluster with its service account, and reads the token each time", () => {
    let turn = 0;
    const read = (path: string) => Buffer.from(path.endsWith("token") ? `token ${++turn}` : "the ca");
    const access = inClusterAccess(env, read);
    assert.equal(access.server.host, "[fd00::1]");
    assert.equal(access.tls.ca, "the ca");
    assert.ok(access.credentials.kind === "tokenFile");
    assert.notEqual(access.credentials.read(), access.credentials.read());
  });

  it("fails with advice if there is no cluster or no token", () => {
    assert.throws(() => inClusterAccess({}, noFiles), /runs in no cluster .*; give a kubeconfig/);
    assert.throws(() => inClusterAccess(env, noFiles), /service account has no token/);
  });
});
