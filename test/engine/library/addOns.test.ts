import assert from "node:assert/strict";
import type { ChartRepository } from "../../doubles/chartRepository";
import { doubleCharts, envWithAws } from "../eks/world";
import { World } from "../runtime/world";
import { testYard } from "../runtime/yard";
import { Example } from "./example";
import { autoscalerNode } from "../autoscaler/node";

const CLIENT_SECRET = "client-secret-that-nobody-may-see";
const NAMESPACES = ["team-hub", "team-events", "ingress-nginx", "external-dns"];
const NODE = autoscalerNode("add-ons");

/** AWS and the charts are doubles; the cluster that is there, and Helm, are real. */
describe("a program with add-ons, a hub and Teraslice", () => {
  let example: Example;
  let world: World;
  let repository: ChartRepository;
  before(async () => {
    const place = await testYard();
    world = new World(place);
    await world.apply("default", NODE);
    example = await Example.of({ ...place, env: { ...place.env, ...envWithAws(place, world.folder) } }, "add-ons");
    const { repository: served, charts } = await doubleCharts(world.folder);
    repository = served;
    for (const [key, value] of Object.entries(charts))
      await example.set(`stackyard:charts.${key}`, String(value), "--path");
    await example.set("cluster", "there");
    await example.set("clientSecret", CLIENT_SECRET, "--secret");
  });
  after(async () => {
    await example.remove();
    await repository.stop();
    await world.kubectl("delete", "namespace", ...NAMESPACES, "--ignore-not-found");
    await world.kubectl("delete", "node", NODE.metadata.name, "--ignore-not-found");
    world.remove();
  });

  const state = (): Promise<string> => example.project.must("pulumi", "stack", "export", "-s", "dev");
  const ready = async (namespace: string, name: string): Promise<unknown> =>
    (await world.get("-n", namespace, "deployment", name)).status["readyReplicas"];

  it("installs them with roles of their own", async () => {
    await example.up();
    assert.deepEqual(JSON.parse(await example.outputs()), {
      hub: "https://hub.team.example.com/",
      hubNamespace: "team-hub",
      teraslice: "http://events-master.team-events.svc:5678",
      terasliceNamespace: "team-events",
    });
    for (const name of ["metrics-server", "cluster-autoscaler"])
      assert.equal(await ready("kube-system", name), 1, name);
    assert.equal(await ready("ingress-nginx", "ingress-nginx-controller"), 1);
    assert.equal(await ready("team-hub", "hub"), 1);
    assert.equal(await ready("team-events", "events-master"), 1);
    await world.get("-n", "kube-system", "daemonset", "nvidia-device-plugin");
    for (const [namespace, name] of [
      ["kube-system", "cluster-autoscaler"],
      ["external-dns", "external-dns"],
    ]) {
      const { metadata } = await world.get("-n", namespace!, "serviceaccount", name!);
      assert.match(JSON.stringify(metadata), new RegExp(`"eks.amazonaws.com/role-arn":"[^"]+role/there-${name}"`));
    }
    const text = await state();
    for (const secret of [CLIENT_SECRET, Buffer.from(CLIENT_SECRET).toString("base64"), "client-key-data"])
      assert.ok(!text.includes(secret), "a secret is plain in the state");
  });

  it("changes them in place", async () => {
    await example.set("replicas", "2");
    await example.set("version", "1.36");
    await example.set("admin", "bob@example.com");
    await example.set("logLevel", "debug");
    const said = await example.up();
    for (const changed of [
      "Release metrics-metrics-server-release",
      "Release autoscaler-cluster-autoscaler-release",
      "Release ingress-ingress-nginx-release",
      "Release hub-jupyterhub-release",
      "ManifestSet events-teraslice-events-objects",
    ])
      assert.match(said, new RegExp(`${changed} updated`));
    assert.doesNotMatch(said, / (replaced|deleted) /);
    assert.equal(await ready("kube-system", "metrics-server"), 2);
  });

  it("rejects another name of the hub's release, which Helm can't rename", async () => {
    await example.set("release", "other");
    const { code, stdout, stderr } = await example.project.hand("preview", "-s", "dev");
    await example.set("release", "team-hub");
    assert.notEqual(code, 0);
    assert.match(stdout + stderr, /hub\.releaseName: found "other"; expected "team-hub", by which it is installed/);
  });

  it("deletes them, except for what the hub's users have stored", async () => {
    await example.destroy();
    const left = await world.kubectl("get", "deployments,daemonsets", "-A", "-o", "name");
    assert.doesNotMatch(left, /metrics-server|autoscaler|nginx|external-dns|nvidia|hub|events/);
    await world.get("-n", "team-hub", "pvc", "hub-db-dir");
  });
});
