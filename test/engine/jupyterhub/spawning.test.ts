import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { pythonEnvironment } from "../../../toolchain/python/environment";
import { projectRoot } from "../../../toolchain/root";
import { AUTH0, CLIENT_SECRET, settingsOf } from "../../unit/jupyterhub/samples";
import { testKubeconfig } from "../manifests/yard";
import { HandlerWorld } from "../runtime/handlerWorld";
import { Browser, SpawningHub } from "./spawning";

const CLAIM = "https://acme.example/groups";
const CLAIMS = { email: "eve@example.com", email_verified: true, [CLAIM]: ["data"] };
const settings = settingsOf({
  auth: { ...AUTH0, allowedGroups: ["data", "guests"], groupsClaim: CLAIM },
  environment: { TEAM: "data" },
  notebookLimits: { perUser: { notebooks: 2, cpu: 6 }, perGroup: { guests: { memoryGb: 1.5 } } },
  storage: { type: "dynamic", sizeGb: 7 },
  profiles: {
    small: { displayName: "Small" },
    gpu: {
      displayName: "One GPU",
      allowedGroups: ["data", "ml"],
      image: "example/notebook:2",
      cpu: 4,
      cpuLimit: 8,
      memoryGb: 16,
      gpus: 1,
      nodeSelector: { dedicated: "gpu" },
      tolerations: [{ key: "dedicated", value: "gpu", effect: "NoSchedule" }],
      environment: { MODE: "gpu" },
    },
  },
});

/** The pinned JupyterHub, KubeSpawner, OAuthenticator and proxy, against a real API server. */
describe("a Hub that spawns notebooks", function () {
  this.timeout(300_000);
  let world: HandlerWorld;
  let hub: SpawningHub;

  before(async function () {
    const environment = await pythonEnvironment("hub", projectRoot());
    if ("missing" in environment) {
      this.test!.parent!.title += ` (pending: ${environment.missing})`;
      return this.skip();
    }
    const kubeconfig = await testKubeconfig();
    world = await new HandlerWorld(kubeconfig, "hub").open();
    const { namespace } = world;
    const metadata = { name: settings.serviceAccount, namespace };
    await world.client.apply({ apiVersion: "v1", kind: "ServiceAccount", metadata });
    hub = new SpawningHub();
    await hub.start(settings, { python: environment.python, kubeconfig, namespace });
  });
  after(async () => {
    await hub?.stop();
    await world?.close();
  });

  /** Until the Hub made it: the Hub's own log says why it does not. */
  async function made(kind: string): Promise<KubeObject> {
    const until = Date.now() + 60_000;
    for (;;) {
      const [found] = await world.client.list({ apiVersion: "v1", kind, namespace: world.namespace });
      if (found) return found;
      if (Date.now() > until) throw new Error(`there is no ${kind}:\n${hub.log}`);
      await sleep(200);
    }
  }

  /** What the Hub answers when Auth0 sends somebody with these claims back to it. */
  async function login(claims: object): Promise<{ browser: Browser; back: string }> {
    hub.claims = claims;
    const browser = new Browser();
    const { location } = await browser.open(`${hub.url}/hub/oauth_login?next=`);
    const { origin, pathname, searchParams } = new URL(location);
    assert.equal(origin + pathname, "https://acme.eu.auth0.com/authorize");
    const state = encodeURIComponent(searchParams.get("state") ?? "");
    const { text } = await browser.open(`${hub.url}/hub/oauth_callback?code=code&state=${state}`);
    return { browser, back: text };
  }

  it("logs a user in through Auth0 and creates the pod and the claim of the chosen profile", async () => {
    const { browser, back } = await login(CLAIMS);
    assert.match(back, /^302/, hub.log);
    const page = await browser.open(`${hub.url}/hub/spawn`);
    for (const name of ["Small", "One GPU"]) assert.ok(page.text.includes(name), `${page.text}\n${hub.log}`);
    const chosen = await browser.open(`${hub.url}/hub/spawn?_xsrf=${browser.xsrf}`, { profile: "gpu" });
    assert.match(chosen.location, /\/hub\/spawn-pending\/eve@example\.com/, `${chosen.text}\n${hub.log}`);

    const spec = (await made("Pod"))["spec"] as {
      readonly containers: readonly [
        Record<string, unknown> & { readonly env: readonly { name: string; value: string }[] },
      ];
    } & Record<string, unknown>;
    const [container] = spec.containers;
    assert.equal(container["image"], "example/notebook:2");
    assert.deepEqual(container["resources"], {
      limits: { cpu: "8", "nvidia.com/gpu": "1" },
      requests: { cpu: "4", memory: String(16 * 2 ** 30), "nvidia.com/gpu": "1" },
    });
    const env = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
    assert.deepEqual([env["TEAM"], env["MODE"]], ["data", "gpu"]);
    assert.equal(spec["serviceAccountName"], settings.serviceAccount);
    assert.equal(spec["automountServiceAccountToken"], false);
    assert.deepEqual(spec["nodeSelector"], { dedicated: "gpu" });
    const tolerated = (spec["tolerations"] as readonly { key: string }[]).map(({ key }) => key);
    assert.deepEqual(
      tolerated.filter((key) => !key.startsWith("node.kubernetes.io/")),
      ["hub.jupyter.org/dedicated", "hub.jupyter.org_dedicated", "dedicated"],
    );
    const claim = await made("PersistentVolumeClaim");
    assert.deepEqual((claim["spec"] as { resources: unknown }).resources, { requests: { storage: "7Gi" } });
    assert.doesNotMatch(hub.log, /not recognized|Config option/);
    assert.ok(!hub.log.includes(CLIENT_SECRET));
  });

  it("shows and starts only the profiles of the user's groups", async () => {
    const { browser } = await login({ ...CLAIMS, email: "guest@example.com", [CLAIM]: ["guests"] });
    const page = (await browser.open(`${hub.url}/hub/spawn`)).text;
    assert.ok(page.includes("Small") && !page.includes("One GPU"), `${page}\n${hub.log}`);
    await browser.open(`${hub.url}/hub/spawn?_xsrf=${browser.xsrf}`, { profile: "gpu" });
    while (!/No such profile: gpu. Options include: small/.test(hub.log)) await sleep(200);
    const pods = await world.client.list({ apiVersion: "v1", kind: "Pod", namespace: world.namespace });
    assert.equal(pods.length, 1, hub.log);
  });

  it("starts no notebook beyond the limits of a user or a group", async () => {
    const { browser } = await login(CLAIMS);
    // The first one has 4 CPUs of the 6.
    await browser.open(`${hub.url}/hub/spawn/eve@example.com/second?_xsrf=${browser.xsrf}`, { profile: "gpu" });
    const said = async (text: string): Promise<void> => {
      while (!hub.log.includes(text)) await sleep(200);
    };
    await said("You: cpu is limited to 6, 4 of them in use; this notebook needs 4.");
    const start = async (person: string) => {
      const { browser: other } = await login({ ...CLAIMS, email: person, [CLAIM]: ["guests"] });
      await other.open(`${hub.url}/hub/spawn?_xsrf=${other.xsrf}`, { profile: "small" });
    };
    await start("first@example.com");
    await said("Attempting to create pod jupyter-first");
    await start("second@example.com");
    await said("Group guests: memoryGb is limited to 1.5, 1 of them in use; this notebook needs 1.");
    const pods = await world.client.list({ apiVersion: "v1", kind: "Pod", namespace: world.namespace });
    assert.equal(pods.length, 2, hub.log);
  });

  it("rejects a user who is in none of the groups", async () => {
    const { back } = await login({ ...CLAIMS, email: "mallory@example.com", [CLAIM]: ["others"] });
    assert.match(back, /^403/, hub.log);
  });
});
