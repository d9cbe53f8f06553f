import assert from "node:assert/strict";
import { decode, GOOD } from "../config/fixtures";
import { AUTH0, CLIENT_SECRET, faultsOf, HUB, settingsOf } from "./samples";

const only = (changes: Record<string, unknown>, place?: Parameters<typeof faultsOf>[1]): string => {
  const faults = faultsOf(changes, place);
  assert.equal(faults.length, 1, faults.join("\n"));
  assert.ok(!faults[0]?.includes(CLIENT_SECRET));
  return faults[0] ?? "";
};
/** Without any secret, so that faults show what was found. */
const PLAIN = { auth: { type: "dummy" } };
const DEV = { stack: "dev", secret: false };
const auth = (changes: object) => ({ auth: { ...AUTH0, ...changes } });

describe("the config of JupyterHub", () => {
  it("is complete with a host, TLS and authentication", () => {
    assert.deepEqual(faultsOf({}), []);
    const { login, service, keepVolumes, metadataBlock, serviceAccount } = settingsOf();
    const { oauth_callback_url: callback, scope } = login.config["Auth0OAuthenticator"] ?? {};
    assert.equal(callback, "https://hub.example.com/hub/oauth_callback");
    assert.deepEqual(scope, ["openid", "email", "profile", "offline_access"]);
    assert.deepEqual(
      [service.type, keepVolumes, metadataBlock, serviceAccount],
      ["LoadBalancer", true, "iptables", "kubespawner"],
    );
  });

  describe("access control", () => {
    it("allows the dummy authenticator only in development stacks", () => {
      const dummy = { auth: { type: "dummy" }, host: undefined, tls: undefined };
      for (const stack of ["dev", "dev-ann"]) assert.deepEqual(faultsOf(dummy, { stack, secret: false }), []);
      for (const stack of ["staging", "prod", "device", "my-dev"]) {
        assert.match(
          only(dummy, { stack, secret: false }),
          /^auth\.type: found "dummy"; expected another type; dummy accepts any user/,
        );
      }
    });

    it("rejects an unknown or missing authentication type", () => {
      const plain = { secret: false };
      const wrong = only({ auth: { type: "auht0" } }, plain);
      assert.match(
        wrong,
        /^auth\.type: found "auht0"; expected auth0 or oidc or github or ldap or custom or dummy; did you mean auth0/,
      );
      assert.match(only({ auth: undefined }, plain), /^auth: found nothing/);
    });

    it("requires at least one user or group", () => {
      assert.match(only(auth({ adminUsers: [] })), /^auth: found no allowed user; expected .*allowedUsers, adminUsers/);
      for (const key of ["allowedUsers", "adminUsers", "allowedGroups", "adminGroups"]) {
        assert.deepEqual(faultsOf(auth({ adminUsers: [], [key]: ["someone"] })), [], key);
      }
    });

    it("rejects a groups claim that Auth0 removes if only groups have access", () => {
      const groups = { adminUsers: [], allowedGroups: ["data"] };
      for (const groupsClaim of ["groups", "roles", "urn:auth0:x", "https://acme.eu.auth0.com/groups"]) {
        assert.match(
          only(auth({ ...groups, groupsClaim })),
          /^auth\.groupsClaim: .*expected a claim that an Auth0 action/,
        );
        // Others get in; so it was, and so it stays.
        assert.deepEqual(faultsOf(auth({ allowedGroups: ["data"], groupsClaim })), []);
      }
      for (const groupsClaim of ["teams", "acme.groups", "https://acme.example/groups", undefined]) {
        assert.deepEqual(faultsOf(auth({ ...groups, groupsClaim })), []);
      }
    });

    it("rejects allowAll in production", () => {
      const all = auth({ adminUsers: [], allowAll: true });
      assert.deepEqual(faultsOf(all), []);
      for (const stack of ["prod", "prod-eu", "production"]) assert.match(only(all, { stack }), /^auth\.allowAll: /);
    });

    it("requires the client secret to be a secret that is not in values", () => {
      assert.match(
        only({}, { secret: false }),
        /^auth\.clientSecret: found a plain text; expected a secret; .*--secret --path/,
      );
      const values = { hub: { config: { Auth0OAuthenticator: { client_secret: CLIENT_SECRET } } } };
      assert.match(only({ values }), /^values\.hub\.config\.Auth0OAuthenticator\.client_secret: .*auth\.clientSecret/);
      const other = { hub: { config: { JupyterHub: { authenticator_class: "dummy" } } } };
      assert.match(only({ values: other }), /authenticator_class: .*auth\.type says it/);
    });

    it("requires the scopes openid and email", () => {
      assert.match(only(auth({ scopes: ["openid"] })), /^auth\.scopes: found no email/);
      assert.match(only(auth({ scopes: ["email"] })), /^auth\.scopes: found no openid/);
    });
  });

  describe("host, TLS and callback", () => {
    it("rejects a callback without https if TLS is on", () => {
      const callback = "http://hub.example.com/hub/oauth_callback";
      assert.match(only(auth({ callback })), /^auth\.callback: .*expected a URL with https, because TLS is on/);
      assert.deepEqual(faultsOf({ ...auth({ callback }), tls: { type: "off" } }), []);
    });

    it("rejects a callback with another host or path", () => {
      assert.match(only(auth({ callback: "https://other.example.com/hub/oauth_callback" })), /a URL with the host hub/);
      assert.match(only(auth({ callback: "https://hub.example.com/" })), /ends in \/hub\/oauth_callback/);
    });

    it("requires a host or a callback", () => {
      const nowhere = { host: undefined, tls: undefined };
      assert.match(only(nowhere), /^host: found nothing; expected a host name, because Auth0/);
      assert.deepEqual(faultsOf({ ...nowhere, ...auth({ callback: "http://localhost:8000/hub/oauth_callback" }) }), []);
    });

    it("requires a TLS type for a host, and the fields of that type", () => {
      assert.match(only({ tls: {} }), /^tls\.type: found nothing; expected letsencrypt, secret, offload or off/);
      assert.match(only({ tls: { type: "letsencrypt" } }), /^tls\.email: /);
      assert.match(only({ tls: { type: "secret" } }), /^tls\.secretName: /);
    });
  });

  it("rejects values that the chart does not know or that conflict", () => {
    assert.match(
      only({ ...PLAIN, values: { singelUser: {} } }, DEV),
      /^values\.singelUser: found an unknown key; .*did you mean singleuser/,
    );
    const open = { networkPolicy: { egressAllowRules: { cloudMetadataServer: true } } };
    assert.match(
      only({ values: { singleuser: open } }),
      /not both a block of the metadata server by iptables and a rule/,
    );
    assert.deepEqual(faultsOf({ metadataBlock: "nothing", values: { singleuser: open } }), []);
    const block = { cloudMetadata: { blockWithIptables: true } };
    assert.match(only({ metadataBlock: "nothing", values: { singleuser: block } }), /not both/);
  });

  it("requires the fields of its storage type and rejects those of other types", () => {
    assert.match(only({ storage: { type: "static" } }), /^storage\.claim: found nothing/);
    assert.match(
      only({ ...PLAIN, storage: { claim: "homes" } }, DEV),
      /^storage\.claim: found "homes"; expected no claim, because the type is dynamic/,
    );
    assert.match(only({ storage: { type: "none", storageClass: "gp3" } }), /^storage\.storageClass: /);
    assert.deepEqual(faultsOf({ storage: { type: "static", claim: "homes" } }), []);
  });

  it("rejects images without a fixed tag or digest", () => {
    for (const image of ["a/b", "a/b:latest", "a/b:", "A/b:1"]) assert.match(only({ image }), /^image: /);
    assert.match(only({ ...PLAIN, image: "a/b:latest" }, DEV), /latest can change at any time/);
    const digest = `a/b@sha256:${"0".repeat(64)}`;
    for (const image of ["a:1", "r.example.com:5000/a/b:v1.2_3", digest]) assert.deepEqual(faultsOf({ image }), []);
  });

  it("rejects notebooks that could never start, and ranges that are none", () => {
    const plain = (more: object): string => only({ ...PLAIN, ...more }, DEV);
    assert.match(plain({ cpu: 4, cpuLimit: 1 }), /^cpuLimit: found 1; expected at least the request, 4/);
    assert.match(plain({ memoryLimitGb: 0.5 }), /^memoryLimitGb: found 0\.5; expected at least the request, 1/);
    const profiles = { small: { displayName: "Small" }, large: { displayName: "Large", cpu: 4, cpuLimit: 2 } };
    assert.match(plain({ profiles }), /^profiles\.large\.cpuLimit: found 2/);
    const notebookLimits = { perUser: { cpu: 2, gpus: 0 } };
    const gpu = { gpu: { displayName: "GPU", gpus: 1 } };
    assert.match(plain({ notebookLimits, cpu: 4 }), /^cpu: found 4; expected at most notebookLimits\.perUser\.cpu, 2/);
    assert.match(plain({ notebookLimits, profiles: gpu }), /^profiles\.gpu\.gpus: found 1; .*perUser\.gpus, 0/);
    assert.match(plain({ egress: ["10.0.0.0/33"] }), /^egress\[0\]: found "10\.0\.0\.0\/33"; expected a CIDR/);
    const tolerations = [{ key: "gpu", operator: "Exists", value: "yes" }];
    assert.match(plain({ tolerations }), /^tolerations\[0\]\.value: .*operator is Exists/);
    assert.match(plain({ nodeSelector: { "a b": "c" } }), /^nodeSelector\["a b"\]: .*the name of a label/);
  });

  it("has one default profile, the first unless another is marked", () => {
    const profiles = (chosen: object) => ({
      profiles: { a: { displayName: "A" }, b: { displayName: "B", ...chosen } },
    });
    const defaults = (chosen: object) =>
      Object.values(settingsOf(profiles(chosen)).profiles).map(({ isDefault }) => isDefault);
    assert.deepEqual(defaults({}), [true, false]);
    assert.deepEqual(defaults({ default: true }), [false, true]);
    const both = { a: { displayName: "A", default: true }, b: { displayName: "B", default: true } };
    assert.match(only({ profiles: both }), /^profiles\.b\.default: .*because a is the default one/);
  });

  it("requires its chart if enabled, and states the consequences if disabled", () => {
    const decoded = (changes: object) =>
      decode({ ...GOOD, jupyterhub: { ...HUB, ...changes } }, { secretKeys: new Set(["jupyterhub"]) });
    const on = decoded({ optional: true });
    assert.deepEqual(
      on.charts.wanted.map(({ chart, optional }) => [chart, optional]),
      [["jupyterhub", true]],
    );
    assert.deepEqual(on.disabled, []);
    const off = decoded({ enabled: false });
    assert.deepEqual([off.jupyterhub, off.charts.wanted], [undefined, []]);
    assert.match(off.disabled[0]?.consequences ?? "", /the namespace jupyterhub stays with the users' disks/);
  });

  it("requires a cluster and reports all faults at once", () => {
    const without = { ...GOOD, cluster: undefined };
    const shared = { provisioners: { shared: GOOD.provisioners.shared }, environments: {} };
    const values = {
      ...without,
      ...shared,
      ledger: "postgres://h/d",
      jupyterhub: { ...HUB, image: "x", namespace: "A" },
    };
    assert.throws(
      () => decode(values),
      ({ message }: Error) => /jupyterhub\.image.*[\s\S]*jupyterhub\.namespace|namespace[\s\S]*image/.test(message),
    );
    const right = { ...values, jupyterhub: HUB };
    assert.throws(
      () => decode(right, { secretKeys: new Set(["jupyterhub"]) }),
      /stackyard:cluster: found nothing; expected a cluster, because JupyterHub/,
    );
  });
});
