import assert from "node:assert/strict";
import { namespaceObjects } from "../../../components/namespaces/plan";
import type { NamespaceConfig, NamespaceKind, PodSecurityLevel } from "../../../components/namespaces/settings";
import { decode, goodWith, kubernetesWith, linesOf, kubernetesIn } from "./fixtures";

const user = (kind: NamespaceKind, config: NamespaceConfig = {}, passes: PodSecurityLevel = "restricted") => ({
  kind,
  config,
  passes,
});
const open = { enabled: true, clientNamespaces: [], clientCidrs: [], cloudMetadata: false };
const of = (kind: string, objects: readonly Record<string, unknown>[]) =>
  objects.find((one) => one["kind"] === kind) as
    { metadata: { labels: Record<string, string> }; spec: Record<string, unknown> } | undefined;
const levels = (...users: Parameters<typeof namespaceObjects>[1]) => {
  const { labels } = of("Namespace", namespaceObjects("x", users))?.metadata ?? { labels: {} };
  return ["enforce", "warn"].map((mode) => labels[`pod-security.kubernetes.io/${mode}`]);
};

describe("the protection of a namespace that the platform creates", () => {
  it("is the strictest level that its users pass, unless another one is configured", () => {
    assert.deepEqual(levels(user("runtimes")), ["restricted", "restricted"]);
    assert.deepEqual(levels(user("runtimes"), user("runtimes", {}, "baseline")), ["baseline", "restricted"]);
    assert.deepEqual(levels(user("runtimes", { podSecurity: "privileged" }), user("runtimes")), [
      "privileged",
      "privileged",
    ]);
    assert.deepEqual(levels(user("jupyterhub", {}, "privileged")), ["privileged", "privileged"]);
  });

  it("isolates runtimes from each other, in all namespaces, and from the role of the node", () => {
    const objects = namespaceObjects("runtimes", [user("runtimes")]);
    assert.equal(of("Namespace", objects)?.metadata.labels["stackyard.dev/runtimes"], "true");
    assert.deepEqual(of("NetworkPolicy", objects)?.spec, {
      podSelector: {},
      policyTypes: ["Ingress", "Egress"],
      ingress: [
        {
          from: [
            { namespaceSelector: { matchExpressions: [{ key: "stackyard.dev/runtimes", operator: "DoesNotExist" }] } },
          ],
        },
      ],
      egress: [
        {
          to: [
            { namespaceSelector: {} },
            { ipBlock: { cidr: "0.0.0.0/0", except: ["169.254.169.254/32"] } },
            { ipBlock: { cidr: "::/0", except: ["fd00:ec2::254/128"] } },
          ],
        },
      ],
    });
  });

  it("allows configured clients, and unrestricted egress if that is configured", () => {
    const networkPolicy = { ...open, clientNamespaces: ["ingress"], clientCidrs: ["10.0.0.0/16"], cloudMetadata: true };
    const spec = of("NetworkPolicy", namespaceObjects("ray", [user("ray", { networkPolicy })]))?.spec;
    assert.deepEqual(spec, {
      podSelector: {},
      policyTypes: ["Ingress"],
      ingress: [
        {
          from: [
            { podSelector: {} },
            { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "ingress" } } },
            { ipBlock: { cidr: "10.0.0.0/16" } },
          ],
        },
      ],
    });
  });

  it("closes the ports that no user opens to other namespaces, unless clients are configured", () => {
    const ray = (...openPorts: number[]) => ({ ...user("ray"), openPorts });
    const ingress = (...users: Parameters<typeof namespaceObjects>[1]) =>
      of("NetworkPolicy", namespaceObjects("ray", users))?.spec["ingress"];
    const others = {
      namespaceSelector: { matchExpressions: [{ key: "stackyard.dev/runtimes", operator: "DoesNotExist" }] },
    };
    assert.deepEqual(ingress(ray(8080), ray(9090, 8080)), [
      { from: [{ podSelector: {} }] },
      { from: [others], ports: [8080, 9090].map((port) => ({ port, protocol: "TCP" })) },
    ]);
    assert.deepEqual(ingress(ray(8080), user("team")), [{ from: [{ podSelector: {} }, others] }]);
    const networkPolicy = { ...open, clientNamespaces: ["web"] };
    assert.deepEqual(ingress({ ...user("ray", { networkPolicy }), openPorts: [8080] }), [
      { from: [{ podSelector: {} }, { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "web" } } }] },
    ]);
  });

  it("has no NetworkPolicy by default for components that include one, and none if it is disabled", () => {
    const has = (...users: Parameters<typeof namespaceObjects>[1]) =>
      of("NetworkPolicy", namespaceObjects("x", users)) !== undefined;
    for (const kind of ["bundles", "teraslice", "jupyterhub"] as const) assert.equal(has(user(kind)), false, kind);
    assert.equal(has(user("bundles", { networkPolicy: open })), true);
    assert.equal(has(user("runtimes", { networkPolicy: { ...open, enabled: false } })), false);
  });

  it("may include a quota and limits", () => {
    const limits = { default: { cpu: 1 } };
    const objects = namespaceObjects("x", [user("ray", { quota: { pods: 5 }, limits })]);
    assert.deepEqual(of("ResourceQuota", objects)?.spec, { hard: { pods: 5 } });
    assert.deepEqual(of("LimitRange", objects)?.spec, { limits: [{ type: "Container", default: { cpu: 1 } }] });
  });
});

describe("the config of namespaces", () => {
  const created = (more: object) => kubernetesWith({ createNamespace: true, ...more });

  it("has defaults, and is passed on with the provisioner", () => {
    const config = decode(created({ networkPolicy: {}, quota: { pods: 5 } }));
    assert.deepEqual(kubernetesIn(config, "dedicated").namespace, { networkPolicy: open, quota: { pods: 5 } });
  });

  it("rejects invalid values, each with its path", () => {
    const wrong = { podSecurity: "strict", networkPolicy: { clientCidrs: ["10.0.0.0"] }, quota: { pods: "many" } };
    assert.deepEqual(linesOf(created(wrong)), [
      'provisioners.dedicated.spec.podSecurity: found "strict"; expected restricted or baseline or privileged',
      'provisioners.dedicated.spec.networkPolicy.clientCidrs[0]: found "10.0.0.0"; expected addresses such as 10.0.0.0/16',
      'provisioners.dedicated.spec.quota.pods: found "many"; expected a quantity such as 500m, 4 or 16Gi',
    ]);
  });

  it("is rejected for a namespace that the platform does not create", () => {
    assert.deepEqual(linesOf(kubernetesWith({ podSecurity: "baseline" })), [
      'provisioners.dedicated.spec.podSecurity: found "baseline"; expected nothing, because the platform does not make this namespace; set createNamespace: true',
    ]);
  });

  it("must be the same for all users of a namespace", () => {
    const ray = { main: { mode: "static", namespace: "runtimes", podSecurity: "privileged" } };
    const config = created({ podSecurity: "baseline" });
    assert.deepEqual(linesOf(goodWith({ ...config, ray })), [
      'provisioners.dedicated.spec.podSecurity: found "baseline"; expected the same as at ray.main.podSecurity, about the same namespace',
    ]);
  });

  it("is refused where the API server would refuse its quota or limits", () => {
    const faults = (more: object) => linesOf(goodWith({ teams: { data: more } }));
    const limits = { min: { cpu: "500m" }, default: { cpu: "2", memory: "1Gi" }, max: { cpu: 1, memory: "1Gi" } };
    assert.deepEqual(faults({ limits }), [
      'teams.data.limits.default.cpu: found "2"; expected at most max, which is 1',
    ]);
    const request = { default: { memory: "1000Mi" }, defaultRequest: { memory: "1Gi" } };
    assert.match(
      faults({ limits: request }).join(),
      /limits\.defaultRequest\.memory: .*at most default, which is 1000Mi/,
    );
    assert.match(
      faults({ quota: { "requests.cpuu": 1 } }).join(),
      /quota\["requests\.cpuu"\]: .*did you mean requests\.cpu/,
    );
    assert.match(faults({ limits: { max: { pods: 1 } } }).join(), /limits\.max\.pods: found an unknown resource/);
    const quota = { "requests.nvidia.com/gpu": 4, "count/jobs.batch": 10, "hugepages-2Mi": "1Gi", pods: 5 };
    assert.deepEqual(faults({ quota, limits: { min: { cpu: 1 }, max: { cpu: "1000m" } } }), []);
  });
});
