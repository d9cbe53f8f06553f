import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { namespaceObjects } from "../../../components/namespaces/plan";
import type { PodSecurityLevel } from "../../../components/namespaces/settings";
import type { Template } from "../../../components/runtime/template";
import { renderRuntime } from "../../../components/runtime/templates/render";
import { TemplateEngine } from "../runtime/templateEngine";
import { deployment, World } from "./world";
import { testKubeconfig } from "./yard";

const EXAMPLES = path.join(__dirname, "../../../runtime/examples/templates");
const examples = (): Template[] =>
  ["statefulset", "service", "http_ingress", "grpc_ingress"].map((key) => {
    const file = path.join(EXAMPLES, `${key}.yaml.tmpl`);
    // No node of the yard is a cheap one.
    const text = readFileSync(file, "utf8").replace(/ +nodeSelector:\n.*\n/, "");
    return { key, file, text };
  });

describe("a namespace that the platform makes", () => {
  let world: World;
  before(async () => (world = await new World(await testKubeconfig()).open()));
  after(() => world.close());
  const guard = () => world.set({ name: "namespace", shared: true });
  const objects = (podSecurity: PodSecurityLevel, more: object = {}) =>
    namespaceObjects(world.namespace, [{ kind: "runtimes", config: { podSecurity, ...more }, passes: "restricted" }]);
  const labels = async () =>
    (await world.client.get({ apiVersion: "v1", kind: "Namespace", name: world.namespace }))?.metadata.labels ?? {};
  const enforced = async () => (await labels())["pod-security.kubernetes.io/enforce"];

  it("enforces Pod Security once no running pod violates it", async () => {
    const adopt = { [`stackyard.dev/adopt`]: `${world.namespace}.namespace` };
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: world.namespace, annotations: adopt } };
    await world.client.apply(namespace);
    const workload = world.set();
    await workload.up([deployment({ name: "old" })]);

    const set = guard();
    const VIOLATED =
      /Namespace \S+: Pod Security level restricted is not enforced yet, because pods that run in it violate it: old-\S+: allowPrivilegeEscalation != false, .*every update tries again/;
    await set.preview(objects("restricted"));
    assert.match(world.said("warning"), VIOLATED);
    world.logged.length = 0;
    await set.up(objects("restricted"));
    assert.match(world.said("warning"), VIOLATED);
    assert.equal(await enforced(), undefined);
    assert.equal((await labels())["pod-security.kubernetes.io/warn"], "restricted");
    // The pod stays, may be replaced, and every update tries again.
    await world.client.remove(world.ref("v1", "Pod", (await pods())[0] ?? ""));
    assert.deepEqual(await set.changes(objects("restricted")), ["objects[0].metadata.labels"]);

    await workload.down();
    world.logged.length = 0;
    await set.up(objects("restricted"));
    assert.equal(world.said("warning"), "");
    assert.equal(await enforced(), "restricted");
    assert.deepEqual(await set.changes(objects("restricted")), []);

    const limits = { default: { cpu: "1", memory: "1Gi" }, max: { cpu: 64 } };
    await set.up(objects("restricted", { quota: { pods: 3, "requests.cpu": "100" }, limits }));
    const inNamespace = async (apiVersion: string, kind: string) =>
      (await world.client.list({ apiVersion, kind, namespace: world.namespace })).map((one) => one.metadata.name);
    assert.deepEqual(await inNamespace("networking.k8s.io/v1", "NetworkPolicy"), ["stackyard"]);
    assert.deepEqual(await inNamespace("v1", "ResourceQuota"), ["stackyard"]);
    assert.deepEqual(await inNamespace("v1", "LimitRange"), ["stackyard"]);
  });

  it("rejects a violating pod with the reason and accepts the pods of our own templates", async () => {
    await guard().up(objects("restricted"));
    const refused = world.set({ name: "refused", timeoutSeconds: 3 });
    assert.match(
      await refused.fails([deployment({ name: "root" })]),
      /violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false/,
    );
    await refused.down();

    const engine = await TemplateEngine.start();
    engine.attach();
    try {
      for (const [index, templates] of [[], examples()].entries()) {
        const values = {
          provisionId: `own-${index}`,
          image: "example/runtime",
          imageTag: "1.0.0",
          host: `https://own-${index}.example.com`,
          audienceUrl: "",
          slots: 1,
          cpu: 1,
          memoryGb: 1,
          storageBytes: 1024 ** 3,
          dataDir: "/mnt/data",
          environment: "prod",
          annotations: {},
          ping: "/v1/ping",
          hibernated: false,
        };
        const rendered = await renderRuntime(values, world.namespace, { templates }, {});
        await world.set({ name: `own-${index}` }).up(rendered);
        const pod = await world.pod(`runtime-own-${index}-0`);
        assert.equal(pod.spec.automountServiceAccountToken, false);
        assert.deepEqual(
          (pod.spec.volumes as { name: string }[]).map(({ name }) => name),
          ["data"],
        );
      }
    } finally {
      engine.stop();
    }
  });

  const pods = async (): Promise<string[]> =>
    (await world.client.list({ apiVersion: "v1", kind: "Pod", namespace: world.namespace })).map(
      ({ metadata }) => metadata.name,
    );
});
