import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { Cluster } from "../../../components/cluster/cluster";
import { JupyterHub, type JupyterHubArgs } from "../../../components/jupyterhub/jupyterHub";
import { mock, valueOf, type Recorder, type Registered } from "../runtime/mocks";
import { CLIENT_SECRET, settingsOf } from "./samples";

const RELEASE = "kubernetes:helm.sh/v3:Release";
const SIGNATURE = "4dabf18193072939515e22adb298388d";

describe("the JupyterHub component", () => {
  let recorder: Recorder;

  beforeEach(() => {
    recorder = mock(
      ({ type, inputs }) => (type === "pulumi:index:Stash" ? { output: inputs["input"] } : {}),
      () => ({}),
      "staging",
    );
  });

  async function made(args: Partial<JupyterHubArgs> = {}): Promise<{ hub: JupyterHub; all: readonly Registered[] }> {
    const cluster = new Cluster("cluster", { existing: { kubeconfig: "clusters: []", server: "https://10.0.0.1" } });
    const charts = { archives: { jupyterhub: "./charts/jupyterhub-4.4.0" } };
    const hub = new JupyterHub("jupyterhub", { cluster, charts, settings: settingsOf(), ...args });
    await valueOf(hub.url);
    while (!recorder.resources.some(({ type }) => type === RELEASE))
      await new Promise((resolve) => setImmediate(resolve));
    return { hub, all: recorder.resources };
  }
  const valuesOf = (): unknown => recorder.only(RELEASE).inputs["values"];

  it("installs the verified chart atomically", async () => {
    await made();
    const { name, namespace, chart, atomic, cleanupOnFail, timeout } = recorder.only(RELEASE).inputs;
    assert.deepEqual(
      { name, namespace, chart, atomic, cleanupOnFail, timeout },
      {
        name: "jupyterhub",
        namespace: "jupyterhub",
        chart: "./charts/jupyterhub-4.4.0",
        atomic: true,
        cleanupOnFail: true,
        timeout: 600,
      },
    );
  });

  it("keeps the client secret only in the Secret, marked as a secret", async () => {
    const { all } = await made();
    const inOthers = all.filter(({ name }) => name !== "jupyterhub-secret").map(({ inputs }) => JSON.stringify(inputs));
    assert.ok(!inOthers.join().includes(CLIENT_SECRET));
    const secret = all.find(({ name }) => name === "jupyterhub-secret");
    assert.equal((secret?.inputs["objects"] as Record<string, unknown>)[SIGNATURE], "1b47061264138c4ac30d75fd1eb44270");
    assert.equal((valuesOf() as Record<string, unknown>)[SIGNATURE], undefined, "values can be read in a preview");
  });

  it("merges the user's values last, and keeps them secret if the config has secrets", async () => {
    const values = { hub: { extraEnv: { A: "1" } }, singleuser: { startTimeout: 5 } };
    await made({ settings: { ...settingsOf(), values, valuesAreSecret: true } });
    assert.equal((valuesOf() as Record<string, unknown>)[SIGNATURE], "1b47061264138c4ac30d75fd1eb44270");
    recorder.resources.length = 0;
    await made({ settings: { ...settingsOf(), values } });
    const { jupyterhub } = valuesOf() as { jupyterhub: { hub: object; singleuser: { startTimeout: number } } };
    assert.equal(jupyterhub.singleuser.startTimeout, 5);
    assert.ok("extraEnv" in jupyterhub.hub && "config" in jupyterhub.hub);
  });

  it("uses the role and the Ray cluster of other components", async () => {
    const access = { address: "ray://h.ray:10001", dashboard: "http://h.ray:8265", gcs: "h.ray:6379" };
    const ray = { access: { ...access, namespace: "ray", image: "rayproject/ray:2.60.0" }, ready: "id" };
    const roleArns = pulumi.output({ data: "arn:aws:iam::1:role/x", other: "arn:aws:iam::1:role/y" });
    await made({ settings: { ...settingsOf(), roleEntry: "data" }, roleArns, ray });
    const text = JSON.stringify(valuesOf());
    assert.match(text, /arn:aws:iam::1:role\/x/);
    assert.match(text, /"RAY_ADDRESS":"ray:\/\/h\.ray:10001"/);
  });

  it("outputs the host name of its load balancer", async () => {
    const ingress = [{ hostname: "a1-2.elb.eu-central-1.amazonaws.com" }];
    recorder = mock(
      ({ type, inputs }) => {
        if (type === "pulumi:index:Stash") return { output: inputs["input"] };
        if (type === "kubernetes:core/v1:Service") return { status: { loadBalancer: { ingress } } };
        return type === RELEASE ? { status: { status: "deployed" } } : {};
      },
      () => ({}),
      "staging",
    );
    const { hub } = await made();
    assert.equal(await valueOf(hub.loadBalancer!), ingress[0]?.hostname);
    const local = { ...settingsOf(), service: { type: "ClusterIP" as const, annotations: {} } };
    assert.equal((await made({ settings: local })).hub.loadBalancer, undefined);
    const renamed = { ...settingsOf(), values: { fullnameOverride: "lab" } };
    assert.equal((await made({ settings: renamed })).hub.loadBalancer, undefined, "its Service has another name");
  });

  it("gives its release the configured name", async () => {
    await made({ settings: settingsOf({ releaseName: "lab" }) });
    assert.equal(recorder.only(RELEASE).inputs["name"], "lab");
  });

  it("outputs its URL, or a port-forward command if it has no host", async () => {
    const { hub } = await made();
    assert.equal(await valueOf(hub.url), "https://hub.example.com/");
    const local = { ...settingsOf(), host: undefined };
    assert.match(
      await valueOf((await made({ settings: local })).hub.url),
      /kubectl port-forward --namespace jupyterhub/,
    );
  });
});
