import assert from "node:assert/strict";
import { load } from "js-yaml";
import { planSecret, planValues } from "../../../components/jupyterhub/plan";
import { LOGINS } from "../../../components/jupyterhub/logins/registry";
import { decode, GOOD } from "../config/fixtures";
import { AUTH0, CLIENT_SECRET, faultsOf, GITHUB, HUB, LDAP, OIDC, settingsOf } from "./samples";

/* eslint-disable @typescript-eslint/no-explicit-any -- Helm values are read all over */
const hubOf = (auth: object, stack = "staging"): any =>
  (planValues(settingsOf({ auth }, { stack }), { secretChecksum: "sum" }) as any).jupyterhub.hub;
const secretsOf = (auth: object): unknown => {
  const { "values.yaml": values = "" } = planSecret(settingsOf({ auth }), { cookieSecret: "c", cryptKey: "k" });
  return (load(values) as any).hub.config;
};
const scriptOf = (auth: object): string => hubOf(auth).extraConfig["stackyard-login"] as string;
const only = (auth: object, stack?: string): string => {
  const faults = faultsOf({ auth }, stack === undefined ? {} : { stack });
  assert.equal(faults.length, 1, faults.join("\n"));
  return faults[0] ?? "";
};
const warningsOf = (auth: object): readonly string[] =>
  decode({ ...GOOD, jupyterhub: { ...HUB, auth } }, { stack: "staging", secretKeys: new Set(["jupyterhub"]) }).warnings;

describe("the logins of JupyterHub", () => {
  it("have an entry for Auth0, OIDC, GitHub, LDAP, an own class and none", () => {
    assert.deepEqual(
      LOGINS.map(({ type }) => type),
      ["auth0", "oidc", "github", "ldap", "custom", "dummy"],
    );
  });

  for (const [auth, of, user] of [
    [AUTH0, "Auth0OAuthenticator", "bob@example.com"],
    [OIDC, "GenericOAuthenticator", "bob@example.com"],
    [GITHUB, "GitHubOAuthenticator", "bob"],
  ] as const) {
    it(`mean the same by users, groups and sessions: ${auth.type}`, () => {
      const who = { adminUsers: [], allowedUsers: [user], allowedGroups: ["data"], adminGroups: ["ops"] };
      const { config } = hubOf({ ...auth, ...who, refreshMinutes: 2, sessionHours: 12 });
      const { allowed_users, admin_users, manage_groups, allowed_groups, admin_groups, ...rest } = config[of];
      assert.deepEqual(
        [allowed_users, admin_users, manage_groups, allowed_groups, admin_groups],
        [[user], [], true, ["data"], ["ops"]],
      );
      const { enable_auth_state, auth_refresh_age, refresh_pre_spawn, allow_all } = rest;
      assert.deepEqual(
        [enable_auth_state, auth_refresh_age, refresh_pre_spawn, allow_all],
        [true, 120, true, undefined],
      );
      assert.equal(config.JupyterHub.cookie_max_age_days, 0.5);
      assert.equal(hubOf({ ...auth, allowAll: true }).config[of].allow_all, true);

      assert.match(only({ ...auth, adminUsers: [] }), /^auth: found no allowed user; expected at least one of/);
      for (const stack of ["prod", "prod-eu"])
        assert.match(only({ ...auth, allowAll: true }, stack), /^auth\.allowAll: /);
      assert.match(only({ ...auth, callback: "https://other.example.com/hub/oauth_callback" }), /^auth\.callback: /);
      assert.match(only({ ...auth, refreshMinutes: 0 }), /^auth\.refreshMinutes: /);
      assert.match(only({ ...auth, sessionHours: 337 }), /^auth\.sessionHours: /);
    });

    it(`keep the client secret out of values: ${auth.type}`, () => {
      assert.deepEqual(secretsOf(auth), { [of]: { client_secret: CLIENT_SECRET } });
      assert.ok(!JSON.stringify(hubOf(auth)).includes(CLIENT_SECRET));
      assert.match(faultsOf({ auth }, { secret: false }).join(), /^auth\.clientSecret: found a plain text/);
      const values = { hub: { config: { [of]: { client_secret: CLIENT_SECRET } } } };
      assert.match(faultsOf({ auth, values }).join(), /client_secret: .*it belongs into auth\.clientSecret/);
    });
  }

  it("warn if Auth0 can't be asked again", () => {
    const scopes = ["openid", "email"];
    assert.match(warningsOf({ ...AUTH0, scopes }).join(), /auth\.scopes: found no offline_access;.*sessionHours: 24/);
    assert.deepEqual(warningsOf(AUTH0), []);
  });

  describe("of type oidc", () => {
    it("read the endpoints of the issuer, unless they are given", () => {
      assert.match(scriptOf(OIDC), /url = "https:\/\/acme\.okta\.com\/\.well-known\/openid-configuration"/);
      assert.match(scriptOf({ ...OIDC, issuer: "https://acme.eu.auth0.com/" }), /\.auth0\.com\/\.well-known/);
      const endpoints = {
        authorizeUrl: "https://a.example/1",
        tokenUrl: "https://a.example/2",
        userinfoUrl: "https://a.example/3",
      };
      const { authorize_url, token_url, userdata_url } = hubOf({ ...OIDC, endpoints }).config.GenericOAuthenticator;
      assert.deepEqual({ authorizeUrl: authorize_url, tokenUrl: token_url, userinfoUrl: userdata_url }, endpoints);
      assert.doesNotMatch(scriptOf({ ...OIDC, endpoints }), /well-known|import requests/);
      const two = { authorizeUrl: endpoints.authorizeUrl, tokenUrl: endpoints.tokenUrl };
      assert.match(
        only({ ...OIDC, endpoints: two }),
        /^auth\.endpoints\.userinfoUrl: found nothing; .*or set claims: idToken/,
      );
      assert.deepEqual(faultsOf({ auth: { ...OIDC, endpoints: two, claims: "idToken" } }), []);
    });

    it("have settings for issuers that differ", () => {
      const differs = { claims: "idToken", clientAuthentication: "basic", pkce: false, label: "Acme" };
      const params = { access_type: "offline" };
      const all = hubOf({ ...OIDC, ...differs, authorizeParams: params, usernameClaim: "oid" }).config
        .GenericOAuthenticator;
      const { userdata_from_id_token, basic_auth, enable_pkce, login_service, extra_authorize_params, username_claim } =
        all;
      assert.deepEqual([userdata_from_id_token, basic_auth, enable_pkce, login_service], [true, true, false, "Acme"]);
      assert.deepEqual([extra_authorize_params, username_claim], [params, "oid"]);
      const { scope, username_claim: email, ...rest } = hubOf(OIDC).config.GenericOAuthenticator;
      assert.deepEqual([scope, email, rest.login_service], [["openid", "email", "profile"], "email", "acme.okta.com"]);
      for (const trait of ["userdata_from_id_token", "basic_auth", "enable_pkce", "extra_authorize_params"]) {
        assert.ok(!(trait in rest), trait);
      }
    });

    it("check that an email address is verified, unless users have other names or it is trusted", () => {
      assert.match(scriptOf(OIDC), /email_verified/);
      for (const more of [{ usernameClaim: "oid" }, { verifiedEmail: "trusted" }]) {
        assert.doesNotMatch(scriptOf({ ...OIDC, ...more }), /email_verified/);
      }
    });

    it("reject plain http outside development, and scopes without openid", () => {
      assert.match(only({ ...OIDC, issuer: "http://sso.example.com" }), /^auth\.issuer: .*expected a URL with https/);
      const endpoints = {
        authorizeUrl: "https://a.example/1",
        tokenUrl: "http://a.example/2",
        userinfoUrl: "https://a.example/3",
      };
      assert.match(only({ ...OIDC, endpoints }), /^auth\.endpoints\.tokenUrl: .*expected a URL with https/);
      assert.deepEqual(
        faultsOf({ auth: { ...OIDC, issuer: "http://localhost:8080/realms/acme" } }, { stack: "dev" }),
        [],
      );
      for (const issuer of ["acme.okta.com", "https://user:pass@acme.com", "https://acme.com/?a=b"]) {
        assert.match(only({ ...OIDC, issuer }), /^auth\.issuer: /);
      }
      assert.match(only({ ...OIDC, scopes: ["email"] }), /^auth\.scopes: found no openid/);
    });
  });

  describe("of type github", () => {
    it("request organizations and teams only if groups decide, whatever their case", () => {
      const { scope, manage_groups } = hubOf(GITHUB).config.GitHubOAuthenticator;
      assert.deepEqual([scope, manage_groups], [[], undefined]);
      assert.doesNotMatch(scriptOf(GITHUB), /organizations/);
      const byGroup = { ...GITHUB, allowedGroups: ["Acme", "acme:Data"] };
      const {
        scope: scopes,
        allowed_groups,
        populate_teams_in_auth_state: teams,
      } = hubOf(byGroup).config.GitHubOAuthenticator;
      assert.deepEqual([scopes, allowed_groups, teams], [["read:org"], ["acme", "acme:data"], true]);
      assert.match(scriptOf(byGroup), /user\/orgs/);
    });

    it("reject what is no organization or team, and plain http outside development", () => {
      assert.match(
        only({ ...GITHUB, allowedGroups: ["acme", "acme/data"] }),
        /^auth\.allowedGroups\[1\]: .*such as acme:data/,
      );
      assert.match(only({ ...GITHUB, url: "http://github.acme.com" }), /^auth\.url: .*a URL with https/);
      assert.deepEqual(faultsOf({ auth: { ...GITHUB, url: "http://localhost:3000" } }, { stack: "dev" }), []);
      assert.equal(
        hubOf({ ...GITHUB, url: "https://github.acme.com" }).config.GitHubOAuthenticator.github_url,
        "https://github.acme.com",
      );
    });
  });

  describe("of type ldap", () => {
    const traitsOf = (auth: object, stack?: string): any => hubOf(auth, stack).config.LDAPAuthenticator;

    it("check certificates, and look users and groups up with an account", () => {
      const { tls_strategy, tls_kwargs, lookup_dn, lookup_dn_search_user, user_search_base, ...rest } = traitsOf(LDAP);
      assert.deepEqual([tls_strategy, tls_kwargs], ["before_bind", { validate: 2 }]);
      assert.deepEqual(
        [lookup_dn, lookup_dn_search_user, user_search_base, rest.lookup_dn_user_dn_attribute],
        [true, "cn=hub,dc=acme", "ou=people,dc=acme", "uid"],
      );
      assert.deepEqual(
        [rest.manage_groups, rest.allow_existing_users, rest.auth_refresh_age, rest.refresh_pre_spawn],
        [true, false, 300, true],
      );
      const ca = "-----BEGIN CERTIFICATE-----\nA\n-----END CERTIFICATE-----";
      const { tls_kwargs: trusts, tls_strategy: ldaps } = traitsOf({ ...LDAP, tls: "ldaps", ca });
      assert.deepEqual([ldaps, trusts], ["on_connect", { validate: 2, ca_certs_data: ca }]);
      assert.deepEqual(secretsOf(LDAP), { LDAPAuthenticator: { lookup_dn_search_password: CLIENT_SECRET } });
      assert.ok(!JSON.stringify(hubOf(LDAP)).includes(CLIENT_SECRET));
      assert.match(faultsOf({ auth: LDAP }, { secret: false }).join(), /^auth\.lookup\.password: found a plain text/);
    });

    it("read groups by their names", () => {
      const groups = { base: "ou=g,dc=acme", filter: "(member={userdn})", attribute: "name" };
      const script = scriptOf({ ...LDAP, groups, userAttribute: "sAMAccountName", allowedGroups: ["Data Team"] });
      for (const line of [
        'NAME = "sAMAccountName"',
        'BASE = "ou=g,dc=acme"',
        'FILTER = "(member={userdn})"',
        'GROUP = "name"',
      ]) {
        assert.ok(script.includes(`    ${line}\n`), line);
      }
      assert.match(script, /ALLOWED_GROUPS = set\(\["Data Team"\]\)/);
    });

    it("work without an account, with a warning", () => {
      const userDn = "uid={username},ou=people,dc=acme";
      const auth = { ...LDAP, lookup: undefined, userDn };
      const { bind_dn_template, lookup_dn } = traitsOf(auth);
      assert.deepEqual(
        [bind_dn_template, lookup_dn, secretsOf(auth)],
        [[userDn], undefined, { LDAPAuthenticator: {} }],
      );
      assert.match(warningsOf(auth).join(), /auth\.lookup: found nothing;.*sessionHours: 24/);
      assert.deepEqual(warningsOf(LDAP), []);
    });

    it("reject what can't work or is open", () => {
      assert.match(only({ ...LDAP, lookup: undefined }), /^auth\.lookup: found nothing; expected an account/);
      assert.match(only({ ...LDAP, groups: undefined, allowedGroups: ["data"] }), /^auth\.groups: found nothing/);
      const profiles = { gpu: { displayName: "GPU", allowedGroups: ["ml"] } };
      assert.match(
        faultsOf({ auth: { ...LDAP, groups: undefined }, profiles }).join(),
        /^auth\.groups: .*a profile or a limit name some/,
      );
      assert.match(only({ ...LDAP, tls: "off" }), /^auth\.tls: .*expected starttls or ldaps/);
      const { tls_strategy, tls_kwargs } = traitsOf({ ...LDAP, tls: "off" }, "dev");
      assert.deepEqual([tls_strategy, tls_kwargs], ["insecure", undefined]);
      assert.match(only({ ...LDAP, userDn: "ann" }), /^auth\.userDn: /);
      assert.match(only({ ...LDAP, ca: "file.pem" }), /^auth\.ca: .*certificates in PEM/);
      assert.match(only({ ...LDAP, adminUsers: [] }), /^auth: found no allowed user/);
      assert.match(only({ ...LDAP, allowAll: true }, "prod"), /^auth\.allowAll: /);
    });
  });

  describe("of type custom", () => {
    const OWN = { type: "custom", class: "acme.logins.AcmeAuthenticator" };

    it("use the class, its traits by values and its secrets, with a warning", () => {
      const auth = { ...OWN, secrets: { AcmeAuthenticator: { password: CLIENT_SECRET } } };
      assert.equal(hubOf(auth).config.JupyterHub.authenticator_class, OWN.class);
      assert.deepEqual(secretsOf(auth), { AcmeAuthenticator: { password: CLIENT_SECRET } });
      assert.ok(!JSON.stringify(hubOf(auth)).includes(CLIENT_SECRET));
      assert.match(
        faultsOf({ auth }, { secret: false }).join(),
        /^auth\.secrets\.AcmeAuthenticator\.password: found a plain text/,
      );
      assert.match(
        warningsOf(auth).join(),
        /auth: the class acme\.logins\.AcmeAuthenticator decides alone who may log in/,
      );
    });

    it("reject classes that accept any user outside development", () => {
      for (const name of ["dummy", "jupyterhub.auth.DummyAuthenticator"]) {
        assert.match(only({ ...OWN, class: name }), /^auth\.class: .*expected a class that requires a password/);
        assert.deepEqual(faultsOf({ auth: { ...OWN, class: name } }, { stack: "dev" }), []);
      }
      const values = { hub: { config: { JupyterHub: { authenticator_class: "native" } } } };
      assert.match(
        faultsOf({ values }).join(),
        /authenticator_class: .*a class of your own is auth\.class with type custom/,
      );
    });
  });
});
