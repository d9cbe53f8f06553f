import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Authenticator } from "../../../kubernetes/access/credentials";
import { runPlugin } from "../../../kubernetes/access/execCredential";

describe("the credentials of a cluster", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "stackyard-exec-"))));
  afterEach(() => rmSync(folder, { recursive: true }));

  /** A plugin that counts its runs and prints this status. */
  const plugin = (status: object, lines = "") => {
    const command = path.join(folder, "plugin");
    const answer = JSON.stringify({ apiVersion: "client.authentication.k8s.io/v1", kind: "ExecCredential", status });
    writeFileSync(command, `#!/bin/sh\necho run >> ${folder}/runs\n${lines}\ncat <<'END'\n${answer}\nEND\n`);
    chmodSync(command, 0o755);
    return command;
  };
  const runs = (): number => readFileSync(path.join(folder, "runs"), "utf8").trim().split("\n").length;
  const exec = (command: string, more: object = {}) => ({
    kind: "exec" as const,
    exec: { apiVersion: "client.authentication.k8s.io/v1", command, ...more },
    cluster: {},
    server: new URL("https://one:6443"),
  });

  it("come from tokens, passwords and files", async () => {
    const authenticate = (credentials: ConstructorParameters<typeof Authenticator>[0]) =>
      new Authenticator(credentials).authenticate();
    assert.deepEqual(await authenticate({ kind: "token", token: "t" }), { authorization: "Bearer t" });
    assert.deepEqual(await authenticate({ kind: "basic", username: "u", password: "p" }), {
      authorization: "Basic dTpw",
    });
    assert.deepEqual(await authenticate({ kind: "tokenFile", read: () => "f" }), { authorization: "Bearer f" });
  });

  it("come from a plugin, which runs once for all requests until they are invalidated", async () => {
    const lasting = new Date(Date.now() + 3_600_000).toISOString();
    const authenticator = new Authenticator(exec(plugin({ token: "t", expirationTimestamp: lasting })));
    const results = await Promise.all([
      authenticator.authenticate(),
      authenticator.authenticate(),
      authenticator.authenticate(),
    ]);
    assert.ok(results.every(({ authorization }) => authorization === "Bearer t"));
    await authenticator.authenticate();
    assert.equal(runs(), 1);
    assert.equal(authenticator.invalidate(), true);
    await authenticator.authenticate();
    assert.equal(runs(), 2);
  });

  it("are renewed shortly before they expire", async () => {
    const soon = new Date(Date.now() + 5_000).toISOString();
    const authenticator = new Authenticator(exec(plugin({ token: "t", expirationTimestamp: soon })));
    await authenticator.authenticate();
    await authenticator.authenticate();
    assert.equal(runs(), 2);
  });

  it("can be a client certificate", async () => {
    const authenticator = new Authenticator(exec(plugin({ clientCertificateData: "cert", clientKeyData: "key" })));
    assert.deepEqual(await authenticator.authenticate(), { authorization: undefined, cert: "cert", key: "key" });
  });

  it("are requested with the plugin's arguments, environment and cluster", async () => {
    const lines = `echo "$1 $WHO" > ${folder}/seen; echo "$KUBERNETES_EXEC_INFO" > ${folder}/info`;
    const command = plugin({ token: "t" }, lines);
    const more = { args: ["get-token"], env: [{ name: "WHO", value: "me" }], provideClusterInfo: true };
    await runPlugin(exec(command, more));
    assert.equal(readFileSync(path.join(folder, "seen"), "utf8"), "get-token me\n");
    const info = JSON.parse(readFileSync(path.join(folder, "info"), "utf8")) as {
      spec: { cluster: unknown; interactive: unknown };
    };
    assert.equal(info.spec.interactive, false);
    assert.deepEqual(info.spec.cluster, { server: "https://one:6443" });
  });

  it("cause an error with an install hint if the plugin is missing", async () => {
    const missing = exec("no-such-plugin", { installHint: "get it from the shop" });
    await assert.rejects(runPlugin(missing), /"no-such-plugin" is not installed or not on PATH\nget it from the shop/);
  });

  it("cause an error with a plugin's error output, but never with its standard output", async () => {
    await assert.rejects(
      runPlugin(exec(plugin({}, "echo expired session >&2; exit 3"))),
      /ended with 3: expired session/,
    );
    const garbled = plugin({ token: "t" }, "echo very-secret");
    await assert.rejects(
      runPlugin(exec(garbled)),
      (error: Error) => /printed no credential/.test(error.message) && !/very-secret/.test(error.message),
    );
    await assert.rejects(runPlugin(exec(plugin({}))), /printed an empty credential/);
    await assert.rejects(runPlugin(exec("x", { interactiveMode: "Always" })), /requires a terminal/);
  });
});
