import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { load } from "js-yaml";
import { CHARTS } from "../../../components/charts/table";
import { compact, mergeValues, type Values } from "../../../foundation/json/merge";
import { planSecret, planValues, type ResolvedValues } from "../../../components/jupyterhub/plan";
import { splitImage } from "../../../foundation/registry/image";
import { AUTH0, CLIENT_SECRET, GITHUB, settingsOf } from "./samples";

const root = join(__dirname, "../../..");
const TOKENS = { cookieSecret: "c".repeat(64), cryptKey: "k".repeat(64) };
const RAY = {
  address: "ray://main-ray-head-svc.ray:10001",
  dashboard: "http://main-ray-head-svc.ray:8265",
  gcs: "main-ray-head-svc.ray:6379",
  namespace: "ray",
  image: "rayproject/ray:2.60.0-py312-cpu",
};

/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-return --
   Helm values are read all over */
const planned = (changes: Record<string, unknown> = {}, around: Partial<ResolvedValues> = {}): any =>
  planValues(settingsOf(changes), { secretChecksum: "sum", ...around });

describe("the values of JupyterHub", () => {
  it("configure Auth0 and contain no secret", () => {
    const { hub } = planned({ auth: { ...AUTH0, allowedUsers: ["bob@example.com"] } }).jupyterhub;
    const { KubeSpawner, ...login } = hub.config;
    assert.ok(KubeSpawner);
    assert.deepEqual(login, {
      JupyterHub: { authenticator_class: "auth0", cookie_max_age_days: 1 },
      Auth0OAuthenticator: {
        auth0_domain: "acme.eu.auth0.com",
        client_id: "client",
        oauth_callback_url: "https://hub.example.com/hub/oauth_callback",
        scope: ["openid", "email", "profile", "offline_access"],
        username_claim: "email",
        allowed_users: ["bob@example.com"],
        admin_users: ["ann@example.com"],
        enable_auth_state: true,
        auth_refresh_age: 300,
        refresh_pre_spawn: true,
      },
    });
    assert.ok(!JSON.stringify(planned()).includes(CLIENT_SECRET));
    assert.equal(hub.existingSecret, "jupyterhub-stackyard");
    assert.deepEqual(hub.annotations, { "stackyard.dev/secret": "sum" });
  });

  it("read groups from the claim if groups are used", () => {
    const hubWith = (more: object) => planned({ auth: { ...AUTH0, allowedGroups: ["data"], ...more } }).jupyterhub.hub;
    const { config, extraConfig } = hubWith({ groupsClaim: 'https://acme.example/"groups"' });
    const { manage_groups, allowed_groups, admin_groups } = config.Auth0OAuthenticator;
    assert.deepEqual([manage_groups, allowed_groups, admin_groups], [true, ["data"], []]);
    assert.ok(
      extraConfig["stackyard-login"].includes(
        'name = auth_state[self.user_auth_state_key], "https://acme.example/\\"groups\\""',
      ),
    );
    assert.match(String(hubWith({}).extraConfig["stackyard-login"]), /"https:\/\/stackyard\.dev\/groups"/);
    assert.doesNotMatch(String(planned().jupyterhub.hub.extraConfig["stackyard-login"]), /get_user_groups/);
  });

  it("let any user in with the dummy authenticator", () => {
    const settings = settingsOf({ auth: { type: "dummy" } }, { stack: "dev", secret: false });
    const { config } = (planValues(settings, { secretChecksum: "" }) as any).jupyterhub.hub;
    assert.deepEqual(config.JupyterHub, { authenticator_class: "dummy" });
    assert.equal(config.DummyAuthenticator.allow_all, true);
  });

  it("mount no service account token in notebooks", () => {
    const { config } = planned().jupyterhub.hub;
    assert.equal(config.KubeSpawner.automount_service_account_token, false);
  });

  it("give a notebook the whole start timeout to answer", () => {
    const { hub, singleuser } = planned({ startTimeoutSeconds: 900 }).jupyterhub;
    assert.deepEqual([singleuser.startTimeout, hub.config.KubeSpawner.http_timeout], [900, 900]);
  });

  it("give notebooks the Ray addresses and open the network policy for them", () => {
    const { extraEnv, networkPolicy } = planned({ environment: { MINE: "1" } }, { ray: RAY }).jupyterhub.singleuser;
    assert.deepEqual(extraEnv, { RAY_ADDRESS: RAY.address, RAY_API_SERVER_ADDRESS: RAY.dashboard, MINE: "1" });
    const [rule, ...others] = networkPolicy.egress;
    assert.deepEqual(others, []);
    assert.deepEqual(rule.to, [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "ray" } } }]);
    assert.deepEqual(
      rule.ports.map(({ port }: { port: number }) => port),
      [10001, 8265, 6379],
    );
    assert.deepEqual(planned().jupyterhub.singleuser.networkPolicy.egress, []);
  });

  it("open private addresses on port 443 only if configured", () => {
    const { egress, egressAllowRules } = planned({ egress: ["10.1.0.0/16"] }).jupyterhub.singleuser.networkPolicy;
    assert.deepEqual(egress, [{ to: [{ ipBlock: { cidr: "10.1.0.0/16" } }], ports: [{ protocol: "TCP", port: 443 }] }]);
    assert.deepEqual(egressAllowRules, { cloudMetadataServer: false });
  });

  it("block the metadata server as configured, never in two ways at once", () => {
    const block = (metadataBlock: string) => {
      const { cloudMetadata, networkPolicy } = planned({ metadataBlock }).jupyterhub.singleuser;
      return [cloudMetadata.blockWithIptables, networkPolicy.egressAllowRules.cloudMetadataServer];
    };
    assert.deepEqual(block("iptables"), [true, false]);
    assert.deepEqual(block("networkPolicy"), [false, false]);
    assert.deepEqual(block("nothing"), [false, true]);
  });

  it("keep the common settings of notebooks in every profile", () => {
    const toleration = { key: "dedicated", value: "gpu", effect: "NoSchedule" };
    const gpu = { displayName: "GPU", image: "a/b:1", cpu: 4, memoryGb: 16, gpus: 1, environment: { MODE: "gpu" } };
    const profiles = {
      small: { displayName: "Small" },
      gpu: { ...gpu, nodeSelector: { dedicated: "gpu" }, tolerations: [toleration] },
    };
    const [small, large] = planned({ profiles, environment: { ALL: "1" } }, { ray: RAY }).jupyterhub.singleuser
      .profileList;
    assert.deepEqual(small, { slug: "small", display_name: "Small", default: true, kubespawner_override: {} });
    const { tolerations, environment, ...override } = large.kubespawner_override;
    assert.deepEqual(override, {
      image: "a/b:1",
      cpu_guarantee: 4,
      mem_guarantee: "16G",
      extra_resource_limits: { "nvidia.com/gpu": "1" },
      node_selector: { dedicated: "gpu" },
    });
    assert.deepEqual(tolerations.at(-1), toleration);
    assert.equal(tolerations.length, 3, "those of all user pods too");
    assert.deepEqual(environment, {
      RAY_ADDRESS: RAY.address,
      RAY_API_SERVER_ADDRESS: RAY.dashboard,
      ALL: "1",
      MODE: "gpu",
    });
  });

  it("show profiles to groups, for which the hub reads groups", () => {
    const hubWith = (allowedGroups: readonly string[], auth: object = AUTH0) =>
      planned({ auth, profiles: { small: { displayName: "Small" }, gpu: { displayName: "GPU", allowedGroups } } })
        .jupyterhub.hub;
    const { config, extraConfig } = hubWith(["ML Team"]);
    assert.match(String(extraConfig["stackyard-profiles"]), /profile_list, \{"gpu":\["ML Team"\]\}\)/);
    assert.match(String(extraConfig["stackyard-login"]), /get_user_groups/);
    const { manage_groups, allowed_groups } = config.Auth0OAuthenticator;
    assert.deepEqual([manage_groups, allowed_groups], [true, []]);
    assert.equal(hubWith([]).extraConfig["stackyard-profiles"], undefined);
    const github = hubWith(["Acme:Data"], GITHUB);
    assert.match(String(github.extraConfig["stackyard-profiles"]), /"acme:data"/);
    assert.deepEqual(github.config.GitHubOAuthenticator.scope, ["read:org"]);
  });

  it("limit notebooks of users and groups by what they reserve", () => {
    const profiles = { small: { displayName: "Small" }, gpu: { displayName: "GPU", cpu: 8, gpus: 1, default: true } };
    const notebookLimits = { perUser: { notebooks: 2, cpu: 16 }, perGroup: { "Data Team": { gpus: 4 } } };
    const { hub } = planned({ profiles, cpu: 1, memoryGb: 4, notebookLimits }).jupyterhub;
    const script = String(hub.extraConfig["stackyard-limits"]);
    const small = '{"notebooks":1,"cpu":1,"memoryGb":4,"gpus":0}';
    const gpu = '{"notebooks":1,"cpu":8,"memoryGb":4,"gpus":1}';
    for (const line of [
      `{"small":${small},"gpu":${gpu}}`,
      gpu,
      '{"notebooks":2,"cpu":16}',
      '{"Data Team":{"gpus":4}}',
    ]) {
      assert.ok(script.includes(`    ${line},\n`), `${line}\n${script}`);
    }
    assert.match(String(hub.extraConfig["stackyard-login"]), /get_user_groups/);
    assert.deepEqual([hub.allowNamedServers, hub.namedServerLimitPerUser], [true, 2]);
    const one = planned({ notebookLimits: { perUser: { notebooks: 1 } } }).jupyterhub.hub;
    assert.match(String(one.extraConfig["stackyard-limits"]), /\{"notebooks":1,"cpu":0,"memoryGb":1,"gpus":0\},\n/);
    assert.equal(one.allowNamedServers, undefined);
    assert.equal(planned().jupyterhub.hub.extraConfig["stackyard-limits"], undefined);
  });

  it("configure HTTPS for each TLS type", () => {
    const https = (tls: object) => planned({ tls }).jupyterhub.proxy.https;
    assert.deepEqual(https({ type: "offload" }), { enabled: true, type: "offload", hosts: ["hub.example.com"] });
    assert.deepEqual(https({ type: "letsencrypt", email: "a@b.c" }).letsencrypt, { contactEmail: "a@b.c" });
    assert.deepEqual(https({ type: "secret", secretName: "tls" }).secret, { name: "tls" });
    assert.equal(https({ type: "off" }).enabled, false);
  });

  it("protect the hub's database from deletion by Helm", () => {
    const policy = (userVolumes: string): unknown =>
      planned({ userVolumes }).jupyterhub.hub.db.pvc.annotations["helm.sh/resource-policy"];
    assert.deepEqual([policy("keep"), policy("delete")], ["keep", "keep"]);
  });

  it("use the same storage class for the hub's disk and the users' disks", () => {
    const { hub, singleuser } = planned({ storage: { storageClass: "gp3" } }).jupyterhub;
    assert.equal(hub.db.pvc.storageClassName, "gp3");
    assert.equal(singleuser.storage.dynamic.storageClass, "gp3");
  });

  it("annotate the service account with its role, if it has one", () => {
    assert.deepEqual(planned().serviceAccount, { create: true, name: "kubespawner", annotations: {} });
    const { annotations } = planned({}, { roleArn: "arn:aws:iam::1:role/data" }).serviceAccount;
    assert.equal(annotations["eks.amazonaws.com/role-arn"], "arn:aws:iam::1:role/data");
  });

  it("do not create the service account if data access creates it", () => {
    const settings = { ...settingsOf(), serviceAccountExists: true };
    assert.equal((planValues(settings, { secretChecksum: "" }) as any).serviceAccount.create, false);
  });

  it("stop idle notebooks unless culling is disabled", () => {
    assert.deepEqual(planned({ culling: { idleMinutes: 5, maxAgeHours: 2 } }).jupyterhub.cull, {
      enabled: true,
      timeout: 300,
      every: 600,
      maxAge: 7200,
    });
    assert.deepEqual(planned({ culling: { enabled: false } }).jupyterhub.cull, { enabled: false });
  });

  it("split an image into name and tag without loss", () => {
    for (const image of ["a:1", "r.example.com:5000/a/b:v1", `a/b@sha256:${"0".repeat(64)}`]) {
      assert.equal(splitImage(image).join(":"), image);
    }
  });
});

describe("the hub's Secret", () => {
  it("has the client secret as config of the hub, and the tokens", () => {
    const { "values.yaml": values = "", ...tokens } = planSecret(settingsOf(), TOKENS);
    assert.deepEqual(load(values), { hub: { config: { Auth0OAuthenticator: { client_secret: CLIENT_SECRET } } } });
    assert.deepEqual(Object.values(tokens), [TOKENS.cookieSecret, TOKENS.cryptKey]);
  });
});

describe("merging values", () => {
  const values = fc.letrec((tie) => ({
    leaf: fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.integer(), { maxLength: 3 }),
    ),
    node: fc.dictionary(fc.constantFrom("a", "b", "c"), fc.oneof({ maxDepth: 3 }, tie("leaf"), tie("node")), {
      noNullPrototype: true,
    }),
  })).node as fc.Arbitrary<Values>;
  const leaves = (node: Values, path = ""): [string, unknown][] =>
    Object.entries(node).flatMap(([key, value]) =>
      typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
        ? leaves(value as Values, `${path}.${key}`)
        : [[`${path}.${key}`, value]],
    );
  const isEmptyMap = (value: unknown) => JSON.stringify(value) === "{}";

  it("never loses a value of the user", () => {
    fc.assert(
      fc.property(values, values, (ours, users) => {
        const merged = new Map(leaves(mergeValues(ours, users)));
        for (const [path, value] of leaves(users)) if (!isEmptyMap(value)) assert.deepEqual(merged.get(path), value);
      }),
    );
  });

  it("keeps own values that the user does not override, and changes no input", () => {
    fc.assert(
      fc.property(values, values, (ours, users) => {
        const before = JSON.stringify([ours, users]);
        const merged = leaves(mergeValues(ours, users)).map(([path]) => path);
        for (const [path] of leaves(ours)) {
          const touched = leaves(users).some(
            ([other]) => other === path || path.startsWith(`${other}.`) || other.startsWith(`${path}.`),
          );
          if (!touched) assert.ok(merged.includes(path));
        }
        assert.equal(JSON.stringify([ours, users]), before);
      }),
    );
  });

  it("omits undefined values at any depth", () => {
    assert.deepEqual(compact({ a: undefined, b: { c: undefined, d: null } }), { b: { d: null } });
  });
});

describe("the charts of JupyterHub", () => {
  const yaml = (file: string): any => load(readFileSync(join(root, file), "utf8"));

  it("use the version and the repository of the chart table", () => {
    const { version, repo } = CHARTS.jupyterhub;
    const [dependency] = yaml("charts/jupyterhub/Chart.yaml").dependencies;
    assert.deepEqual(dependency, { name: "jupyterhub", version, repository: repo });
    const double = yaml("test/doubles/charts/jupyterhub/Chart.yaml");
    assert.deepEqual([double.name, double.version], ["jupyterhub", version]);
  });

  it("agree on the service account of notebooks", () => {
    const { serviceAccount, jupyterhub } = yaml("charts/jupyterhub/values.yaml");
    assert.equal(jupyterhub.singleuser.serviceAccountName, serviceAccount.name);
    assert.equal(settingsOf().serviceAccount, serviceAccount.name);
  });
});
