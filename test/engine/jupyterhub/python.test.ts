import assert from "node:assert/strict";
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { planSecret, planValues } from "../../../components/jupyterhub/plan";
import { mergeValues } from "../../../foundation/json/merge";
import type { JupyterHubSettings } from "../../../components/jupyterhub/settings";
import { pythonEnvironment } from "../../tools/pythonEnvironment";
import { AUTH0, CLIENT_SECRET, settingsOf } from "../../unit/jupyterhub/samples";
import { portToBind } from "../../../toolchain/yard/ports";

const root = path.join(__dirname, "../../..");
const TOKENS = { cookieSecret: "c0".repeat(32), cryptKey: "d1".repeat(32) };

interface ChartValues {
  readonly hub: {
    readonly config: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly extraConfig?: Readonly<Record<string, string>>;
  };
  readonly singleuser: { readonly profileList: readonly Readonly<Record<string, unknown>>[] };
}

const profiles = {
  small: { displayName: "Small" },
  gpu: {
    displayName: "GPU",
    description: "One of them",
    image: "a/b:1",
    cpu: 4,
    cpuLimit: 8,
    memoryGb: 16,
    memoryLimitGb: 20.5,
    gpus: 1,
    nodeSelector: { dedicated: "gpu" },
    tolerations: [{ key: "dedicated", value: "gpu", effect: "NoSchedule" }],
    environment: { MODE: "gpu" },
  },
};
const everything = { ...AUTH0, allowedUsers: ["bob@example.com"], allowedGroups: ["data"], adminGroups: ["ops"] };

/** The pinned JupyterHub, OAuthenticator and KubeSpawner meet what we configure them with. */
describe("a real Hub with our configuration", function () {
  let python: string;
  let folder: string;
  const started: ChildProcess[] = [];

  before(async function () {
    const environment = await pythonEnvironment("hub", root);
    if ("missing" in environment) {
      this.test!.parent!.title += ` (pending: ${environment.missing})`;
      return this.skip();
    }
    python = environment.python;
  });
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "stackyard-hub-"));
  });
  afterEach(async () => {
    for (const hub of started.splice(0)) {
      const ended = new Promise((resolve) => hub.once("exit", resolve));
      hub.kill("SIGTERM");
      await ended;
    }
    rmSync(folder, { recursive: true });
  });

  const valuesOf = (settings: JupyterHubSettings): ChartValues =>
    mergeValues({}, planValues(settings, { secretChecksum: "sum" }))["jupyterhub"] as ChartValues;

  function problemsOf({ hub, singleuser }: ChartValues): unknown {
    const script = path.join(__dirname, "python", "traits.py");
    const input = JSON.stringify({ config: hub.config, profiles: singleuser.profileList });
    return JSON.parse(execFileSync(python, [script], { input, encoding: "utf8" }));
  }

  /** Starts a Hub the way its pod would be, and answers its URL. */
  async function start(settings: JupyterHubSettings): Promise<string> {
    writeFileSync(path.join(folder, "values.json"), JSON.stringify(valuesOf(settings)));
    for (const [file, text] of Object.entries(planSecret(settings, TOKENS)))
      writeFileSync(path.join(folder, file), text);
    const port = await portToBind();
    const args = ["-m", "jupyterhub", "--config", path.join(__dirname, "python", "hub_config.py")];
    const env = { ...process.env, HUB_FOLDER: folder, HUB_PORT: String(port) };
    const hub = spawn(python, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    started.push(hub);
    let said = "";
    for (const stream of [hub.stdout, hub.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
    const url = `http://127.0.0.1:${port}/hub`;
    for (;;) {
      if (hub.exitCode !== null) throw new Error(`the Hub ended:\n${said}`);
      const answer = await fetch(`${url}/health`).catch(() => undefined);
      if (answer?.ok === true) {
        assert.doesNotMatch(said, /not recognized|Config option/, "JupyterHub did not know a trait");
        return url;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  it("knows every class, trait and override in the configuration and accepts the values", () => {
    assert.deepEqual(problemsOf(valuesOf(settingsOf({ auth: everything, profiles }))), []);
    assert.deepEqual(problemsOf(valuesOf(settingsOf({ auth: { ...AUTH0, allowAll: true } }))), []);
    const dummy = { auth: { type: "dummy", adminUsers: ["ann"] }, profiles };
    assert.deepEqual(problemsOf(valuesOf(settingsOf(dummy, { stack: "dev", secret: false }))), []);
  });

  it("rejects an unknown class, an unknown trait and an invalid value", () => {
    const config = {
      JupyterHub: { authenticator_class: "auth1", nothing: 1 },
      Auth0Authenticator: {},
      Auth0OAuthenticator: { scope: 5 },
    };
    const wrong = { hub: { config }, singleuser: { profileList: [{ kubespawner_override: { memory: "1G" } }] } };
    const said = JSON.stringify(problemsOf(wrong));
    for (const part of [
      "no authenticator auth1",
      "no trait JupyterHub.nothing",
      "no class Auth0Authenticator",
      "Auth0OAuthenticator.scope: ",
      "no trait KubeSpawner.memory",
    ]) {
      assert.ok(said.includes(part), `${part}: ${said}`);
    }
  });

  it("redirects users to the Auth0 authorize URL with the right callback", async () => {
    const url = await start(settingsOf({ auth: everything }));
    const answer = await fetch(`${url}/oauth_login?next=`, { redirect: "manual" });
    assert.equal(answer.status, 302);
    const location = new URL(answer.headers.get("location") ?? "");
    assert.equal(location.origin + location.pathname, "https://acme.eu.auth0.com/authorize");
    const { redirect_uri, client_id, scope, response_type } = Object.fromEntries(location.searchParams);
    assert.deepEqual(
      { redirect_uri, client_id, scope, response_type },
      {
        redirect_uri: "https://hub.example.com/hub/oauth_callback",
        client_id: "client",
        scope: "openid email profile",
        response_type: "code",
      },
    );
    assert.ok(!location.href.includes(CLIENT_SECRET));
  });

  /** Whether the hub lets people in who have these claims, and whether as administrators. */
  function letsIn(settings: JupyterHubSettings, claims: object[]): unknown {
    const { config, extraConfig } = valuesOf(settings).hub;
    const script = path.join(__dirname, "python", "login.py");
    const input = JSON.stringify({ config, extraConfig, claims });
    return JSON.parse(execFileSync(python, [script], { input, encoding: "utf8" }));
  }

  it("allows users by the groups in a claim of any name", () => {
    for (const claim of ["https://acme.example/groups", "teams", "acme.groups", 'a"b\\']) {
      const auth = { ...AUTH0, adminUsers: [], allowedGroups: ["data"], adminGroups: ["ops"], groupsClaim: claim };
      const verified = { email: "eve@example.com", email_verified: true };
      assert.deepEqual(
        letsIn(settingsOf({ auth }), [
          { ...verified, [claim]: ["data", "others"] },
          { ...verified, [claim]: ["ops"] },
          { ...verified, [claim]: ["others"] },
          { ...verified, [claim]: null },
          verified,
        ]),
        [
          { allowed: true, admin: false },
          { allowed: true, admin: true },
          { allowed: false, admin: false },
          { allowed: false, admin: false },
          { allowed: false, admin: false },
        ],
        claim,
      );
    }
  });

  it("asks for a user name only with the dummy authenticator", async () => {
    const url = await start(settingsOf({ auth: { type: "dummy" } }, { stack: "dev", secret: false }));
    assert.match(await (await fetch(`${url}/login`)).text(), /name="username"/);
  });
});
