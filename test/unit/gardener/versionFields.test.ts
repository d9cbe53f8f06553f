import assert from "node:assert/strict";
import { load } from "js-yaml";
import { oidcOf } from "../../../kubernetes/gardener/authentication";
import { asDescribed, forVersion } from "../../../kubernetes/gardener/versionFields";
import { at, textAt, type KubeObject } from "../../../kubernetes/objects/objects";
import type { ClusterRequest } from "../../../components/runtime/request/cluster/shape";
import { shootOf } from "../../../components/runtime/types/gardener/shoot/shoot";
import { GCP } from "./clusters";

const OIDC = {
  clientID: "kyma",
  groupsClaim: "groups",
  issuerURL: "https://issuer.example.com",
  signingAlgs: ["RS256", "ES256"],
  usernameClaim: "sub",
  usernamePrefix: "-",
};
const DNS = {
  domain: "acme.example.com",
  providers: [{ primary: true, secretName: "route53", type: "aws-route53" }],
};

function described(kubernetesVersion: string, request: ClusterRequest = {}, kind = "SecretBinding"): KubeObject {
  const binding = { kind: kind as "SecretBinding", name: "account" };
  const options = { name: "acme", namespace: "garden-rill", binding, runtimeId: "acme", hibernated: false };
  return shootOf({ ...GCP, kubernetesVersion, ...request }, options) as KubeObject;
}

const shootFor = (version: string, request: ClusterRequest = {}) => forVersion(described(version, request)).shoot;

const apiServer = (shoot: KubeObject) => at(shoot, "spec", "kubernetes", "kubeAPIServer");

describe("a Shoot for a version of Kubernetes", () => {
  it("uses cloudProfileName and a SecretBinding before 1.34, then cloudProfile and a CredentialsBinding", () => {
    const namesOf = (version: string) => {
      const { cloudProfileName, cloudProfile, secretBindingName, credentialsBindingName } = shootFor(version)[
        "spec"
      ] as Record<string, unknown>;
      return { cloudProfileName, cloudProfile, secretBindingName, credentialsBindingName };
    };
    assert.deepEqual(namesOf("1.33.4"), {
      cloudProfileName: "gcp",
      cloudProfile: undefined,
      secretBindingName: "account",
      credentialsBindingName: undefined,
    });
    const cloudProfile = { kind: "CloudProfile", name: "gcp" };
    for (const version of ["1.34", "1.34.3", "1.36.0"]) {
      assert.deepEqual(namesOf(version), {
        cloudProfileName: undefined,
        cloudProfile,
        secretBindingName: undefined,
        credentialsBindingName: "account",
      });
    }
  });

  it("uses the CredentialsBinding of its provisioner with every version", () => {
    const { shoot } = forVersion(described("1.32.8", {}, "CredentialsBinding"));
    assert.deepEqual(
      ["secretBindingName", "credentialsBindingName"].map((key) => at(shoot, "spec", key)),
      [undefined, "account"],
    );
  });

  it("omits fields that Gardener removed by that version", () => {
    const keysOf = (version: string) =>
      Object.keys(at(shootFor(version, { allowPrivilegedContainers: true }), "spec", "kubernetes") as object);
    assert.deepEqual(keysOf("1.24.3"), ["version", "enableStaticTokenKubeconfig", "allowPrivilegedContainers"]);
    assert.deepEqual(keysOf("1.26.1"), ["version", "enableStaticTokenKubeconfig"]);
    assert.deepEqual(keysOf("1.33.4"), ["version"]);
  });

  it("configures OIDC in a ConfigMap since 1.32", () => {
    assert.deepEqual(apiServer(shootFor("1.31.12", { oidcConfig: OIDC })), { oidcConfig: OIDC });
    const { shoot, configMap } = forVersion(described("1.33.4", { oidcConfig: OIDC }));
    assert.deepEqual(apiServer(shoot), { structuredAuthentication: { configMapName: "acme-authentication" } });
    assert.deepEqual(load(textAt(configMap, "data", "config.yaml") ?? ""), {
      apiVersion: "apiserver.config.k8s.io/v1beta1",
      kind: "AuthenticationConfiguration",
      jwt: [
        {
          issuer: { url: "https://issuer.example.com", audiences: ["kyma"] },
          claimMappings: { username: { claim: "sub", prefix: "" }, groups: { claim: "groups", prefix: "" } },
        },
      ],
    });
  });

  it("configures many OIDC providers in the order of the request, and describes them again", () => {
    const additionalOidcConfig = [
      { ...OIDC, issuerURL: "https://b.example.com", groupsPrefix: "b:" },
      { ...OIDC, issuerURL: "https://c.example.com", requiredClaims: { team: "c" } },
    ];
    for (const request of [{ oidcConfig: OIDC, additionalOidcConfig }, { additionalOidcConfig }]) {
      const wanted = described("1.33.4", request);
      const { shoot, configMap } = forVersion(wanted);
      assert.deepEqual(apiServer(shoot), { structuredAuthentication: { configMapName: "acme-authentication" } });
      const jwt = at(load(textAt(configMap, "data", "config.yaml") ?? ""), "jwt") as readonly object[];
      assert.deepEqual(
        jwt.map((one) => textAt(one, "issuer", "url")),
        [...("oidcConfig" in request ? [OIDC] : []), ...additionalOidcConfig].map(({ issuerURL }) => issuerURL),
      );
      assert.deepEqual(clean(asDescribed({ shoot, configMap }, wanted)), clean(wanted));
      assert.equal(forVersion(wanted, { shoot, configMap }).configMap, undefined);
    }
  });

  it("configures the prefix of groups and the claims that tokens must have", () => {
    const oidcConfig = { ...OIDC, groupsPrefix: "acme:", requiredClaims: { team: "platform" } };
    assert.deepEqual(apiServer(shootFor("1.31.12", { oidcConfig })), { oidcConfig });
    const { configMap } = forVersion(described("1.33.4", { oidcConfig }));
    const jwt = at(load(textAt(configMap, "data", "config.yaml") ?? ""), "jwt", 0);
    assert.equal(at(jwt, "claimMappings", "groups", "prefix"), "acme:");
    assert.deepEqual(at(jwt, "claimValidationRules"), [{ claim: "team", requiredValue: "platform" }]);
  });

  it("gives user names the prefix that kube-apiserver would use", () => {
    const prefixOf = (oidc: object) => {
      const { configMap } = forVersion(described("1.33.4", { oidcConfig: { ...OIDC, ...oidc } }));
      const config = load(textAt(configMap, "data", "config.yaml") ?? "");
      return at(config, "jwt", 0, "claimMappings", "username", "prefix");
    };
    assert.equal(prefixOf({ usernamePrefix: "oidc:" }), "oidc:");
    assert.equal(prefixOf({ usernamePrefix: undefined }), "https://issuer.example.com#");
    assert.equal(prefixOf({ usernamePrefix: undefined, usernameClaim: "email" }), "");
  });

  it("restricts access to the EU by an annotation before 1.32, then by an access restriction", () => {
    const seen = (version: string) => {
      const shoot = shootFor(version, { euAccess: true });
      const annotation = shoot.metadata.annotations?.["support.gardener.cloud/eu-access-for-cluster-nodes"];
      return [annotation, at(shoot, "spec", "accessRestrictions")];
    };
    assert.deepEqual(seen("1.31.12"), ["true", undefined]);
    const options = { "support.gardener.cloud/eu-access-for-cluster-nodes": "true" };
    assert.deepEqual(seen("1.32.8"), [undefined, [{ name: "eu-access-only", options }]]);
  });

  it("references the Secrets of DNS providers since 1.35", () => {
    const providerOf = (version: string) => at(shootFor(version, { dnsConfig: DNS }), "spec", "dns", "providers", 0);
    const common = { primary: true, type: "aws-route53", domains: { include: ["acme.example.com"] } };
    assert.deepEqual(providerOf("1.34.3"), { ...common, secretName: "route53" });
    const credentialsRef = { apiVersion: "v1", kind: "Secret", name: "route53" };
    assert.deepEqual(providerOf("1.35.2"), { ...common, credentialsRef });
  });

  it("keeps newer fields of the existing Shoot", () => {
    const live = described("1.33.4");
    const spec = {
      ...(live["spec"] as object),
      credentialsBindingName: "account",
      cloudProfile: { kind: "NamespacedCloudProfile", name: "gcp" },
      accessRestrictions: [{ name: "eu-access-only" }],
    };
    const { shoot } = forVersion(described("1.33.4", { euAccess: true }), { shoot: { ...live, spec } });
    const { secretBindingName, ...rest } = shoot["spec"] as Record<string, unknown>;
    assert.equal(secretBindingName, undefined);
    assert.equal(rest["credentialsBindingName"], "account");
    assert.deepEqual(rest["cloudProfile"], { kind: "NamespacedCloudProfile", name: "gcp" });
    assert.deepEqual(rest["accessRestrictions"], [{ name: "eu-access-only" }]);
  });

  it("writes no ConfigMap if an existing one of any name has the same content", () => {
    const wanted = described("1.33.4", { oidcConfig: OIDC });
    const { shoot, configMap } = forVersion(wanted);
    assert.equal(forVersion(wanted, { shoot, configMap }).configMap, undefined);
    const other = JSON.parse(JSON.stringify(shoot).replace("acme-authentication", "team-oidc")) as KubeObject;
    const again = forVersion(wanted, { shoot: other, configMap });
    assert.equal(again.configMap, undefined);
    assert.deepEqual(apiServer(again.shoot), { structuredAuthentication: { configMapName: "team-oidc" } });
    const changed = described("1.33.4", { oidcConfig: { ...OIDC, clientID: "other" } });
    assert.equal(forVersion(changed, { shoot: other, configMap }).configMap?.metadata.name, "acme-authentication");
  });
});

describe("a live Shoot as the product describes it", () => {
  for (const version of ["1.31.12", "1.33.4", "1.34.3", "1.35.2"]) {
    it(`equals the applied Shoot with Kubernetes ${version}`, () => {
      const wanted = described(version, { oidcConfig: OIDC, dnsConfig: DNS, euAccess: true });
      assert.deepEqual(clean(asDescribed(forVersion(wanted), wanted)), clean(wanted));
    });
  }

  it("keeps fields that the product cannot describe", () => {
    const { shoot } = forVersion(described("1.35.2", { dnsConfig: DNS, oidcConfig: OIDC }));
    const credentialsRef = { apiVersion: "security.gardener.cloud/v1alpha1", kind: "WorkloadIdentity", name: "dns" };
    const providers = [{ type: "aws-route53", credentialsRef }];
    const accessRestrictions = [{ name: "other" }];
    const live = { ...shoot, spec: { ...(shoot["spec"] as object), dns: { providers }, accessRestrictions } };
    const seen = asDescribed({ shoot: live });
    assert.deepEqual(at(seen, "spec", "dns", "providers"), providers);
    assert.deepEqual(at(seen, "spec", "accessRestrictions"), accessRestrictions);
    assert.deepEqual(apiServer(seen), apiServer(live));
  });

  it("reads OIDC settings from a ConfigMap only if oidcConfig can express them", () => {
    const { configMap } = forVersion(described("1.33.4", { oidcConfig: OIDC }));
    assert.deepEqual(oidcOf(configMap!), [{ ...OIDC, signingAlgs: ["RS256"] }]);
    assert.deepEqual(oidcOf(configMap!, [OIDC]), [OIDC]);
    const text = textAt(configMap, "data", "config.yaml") ?? "";
    const withRule = `${text}    claimValidationRules:\n      - expression: claims.hd == 'acme'\n`;
    assert.equal(oidcOf({ ...configMap!, data: { "config.yaml": withRule } }), undefined);
    for (const data of [{}, { "config.yaml": "{" }]) assert.equal(oidcOf({ ...configMap!, data }), undefined);
  });
});

/** Without undefined fields, as JSON. */
const clean = (shoot: KubeObject): unknown => JSON.parse(JSON.stringify(shoot));
