import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Context } from "../../../foundation/pulumi/resource";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/connect/connect";
import { textAt } from "../../../kubernetes/objects/objects";
import { Director } from "../../../provider/director/director";
import { connected } from "../../../provider/resources/runtimeAgent/connection";
import type { AgentInputs } from "../../../provider/resources/runtimeAgent/inputs";
import { runtimeAgent } from "../../../provider/resources/runtimeAgent/runtimeAgent";
import { DirectorDouble } from "../../doubles/director/director";
import { AgentDouble, CONNECTIONS } from "../../doubles/kyma/agent";

const PAUSES = { absentMs: 50, connectingMs: 50, renewedMs: 200 };

describe("the agent of a runtime", () => {
  let kubeconfig: string;
  let client: Client;
  let double: DirectorDouble;
  let id: string;
  let agent: AgentDouble | undefined;
  let count = 0;
  let namespace: string;

  const context = (timeoutSeconds = 30): Context => ({
    urn: "urn",
    backend: "file:///state",
    preview: false,
    signal: AbortSignal.timeout(60_000),
    timeoutSeconds,
    log: () => undefined,
  });
  const inputs = (more: object = {}): AgentInputs => ({
    ...double.access,
    kubeconfig,
    cluster: "the yard",
    runtimeId: id,
    labels: { gardenerClusterName: "acme" },
    namespace,
    connect: true,
    timeoutSeconds: 30,
    ...more,
  });
  const secret = () => client.get({ apiVersion: "v1", kind: "Secret", namespace, name: "compass-agent-configuration" });
  const registered = () => double.runtimes.get(id);

  before(async () => {
    kubeconfig = readFileSync(path.join(process.env["STACKYARD_TEST_YARD"] ?? "", "kubeconfig"), "utf8");
    client = connect(kubeconfig, undefined, {});
    await client.apply(CONNECTIONS);
  });
  beforeEach(async () => {
    namespace = `agent-${process.pid}-${(count += 1)}`;
    double = new DirectorDouble();
    await double.listen();
    const director = new Director(double.access, AbortSignal.timeout(30_000), 1);
    id = await director.register({ name: "acme" }, { key: "m", value: "1" });
  });
  afterEach(async () => {
    await agent?.stop();
    agent = undefined;
    const connection = {
      apiVersion: "compass.kyma-project.io/v1alpha1",
      kind: "CompassConnection",
      name: "compass-connection",
    };
    await client.remove(connection);
    await double.close();
  });

  it("receives a token and is connected according to the Director", async () => {
    agent = new AgentDouble(client, namespace, ["Synchronized"]);
    const { state } = await runtimeAgent.create(context(), inputs());
    assert.equal(state.connectionState, "Synchronized");
    const data = (await secret())?.["data"] as Record<string, string>;
    const read = (key: string) => Buffer.from(data[key] ?? "", "base64").toString("utf8");
    assert.deepEqual(
      [read("RUNTIME_ID"), read("TENANT"), read("TOKEN")],
      [id, "tenant-1", double.oneTimeTokens[0]?.token],
    );
    assert.match(read("CONNECTOR_URL"), /\/connector\/graphql$/);
    assert.deepEqual(registered()?.labels["gardenerClusterName"], "acme");
    assert.equal(registered()?.status.condition, "CONNECTED");
    // Neither a token nor the credentials of the agent are in the state.
    assert.ok(!JSON.stringify(state).includes(double.oneTimeTokens[0]?.token ?? ""));
  });

  it("counts as connected if only its synchronization has errors", async () => {
    agent = new AgentDouble(client, namespace, ["MetadataUpdateFailed"]);
    const { state } = await runtimeAgent.create(context(), inputs());
    assert.equal(state.connectionState, "MetadataUpdateFailed");
  });

  it("receives another token when it cannot connect", async () => {
    agent = new AgentDouble(client, namespace, ["ConnectionFailed", "ConnectionFailed", "Synchronized"]);
    await runtimeAgent.create(context(), inputs({ connect: false }));
    const director = new Director(double.access, AbortSignal.timeout(30_000), 1);
    assert.equal(await connected(context(), client, director, inputs(), PAUSES), "Synchronized");
    assert.equal(new Set(agent.tried).size, 3);
  });

  it("is connected as soon as the second token works", async () => {
    agent = new AgentDouble(client, namespace, ["ConnectionFailed", "SynchronizationFailed"]);
    await runtimeAgent.create(context(), inputs({ connect: false }));
    const director = new Director(double.access, AbortSignal.timeout(30_000), 1);
    const pauses = { ...PAUSES, renewedMs: 600_000 };
    assert.equal(await connected(context(20), client, director, inputs(), pauses), "SynchronizationFailed");
    assert.equal(agent.tried.length, 2);
  });

  it("fails on timeout with the agent's report, keeps its resources, and continues on the next update", async () => {
    await assert.rejects(runtimeAgent.create(context(1), inputs()), (error: Error) => {
      assert.equal(error.name, "IncompleteError");
      assert.match(error.message, /not connected to the Director after 1 seconds: it has not reported anything/);
      return true;
    });
    assert.equal(registered()?.status.condition, "FAILED");
    agent = new AgentDouble(client, namespace, ["Synchronized"]);
    const old = { inputs: inputs(), state: inputs() };
    const state = await runtimeAgent.update(context(), id, old, inputs());
    assert.equal(state.connectionState, "Synchronized");
    assert.equal(double.oneTimeTokens.length, 1);
    assert.equal(registered()?.status.condition, "CONNECTED");
  });

  it("is configured again if its Secret is missing, and ignores another runtime's Secret", async () => {
    const { state } = await runtimeAgent.create(context(), inputs({ connect: false }));
    assert.equal(state.connectionState, undefined);
    const old = { inputs: inputs(), state };
    assert.ok(await runtimeAgent.read(context(), id, old));
    const other = { inputs: inputs({ runtimeId: "another" }), state };
    await runtimeAgent.delete(context(), "another", other);
    assert.equal(await runtimeAgent.read(context(), "another", other), undefined);
    assert.equal(textAt(await secret(), "metadata", "namespace"), namespace);
    await runtimeAgent.delete(context(), id, old);
    assert.equal(await secret(), undefined);
    assert.equal(await runtimeAgent.read(context(), id, old), undefined);
  });
});
