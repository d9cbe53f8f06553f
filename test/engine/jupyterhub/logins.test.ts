import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { LdapServer } from "../../doubles/ldap/ldap";
import { GitHubIssuer } from "../../doubles/issuer/gitHubIssuer";
import { OidcIssuer } from "../../doubles/issuer/oidcIssuer";
import { pythonEnvironment } from "../../../toolchain/python/environment";
import { projectRoot } from "../../../toolchain/root";
import { AUTH0, CLIENT_SECRET, GITHUB, LDAP, OIDC, settingsOf } from "../../unit/jupyterhub/samples";
import { PlainHub, type Changes } from "./plainHub";
import { Browser } from "./spawning";

const CLAIM = "https://acme.example/groups";
const DEV = { stack: "dev" };
const ANN = { email: "ann@example.com", email_verified: true };
/** Seconds until the Hub asks again. */
const AGE = 1;

/** The pinned JupyterHub and OAuthenticator with our configuration, against issuers that check what real ones check. */
describe("logins of a real Hub", function () {
  let python: string;
  const running: { stop(): Promise<void> }[] = [];

  before(async function () {
    const environment = await pythonEnvironment("hub", projectRoot());
    if ("missing" in environment) {
      this.test!.parent!.title += ` (pending: ${environment.missing})`;
      return this.skip();
    }
    python = environment.python;
  });
  afterEach(async () => {
    for (const each of running.splice(0).reverse()) await each.stop();
  });

  async function issuer(options: ConstructorParameters<typeof OidcIssuer>[0] = {}): Promise<OidcIssuer> {
    const double = new OidcIssuer(options);
    running.push(double);
    return double.start();
  }
  async function hubWith(auth: object, changes: Changes): Promise<PlainHub> {
    const hub = new PlainHub();
    running.push(hub);
    return hub.start(python, settingsOf({ auth }, DEV), changes);
  }

  /** Auth0 has no address but its domain. */
  async function auth0(more: object): Promise<{ hub: PlainHub; double: OidcIssuer }> {
    const double = await issuer();
    const { url } = double;
    const urls = {
      authorize_url: `${url}/authorize`,
      token_url: `${url}/oauth/token`,
      userdata_url: `${url}/userinfo`,
    };
    const auth = { ...AUTH0, adminUsers: [], allowedGroups: ["data"], groupsClaim: CLAIM, ...more };
    return { double, hub: await hubWith(auth, { Auth0OAuthenticator: { ...urls, auth_refresh_age: AGE } }) };
  }
  async function oidc(
    more: object,
    options: ConstructorParameters<typeof OidcIssuer>[0] = {},
  ): Promise<{ hub: PlainHub; double: OidcIssuer }> {
    const double = await issuer(options);
    const scopes = ["openid", "email", "profile", "offline_access"];
    const auth = { ...OIDC, issuer: double.url, scopes, adminUsers: [], allowedGroups: ["data"], ...more };
    return { double, hub: await hubWith(auth, { GenericOAuthenticator: { auth_refresh_age: AGE } }) };
  }

  /** Logs somebody in, and waits until the Hub asks again. */
  async function loggedIn(hub: PlainHub, double: OidcIssuer | GitHubIssuer, person: string) {
    double.next = person;
    const { browser, back } = await hub.login();
    assert.match(back, /^302/, hub.log);
    await sleep(AGE * 1000 + 100);
    assert.ok(await hub.knows(browser), hub.log);
    await sleep(AGE * 1000 + 100);
    return browser;
  }
  async function isRefused(hub: PlainHub, double: OidcIssuer | GitHubIssuer, person: string): Promise<void> {
    double.next = person;
    const { back } = await hub.login();
    assert.match(back, /^40[03]/, hub.log);
  }

  for (const [name, made, claim] of [
    ["Auth0", auth0, CLAIM],
    ["an OIDC issuer", oidc, "groups"],
    ["an OIDC issuer with groups in the ID token", inIdToken, "groups"],
  ] as const) {
    it(`ends the session of who is blocked or leaves a group at ${name}`, async () => {
      const { hub, double } = await made({});
      const bob = { email: "bob@example.com", email_verified: "true", [claim]: ["data", "ops"] };
      double.people.set("ann", { ...ANN, [claim]: ["data"] }).set("bob", bob);
      const [ann, other] = [await loggedIn(hub, double, "ann"), await loggedIn(hub, double, "bob")];
      double.people.set("ann", undefined).set("bob", { ...bob, [claim]: ["ops"] });
      assert.deepEqual([await hub.knows(ann), await hub.knows(other)], [false, false], hub.log);
      await isRefused(hub, double, "ann");
      await isRefused(hub, double, "bob");
      double.people.set("ann", { ...ANN, [claim]: ["data"] });
      double.next = "ann";
      assert.match((await hub.login(ann)).back, /^302/);
    });
  }
  function inIdToken(more: object) {
    return oidc(
      { claims: "idToken", clientAuthentication: "basic", ...more },
      {
        onlyInIdToken: ["groups"],
        clientAuthentication: "basic",
      },
    );
  }

  it("ends the session of who is suspended at Google, which has no groups and no scope for refresh tokens", async () => {
    const authorizeParams = { access_type: "offline", prompt: "consent" };
    const access = { allowedGroups: [], allowedUsers: ["ann@example.com"], authorizeParams };
    const scopes = ["openid", "email", "profile"];
    const { hub, double } = await oidc({ ...access, scopes }, { isGoogle: true });
    double.people
      .set("ann", { ...ANN, hd: "example.com" })
      .set("eve", { email: "eve@gmail.com", email_verified: true });
    await isRefused(hub, double, "eve");
    const ann = await loggedIn(hub, double, "ann");
    double.people.set("ann", undefined);
    assert.equal(await hub.knows(ann), false, hub.log);
    await isRefused(hub, double, "ann");
    const other = await oidc({ ...access, scopes: [...scopes, "offline_access"] }, { isGoogle: true });
    assert.match((await other.hub.login()).back, /400 from the issuer.*offline_access/);
  });

  it("ends the session of who is removed where a class of the user's own asks again", async () => {
    const double = await new GitHubIssuer().start();
    running.push(double);
    const name = "GitHubOAuthenticator";
    const secrets = { [name]: { client_secret: CLIENT_SECRET } };
    const auth = { type: "custom", class: `oauthenticator.github.${name}`, secrets };
    const client = { client_id: "client", oauth_callback_url: "https://hub.example.com/hub/oauth_callback" };
    const traits = { ...client, github_url: double.url, allow_all: true, auth_refresh_age: AGE };
    const hub = await hubWith(auth, { [name]: traits });
    double.people.set("ann", { organizations: [], teams: [] });
    const ann = await loggedIn(hub, double, "ann");
    double.people.set("ann", undefined);
    assert.equal(await hub.knows(ann), false, hub.log);
  });

  it("asks again before it starts a notebook", async () => {
    const { hub, double } = await oidc({ refreshMinutes: 5 });
    double.people.set("ann", { ...ANN, groups: ["data"] });
    double.next = "ann";
    const { browser } = await hub.login();
    double.people.set("ann", { ...ANN, groups: [] });
    const { text } = await browser.open(`${hub.url}/spawn?_xsrf=${browser.xsrf}`, {});
    assert.match(text, /^(403|302)/);
    assert.match(hub.log, /ann@example\.com may not log in any more/);
    assert.doesNotMatch(hub.log, /Spawning|Starting/);
  });

  it("uses a refresh token once for requests at the same time, and keeps sessions while Auth0 does not answer", async () => {
    const { hub, double } = await auth0({});
    double.people.set("ann", { ...ANN, [CLAIM]: ["data"] });
    const ann = await loggedIn(hub, double, "ann");
    for (let round = 0; round < 3; round += 1) {
      const known = await Promise.all(Array.from({ length: 8 }, () => hub.knows(ann)));
      assert.deepEqual(new Set(known), new Set([true]), hub.log);
      await sleep(AGE * 1000 + 100);
    }
    double.isDown = true;
    assert.equal(await hub.knows(ann), false);
    double.isDown = false;
    assert.ok(await hub.knows(ann), hub.log);
  });

  it("rejects email addresses that the issuer has not verified, also as a text", async () => {
    for (const made of [auth0, oidc]) {
      const { hub, double } = await made({ allowAll: true });
      for (const email_verified of [false, "false", undefined]) {
        double.people.set("eve", { email: "ann@example.com", email_verified });
        await isRefused(hub, double, "eve");
      }
      double.people.set("ann", { ...ANN, email_verified: "true" });
      double.next = "ann";
      assert.match((await hub.login()).back, /^302/);
    }
    const { hub, double } = await oidc({ verifiedEmail: "trusted" });
    double.people.set("ann", { email: "ann@example.com", groups: ["data"] });
    double.next = "ann";
    assert.match((await hub.login()).back, /^302/);
  });

  it("sends a state and a challenge, and no nonce", async () => {
    const { hub } = await oidc({});
    const { location } = await new Browser().open(`${hub.url}/oauth_login?next=`);
    const sent = new URL(location).searchParams;
    const always = ["client_id", "redirect_uri", "response_type", "scope"];
    assert.deepEqual([...sent.keys()].sort(), ["code_challenge", "code_challenge_method", "state", ...always].sort());
    assert.deepEqual([sent.get("response_type"), sent.get("code_challenge_method")], ["code", "S256"]);
  });

  it("reads groups within objects, and refuses a wrong issuer at its start", async () => {
    const { hub, double } = await oidc({ groupsClaim: "realm_access.roles", usernameClaim: "preferred_username" });
    double.people.set("ann", { preferred_username: "Ann", realm_access: { roles: ["data"] } });
    double.people.set("bob", { preferred_username: "bob", realm_access: { roles: "data" } });
    double.people.set("eve", { preferred_username: "eve", groups: ["data"] });
    await loggedIn(hub, double, "ann");
    await loggedIn(hub, double, "bob");
    await isRefused(hub, double, "eve");
    const auth = { ...OIDC, issuer: `${double.url}/realms/other` };
    await assert.rejects(hubWith(auth, {}), /openid-configuration answers 404 with the issuer None/);
  });

  it("starts while the issuer does not answer, and reads its endpoints later", async () => {
    const double = await issuer();
    double.isDown = true;
    const hub = await hubWith({ ...OIDC, issuer: double.url }, {});
    assert.match(hub.log, /The login service can't be reached/);
    double.isDown = false;
    double.people.set("ann", ANN);
    double.next = "ann";
    assert.match((await hub.login()).back, /^302/, hub.log);
  });

  it("ends the session of who is suspended, or leaves an organization or a team at GitHub", async () => {
    const double = await new GitHubIssuer().start();
    running.push(double);
    const auth = { ...GITHUB, url: double.url, adminUsers: [], allowedGroups: ["Lab", "acme:data"] };
    const hub = await hubWith(auth, { GitHubOAuthenticator: { auth_refresh_age: AGE } });
    const people = {
      ann: { organizations: ["acme"], teams: ["acme:ops", "acme:data"] },
      bob: { organizations: ["acme", "Lab"], teams: [] },
      Carl: { organizations: ["lab"], teams: [] },
    };
    for (const [login, member] of Object.entries(people)) double.people.set(login, member);
    double.people.set("eve", { organizations: ["acme"], teams: ["acme:ops", "other:data"] });
    await isRefused(hub, double, "eve");
    const [ann, bob, carl] = [
      await loggedIn(hub, double, "ann"),
      await loggedIn(hub, double, "bob"),
      await loggedIn(hub, double, "Carl"),
    ];
    double.people.set("ann", { ...people.ann, teams: ["acme:ops"] });
    double.people.set("bob", { ...people.bob, organizations: ["acme"] });
    double.people.set("Carl", undefined);
    for (const browser of [ann, bob, carl]) assert.equal(await hub.knows(browser), false, hub.log);
    await isRefused(hub, double, "ann");
  });

  it("ends the session of who is removed from an LDAP directory or leaves a group, with checked certificates", async () => {
    const double = await LdapServer.start(python);
    running.push(double);
    const people = {
      "uid=ann,ou=people,dc=acme": { uid: ["ann"], userPassword: ["ann's"] },
      "uid=bob,ou=people,dc=acme": { uid: ["bob"], userPassword: ["bob's"] },
      "uid=eve,ou=people,dc=acme": { uid: ["eve"], userPassword: ["eve's"] },
    };
    const account = { "cn=hub,dc=acme": { userPassword: [CLIENT_SECRET] } };
    const groups = {
      "cn=Data Team,ou=groups,dc=acme": { cn: ["Data Team"], member: ["uid=ann,ou=people,dc=acme", "cn=nobody"] },
      "cn=ops,ou=groups,dc=acme": { cn: ["ops"], memberUid: ["bob"] },
    };
    const all = { ...account, ...people, ...groups };
    await double.set(all);
    const auth = {
      ...LDAP,
      server: "127.0.0.1",
      port: double.port,
      ca: double.certificate,
      adminUsers: [],
      allowedGroups: ["Data Team"],
      adminGroups: ["ops"],
    };
    const hub = await hubWith(auth, { LDAPAuthenticator: { auth_refresh_age: AGE } });
    const login = async (name: string, at = hub): Promise<{ browser: Browser; text: string }> => {
      const browser = new Browser();
      await browser.open(`${at.url}/login`);
      const form = { username: name, password: `${name}'s`, _xsrf: browser.xsrf };
      return { browser, text: (await browser.open(`${at.url}/login`, form)).text };
    };
    assert.match((await login("eve")).text, /^403/, hub.log);
    assert.match((await login("nobody")).text, /^403/);
    const [ann, bob] = [await login("ann"), await login("bob")];
    assert.deepEqual([ann.text, bob.text], ["302 ", "302 "], hub.log);
    await sleep(AGE * 1000 + 100);
    assert.deepEqual([await hub.knows(ann.browser), await hub.knows(bob.browser)], [true, true], hub.log);
    assert.match((await bob.browser.open(`${hub.url}/admin`)).text, /^200/);
    const left = { ...groups, "cn=Data Team,ou=groups,dc=acme": { cn: ["Data Team"], member: ["cn=nobody"] } };
    await double.set({ ...account, "uid=ann,ou=people,dc=acme": people["uid=ann,ou=people,dc=acme"], ...left });
    await sleep(AGE * 1000 + 100);
    assert.deepEqual([await hub.knows(ann.browser), await hub.knows(bob.browser)], [false, false], hub.log);
    assert.match((await login("ann")).text, /^403/);

    await double.set(all);
    for (const [wrong, said] of [
      [{ ca: undefined }, /certificate verify failed/i],
      [{ tls: "off" }, /Failed to bind/],
    ] as const) {
      const other = await hubWith({ ...auth, ...wrong }, {});
      assert.match((await login("ann", other)).text, /^(403|500)/, other.log);
      assert.match(other.log, said);
    }
  });
});
