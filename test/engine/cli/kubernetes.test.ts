import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import type { SetCondition } from "../../../engine/runtime/contents";
import type { KubernetesObject, Place } from "../runtime/world";
import { testYard } from "../runtime/yard";
import { killWhen } from "./held";
import { Project, type Ended } from "./project";
import { kubernetesProvisioner } from "../runtime/provisioner";

const run = promisify(execFile);
const tag = randomBytes(3).toString("hex");
const [here, there] = [`cli-${tag}`, `cli-${tag}-b`] as const;

const platform = ({ kubeconfig }: Place, more: object = {}) => ({
  cluster: { type: "existing", kubeconfig: { path: kubeconfig } },
  defaultProvisioner: "one",
  provisioners: {
    one: kubernetesProvisioner(here, more),
    two: kubernetesProvisioner(there, { claimsWhenDeleted: "Retain" }),
  },
});

describe("stackyard runtime in Kubernetes", () => {
  let project: Project;

  before(async () => {
    const place = await testYard();
    project = new Project(place);
    await project.platform(platform(place));
  });
  after(async () => {
    await project.remove();
    await kubectl("delete", "namespace", here, there, "--ignore-not-found");
  });

  const kubectl = async (...args: string[]): Promise<string> =>
    (await run("kubectl", ["--kubeconfig", project.place.kubeconfig, ...args])).stdout;
  const claimUid = async (namespace: string, id: string): Promise<string> => {
    const claims = JSON.parse(await kubectl("-n", namespace, "get", "pvc", "-o", "json")) as KubernetesObject;
    return claims.items?.find(({ metadata }) => metadata.name === `data-runtime-${id}-0`)?.metadata.uid ?? "none";
  };
  const labelsOf = (id: string) => ({ "stackyard.dev/set": `runtime-${id}`, "stackyard.dev/set-namespace": here });
  const apply = async (object: object): Promise<void> => {
    const file = path.join(project.folder, "object.json");
    writeFileSync(file, JSON.stringify(object));
    await kubectl("-n", here, "apply", "-f", file);
  };
  const well = (...args: string[]): Promise<Ended> => project.runtime(...args);

  it("creates a runtime and reports the status of its pods and disks", async () => {
    await well("up", "acme", "--version", "v1", "--slots", "2");
    const { stdout } = await well("status", "acme");
    assert.match(stdout, /^acme is running\n/);
    assert.match(stdout, new RegExp(`✓ StatefulSet ${here}/runtime-acme {2}1 of 1 ready\\n`));
    assert.match(stdout, /^ {6}pod runtime-acme-0: ready, on \S+$/m);
    assert.match(stdout, /^ {6}claim data-runtime-acme-0: Bound, 80 GiB$/m);
    assert.match(stdout, /✓ Ingress \S+ {2}acme\.cli-\S+\.localhost at 192\.0\.2\.\d+/);
    assert.equal((await well("check", "--all")).stdout, "✓ acme\n");
  });

  it("bypasses a proxy for connections to this machine", async () => {
    const proxy = "http://127.0.0.1:9";
    const env = { ...project.place.env, http_proxy: proxy, https_proxy: proxy, HTTP_PROXY: proxy, HTTPS_PROXY: proxy };
    const behind = new Project({ ...project.place, env });
    try {
      await behind.runtime("up", "proxied", "--version", "v1");
      await behind.runtime("destroy", "proxied", "--yes");
    } finally {
      rmSync(behind.folder, { recursive: true });
    }
  });

  it("hibernates a runtime and wakes it with the same disk", async () => {
    const uid = await claimUid(here, "acme");
    await well("hibernate", "acme");
    const asleep = await well("status", "acme");
    assert.match(asleep.stdout, /^acme is hibernated\n/);
    assert.match(asleep.stdout, /scaled to zero\n {6}claim data-runtime-acme-0: Bound/);
    await well("wake", "acme");
    assert.match((await well("status", "acme")).stdout, /1 of 1 ready/);
    assert.equal(await claimUid(here, "acme"), uid);
  });

  it("rolls a changed provisioner out to outdated runtimes only", async () => {
    const uid = await claimUid(here, "acme");
    assert.match((await well("up", "--all", "--yes")).stderr, /acme is ready, nothing changed/);
    project.describe(platform(project.place, { image: "example/newer" }));
    await project.must("pulumi", "up", "-s", "here", "--yes", "--skip-preview");
    assert.match((await well("list")).stdout, /^acme +running, outdated +v1 +2 +prod +one +here /m);
    const checked = await project.stackyard("runtime", "check", "acme");
    assert.deepEqual([checked.code, checked.stdout.split(":")[0]], [1, "✗ acme\n    outdated"]);
    const rollout = await well("up", "--outdated", "--wave", "1", "--yes");
    assert.match(rollout.stderr, /^deploy 1 runtime, until one fails: acme\n[\s\S]*1 runtime ready, 0 failed/);
    const image = await kubectl("-n", here, "get", "statefulset", "runtime-acme", "-o", "jsonpath={..image}");
    assert.equal(image, "example/newer:v1");
    assert.equal((await well("list", "--outdated", "-o", "id")).stdout, "");
    assert.match((await well("up", "--outdated", "--yes")).stderr, /nothing to deploy/);
    assert.equal(await claimUid(here, "acme"), uid);
  });

  it("reports manually deleted objects and restores them with a refresh", async () => {
    await kubectl("-n", here, "delete", "service", "runtime-acme");
    const { stdout } = await well("status", "acme");
    assert.match(stdout, /✗ Service \S+ {2}deleted outside of the stack\n/);
    assert.match(stdout, /what differs is restored by: stackyard runtime up acme$/m);
    assert.match(
      (await project.stackyard("runtime", "check", "acme")).stdout,
      /cluster: Service \S+: deleted outside of the stack\n/,
    );
    await well("up", "acme", "--refresh");
    assert.doesNotMatch((await well("status", "acme")).stdout, /✗/);
    assert.match((await well("preview", "acme", "--refresh")).stdout, /nothing to do/);
  });

  it("reports why a runtime is not ready, during the update and in the status, and continues once fixed", async () => {
    const failed = await project.stackyard("runtime", "up", "huge", "--version", "v1", "--slots", "500");
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /huge could not be deployed:\n[\s\S]*cannot be scheduled: .*Insufficient cpu/);
    assert.match(failed.stderr, /Created objects stay for the next update: .*StatefulSet/);
    const { stdout } = await well("status", "huge");
    assert.match(stdout, /^huge has failed\n {2}\S[\s\S]*… StatefulSet \S+ {2}0 of 1 pods ready\n/);
    assert.match(stdout, /Insufficient cpu/);
    const listed = await well("list", "--failed", "-o", "wide");
    assert.match(listed.stdout, /^huge +failed .* one .*Insufficient cpu/m);
    assert.doesNotMatch(listed.stdout, /^acme/m);
    const checked = await project.stackyard("runtime", "check", "huge");
    assert.equal(checked.code, 1);
    assert.match(
      checked.stdout,
      /^✗ huge\n {4}state: failed: [\s\S]* {4}cluster: StatefulSet \S+: 0 of 1 pods ready\n/,
    );
    await well("destroy", "huge", "--yes");
  });

  it("destroys everything that a killed up was creating", async () => {
    const there = async (): Promise<string> =>
      kubectl("-n", here, "get", "statefulsets,services,ingresses,pvc,pods", "-o", "name");
    const others = await there();
    const up = ["runtime", "up", "half", "--version", "v1", "--slots", "500"] as const;
    await killWhen(project, up, "its pod waits for room", async () => (await there()).includes("pod/runtime-half-0"));
    const gone = await well("destroy", "half", "--yes");
    assert.match(gone.stderr, /an earlier update was interrupted[^]*half is gone/);
    assert.equal(await there(), others);

    // An update too: what it made besides, nobody has heard of.
    await well("up", "half", "--version", "v1");
    const service = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "half-more", labels: labelsOf("half") } };
    await apply(service);
    await well("destroy", "half", "--yes");
    assert.equal(await kubectl("-n", here, "get", "configmaps", "-l", "stackyard.dev/set", "-o", "name"), "");
    assert.equal(await there(), others);
  });

  it("moves a runtime only when instructed to and reports the disk that stays behind", async () => {
    const refused = await project.stackyard("runtime", "up", "acme", "--provisioner", "two");
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /--move/);
    await well("up", "acme", "--provisioner", "two", "--move");
    assert.match((await well("status", "acme")).stdout, new RegExp(`✓ StatefulSet ${there}/runtime-acme`));
    assert.equal((await kubectl("-n", here, "get", "statefulsets", "-o", "name")).trim(), "");
    const uid = await claimUid(there, "acme");
    const gone = await well("destroy", "acme", "--yes");
    assert.match(gone.stdout + gone.stderr, /claim.*data-runtime-acme-0/i);
    assert.equal(await claimUid(there, "acme"), uid, "the provisioner says Retain");
  });

  it("lists a kept disk, gives a new runtime a new disk, and deletes the kept disk by name", async () => {
    const disk = `${there}/data-runtime-acme-0`;
    assert.match((await well("disks")).stdout, new RegExp(`^${disk} +acme +\\d+ +\\d+ m?s ago +two `, "m"));
    const uid = await claimUid(there, "acme");
    await well("up", "acme", "--version", "v1", "--provisioner", "two");
    assert.notEqual(await claimUid(there, "acme"), uid);
    const [kept] = JSON.parse((await well("disks", "-o", "json")).stdout) as { name: string; deployment: string }[];
    assert.match(kept?.name ?? "", /^kept-/);
    assert.equal((await project.stackyard("runtime", "disks", "--remove", disk, "--yes")).code, 1);
    assert.match((await well("disks", "--remove", `${there}/${kept?.name}`, "--yes")).stderr, /of acme is deleted/);
    assert.equal((await well("disks")).stdout, "no kept disks\n");
    await well("destroy", "acme", "--yes");
    await well("up", "acme", "--version", "v1", "--provisioner", "two", "--disk", "data-runtime-acme-0");
    assert.equal((await well("disks")).stdout, "no kept disks\n");
    await well("destroy", "acme", "--yes");
  });

  it("reports an unreachable cluster in the status", async () => {
    await well("up", "far", "--version", "v1");
    const state = JSON.parse((await project.pulumi("stack", "export", "-s", "far")).stdout) as {
      deployment: { resources: { type: string; inputs: Record<string, unknown>; outputs: Record<string, unknown> }[] };
    };
    const original = JSON.stringify(state);
    for (const resource of state.deployment.resources.filter(({ type }) => type === "stackyard:index:ManifestSet")) {
      const nowhere = JSON.stringify({
        "current-context": "yard",
        contexts: [{ name: "yard", context: { cluster: "x", user: "x" } }],
        clusters: [{ name: "x", cluster: { server: "https://127.0.0.1:1" } }],
        users: [{ name: "x", user: {} }],
      });
      resource.inputs["kubeconfig"] = nowhere;
      resource.outputs["kubeconfig"] = nowhere;
    }
    await project.importState("far", JSON.stringify(state));
    const { stdout } = await well("status", "far");
    assert.match(stdout, /\? the cluster did not answer: .*127\.0\.0\.1:1/);
    const { conditions } = JSON.parse((await well("status", "far", "--json")).stdout) as { conditions: SetCondition[] };
    assert.ok(conditions[0] && "unknown" in conditions[0]);
    await project.importState("far", original);
  });
});
