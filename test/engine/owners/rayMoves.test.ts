import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect } from "../../../kubernetes/connect/connect";
import type { Client } from "../../../kubernetes/client/client";
import { ChartRepository, packDouble } from "../../doubles/chartRepository";
import { RayOperator } from "../../doubles/rayOperator/rayOperator";
import { Project } from "../cli/project";
import { kubernetesProvisioner } from "../runtime/provisioner";
import { testYard } from "../runtime/yard";
import { liveObjects } from "./live";

const OPERATOR = "kube-system/release-kuberay-operator";

describe("Ray in mode kuberay between two platforms", function () {
  this.timeout(180_000);
  const namespace = `ray-${randomBytes(3).toString("hex")}`;
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-ray-"));
  let first: Project;
  let second: Project;
  let client: Client;
  let repository: ChartRepository;
  let operator: RayOperator;

  const small = { cpu: 1, memoryGb: 1 };
  const base = (): Record<string, unknown> => ({
    cluster: { type: "existing", kubeconfig: { path: first.place.kubeconfig } },
    charts: { mirror: repository.url },
    defaultProvisioner: "one",
    provisioners: { one: kubernetesProvisioner(`${namespace}-runtimes`) },
  });
  const ray = (replicas: number): Record<string, unknown> => ({
    ...base(),
    ray: {
      one: {
        ...{ mode: "kuberay", namespace, pool: "", reservedCpu: 0, head: small },
        workerGroups: { worker: { ...small, replicas } },
      },
    },
  });
  before(async () => {
    const place = await testYard();
    client = connect(readFileSync(place.kubeconfig, "utf8"), undefined, {});
    repository = await new ChartRepository({ "kuberay-operator": await packDouble("kuberay-operator") }).start();
    operator = new RayOperator(place.kubeconfig, namespace);
    const project = (): Project => {
      const backend = `file://${mkdtempSync(path.join(folder, "backend-"))}`;
      return new Project({ ...place, env: { ...place.env, PULUMI_BACKEND_URL: backend } });
    };
    [first, second] = [project(), project()];
    await first.platform(ray(1));
    await second.platform(base());
    second.describe(ray(1));
  });
  after(async () => {
    await second.remove();
    await first.remove();
    await operator.stop();
    await repository.stop();
    rmSync(folder, { recursive: true, force: true });
    for (const name of [namespace, `${namespace}-runtimes`, "kuberay-operator"])
      await client.remove({ apiVersion: "v1", kind: "Namespace", name });
  });

  const must = async (project: Project, verb: string): Promise<void> => {
    const { code, text } = await project.verb(verb);
    assert.equal(code, 0, text);
  };
  const refused = async (project: Project, verb: string): Promise<string> => {
    const { code, text } = await project.verb(verb);
    assert.notEqual(code, 0, text);
    return text;
  };
  const live = async (): Promise<string[]> => [
    ...(await liveObjects(client, namespace, [
      ["ray.io/v1", "RayCluster"],
      ["v1", "Pod"],
      ["v1", "Service"],
    ])),
    ...(await liveObjects(client, "kuberay-operator", [["apps/v1", "Deployment"]])),
    (
      await client.get({
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        name: "rayclusters.ray.io",
      })
    )?.metadata.uid ?? "",
  ];
  const adopt = (project: Project, ...flags: string[]) =>
    project.stackyard("adopt", OPERATOR, "--stack", "here", "--kubeconfig", first.place.kubeconfig, ...flags);

  it("is refused in the second platform before anything is registered", async () => {
    const before = await live();
    assert.ok(before.some((object) => object.startsWith("Pod ")));
    for (const verb of ["preview", "up"]) {
      assert.match(
        await refused(second, verb),
        /stackyard:ray: found a Helm release kuberay-operator[^]*stackyard adopt/,
      );
    }
    assert.deepEqual(await live(), before);
  });

  it("passes as a whole by one command, with its operator, kinds and clusters", async () => {
    const before = await live();
    const dry = await adopt(second, "--feature", "--dry-run");
    assert.equal(dry.code, 0, dry.stderr);
    assert.match(dry.stderr, /kube-system\/kuberay-crds/);
    assert.match(dry.stderr, new RegExp(`${namespace}/ray-one`));
    assert.match(dry.stderr, /takes over bundle kube-system\/kuberay-crds/);
    const { code, stderr } = await adopt(second, "--feature", "--yes");
    assert.equal(code, 0, stderr);
    await must(second, "preview");
    await must(second, "up");
    assert.deepEqual(await live(), before);
    await second.must("pulumi", "preview", "-s", "here", "--expect-no-changes");
  });

  it("stays when the first platform is destroyed as the refusal says", async () => {
    const before = await live();
    const text = await refused(first, "destroy");
    assert.match(text, /Helm release kuberay-operator\/kuberay-operator belongs to stack stackyard\/here in file:/);
    const [, urn = ""] = /pulumi state delete --target-dependents '([^']+)'/.exec(text) ?? [];
    await first.must("pulumi", "state", "delete", "-s", "here", "--target-dependents", urn, "--yes");
    first.describe(base());
    await must(first, "up");
    await must(first, "destroy");
    assert.deepEqual(await live(), before);
    second.describe(ray(2));
    await must(second, "up");
    assert.equal((await live()).length, before.length + 1);
  });

  it("gives the kinds of its operator along with the operator alone", async () => {
    const { code, stderr } = await adopt(first, "--yes");
    assert.equal(code, 0, stderr);
    assert.match(stderr, /kube-system\/release-kuberay-operator, kube-system\/kuberay-crds/);
  });
});
