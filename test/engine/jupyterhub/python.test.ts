import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import path from "node:path";
import type { JupyterHubSettings } from "../../../components/jupyterhub/settings";
import { pythonEnvironment } from "../../../toolchain/python/environment";
import { AUTH0, CLIENT_SECRET, GITHUB, LDAP, OIDC, settingsOf } from "../../unit/jupyterhub/samples";
import { valuesOf, type ChartValues } from "./hubConfig";
import { PlainHub } from "./plainHub";

const root = path.join(__dirname, "../../..");
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
  const started: PlainHub[] = [];

  before(async function () {
    const environment = await pythonEnvironment("hub", root);
    if ("missing" in environment) {
      this.test!.parent!.title += ` (pending: ${environment.missing})`;
      return this.skip();
    }
    python = environment.python;
  });
  afterEach(async () => {
    for (const hub of started.splice(0)) await hub.stop();
  });

  function problemsOf(...all: ChartValues[]): unknown {
    const script = path.join(__dirname, "python", "traits.py");
    const input = JSON.stringify(
      all.map(({ hub, singleuser }) => ({ config: hub.config, profiles: singleuser.profileList })),
    );
    return JSON.parse(execFileSync(python, [script], { input, encoding: "utf8" }));
  }

  async function start(settings: JupyterHubSettings): Promise<string> {
    const hub = new PlainHub();
    started.push(hub);
    return (await hub.start(python, settings)).url;
  }

  it("knows every class, trait and override in the configuration and accepts the values", () => {
    const logins = [AUTH0, OIDC, GITHUB, LDAP].map((auth) => ({
      ...auth,
      allowedGroups: ["data"],
      adminGroups: ["ops"],
    }));
    const settings = [{ ...everything, allowAll: true }, ...logins].map((auth) => settingsOf({ auth, profiles }));
    const dummy = settingsOf(
      { auth: { type: "dummy", adminUsers: ["ann"] }, profiles },
      { stack: "dev", secret: false },
    );
    assert.deepEqual(problemsOf(...[...settings, dummy].map(valuesOf)), []);
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
        scope: "openid email profile offline_access",
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
