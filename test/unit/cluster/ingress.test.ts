import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PlatformConfig } from "../../../components/platform/config/platformConfig";
import { eks } from "../../../components/eks/feature";
import { efaPluginValues } from "../../../components/efaDevicePlugin/plan";
import { efaDevicePlugin } from "../../../components/efaDevicePlugin/feature";
import { neuronDevicePlugin } from "../../../components/neuronDevicePlugin/feature";
import { gpuDevicePlugin } from "../../../components/gpuDevicePlugin/feature";
import { ingress } from "../../../components/ingress/feature";
import { createFeatures } from "../../../components/platform/create";
import { POLICY_LIMIT, renderDocument } from "../../../components/cluster/serviceAccountRole/document";
import { BUILT_IN_CLASS } from "../../../components/runtime/types/kubernetes/classes";
import { certificateStatements } from "../../../components/ingress/certificates/values";
import { dnsStatements } from "../../../components/ingress/dns/values";
import { loadBalancerStatements } from "../../../components/ingress/loadBalancer/permissions";
import { readOwnState, type StateResources } from "../../../components/resources/ownState";
import { CHART_NAMES } from "../../../components/charts/table";
import { imagesOf } from "../../../components/platform/facts";
import { filesOf, GOOD, decode as decodeWith, linesOf as linesWith } from "../config/fixtures";
import { mock, settled, type Recorder, type Registered } from "../runtime/mocks";
import { answerOf } from "./answers";
import { EKS } from "./config.test";

const ARN = "arn:aws:eks:eu-central-1:123456789012:cluster/acme";
const THERE = { type: "existing", kubeconfig: { inCluster: true } };
const dedicated = GOOD.provisioners.dedicated;
const with_ = (ingress: object | undefined, cluster: object = EKS, rest: object = {}) => ({
  cluster,
  provisioners: { dedicated },
  defaultProvisioner: "dedicated",
  ...(ingress && { ingress }),
  ...rest,
});
const HTTP = (name: string) => `kind: Ingress\nspec:\n  ingressClassName: ${name}\n  rules: []\n`;
const files = filesOf({
  "set.yaml": "apiVersion: apps/v1\nkind: StatefulSet\n",
  "alb.yaml": HTTP("alb"),
  "templated.yaml": HTTP("{{ .Host }}"),
});
const decode = (values: Record<string, unknown>): PlatformConfig => decodeWith(values, {}, files);
const linesOf = (values: Record<string, unknown>): string[] => linesWith(values, {}, files);
function refuses(values: Record<string, unknown>, pattern: RegExp): void {
  const lines = linesOf(values);
  assert.equal(lines.length, 1, lines.join("\n"));
  assert.match(lines[0] ?? "", pattern);
}
const DNS = { zones: ["Z0123456789ABC"], domains: ["eu.example.com"] };

describe("the config of ingress controllers", () => {
  it("adds each controller with its chart by one key", () => {
    const config = decode(
      with_({
        nginx: {},
        awsLoadBalancerController: {},
        externalDns: DNS,
        certManager: { email: "a@example.com", className: "nginx" },
      }),
    );
    assert.deepEqual(
      config.charts.wanted.map(({ chart, component }) => [component, chart]),
      [
        ["ingress.awsLoadBalancerController", "aws-load-balancer-controller"],
        ["ingress.nginx", "ingress-nginx"],
        ["ingress.externalDns", "external-dns"],
        ["ingress.certManager", "cert-manager"],
      ],
    );
    assert.equal(config.ingress?.nginx?.className, "nginx");
    assert.equal(config.ingress.certManager?.className, "nginx");
  });

  it("requires an EKS cluster, created by the platform or not", () => {
    refuses(
      with_({ nginx: {} }, THERE),
      /^cluster\.eks: found nothing; expected name and region of the EKS cluster for nginx/,
    );
    const there = { ...THERE, eks: { name: "old", region: "eu-central-1" } };
    assert.deepEqual(linesOf(with_({ nginx: {} }, there)), []);
    assert.deepEqual(linesOf(with_({ existing: ["nginx"] }, THERE)), []);
  });

  it("rejects two controllers for one class", () => {
    refuses(
      with_({ nginx: {}, awsLoadBalancerController: { className: "nginx" } }),
      /^ingress\.nginx\.className: found "nginx"/,
    );
    refuses(
      with_({ nginx: {}, existing: ["nginx"] }),
      /^ingress\.existing\[0\]: found "nginx"; expected a class that nginx does not make/,
    );
  });

  it("reserves roles and service accounts of controllers, so that data access cannot use them", () => {
    const access = (name: string, namespace: string, account: string) =>
      with_({ nginx: {}, externalDns: DNS }, EKS, {
        dataAccess: { [name]: { serviceAccounts: { [namespace]: [account] } } },
      });
    refuses(access("external-dns", "ray", "a"), /^dataAccess\.external-dns: .*acme-external-dns.*the platform's own/);
    refuses(access("mine", "external-dns", "external-dns"), /^dataAccess\.mine: .*external-dns\/external-dns/);
  });

  it("validates domains by the served class, or by hosted zones", () => {
    const certManager = { email: "a@example.com" };
    const both = { nginx: {}, awsLoadBalancerController: {} };
    assert.equal(decode(with_({ nginx: {}, certManager })).ingress?.certManager?.className, "nginx");
    refuses(
      with_({ ...both, certManager }),
      /^ingress\.certManager\.className: found nothing; expected one of alb, nginx, or hosted zones/,
    );
    assert.deepEqual(linesOf(with_({ ...both, certManager: { ...certManager, zones: DNS.zones } })), []);
    refuses(
      with_({ nginx: {}, externalDns: { zones: ["example.com"] } }),
      /zones\[0\]: found "example\.com"; expected the id of a hosted zone/,
    );
  });

  it("lists the consequences of a disabled controller", () => {
    const { disabled, ingress } = decode(with_({ nginx: { enabled: false }, existing: ["nginx"] }));
    assert.match(disabled[0]?.consequences ?? "", /its load balancer is deleted/);
    assert.equal(ingress?.nginx, undefined);
  });

  it("takes the images of controllers from the mirror", () => {
    const mirror = "registry.example.com/mirror";
    const all = {
      nginx: {},
      awsLoadBalancerController: {},
      externalDns: DNS,
      certManager: { email: "a@example.com", zones: DNS.zones },
    };
    const config = decode(with_(all, EKS, { images: { mirror } }));
    const listed = imagesOf(config).filter(({ component }) => component.startsWith("ingress."));
    assert.equal(listed.length, 9);
    assert.ok(
      listed.every(({ image }) => image.startsWith(`${mirror}/`)),
      JSON.stringify(listed),
    );
    assert.deepEqual(config.ingress?.externalDns?.imageValues, {
      image: { repository: `${mirror}/external-dns/external-dns`, tag: "v0.21.0" },
    });
  });
});

describe("the IngressClass of runtimes", () => {
  const provisioners = (templates: object) => ({
    provisioners: { dedicated: { ...dedicated, spec: { ...dedicated.spec, templates } } },
  });
  const alb = provisioners({ statefulset: "set.yaml", httpIngress: "alb.yaml" });

  it("is rejected if no configured controller serves it", () => {
    refuses(
      with_({ awsLoadBalancerController: {} }),
      /^provisioners\.dedicated\.spec: found runtimes with Ingresses of the class nginx; expected a class that is served; alb is served/,
    );
    refuses(with_({ nginx: {} }, EKS, alb), /the class alb; .*nginx is served; add its controller/);
    assert.deepEqual(linesOf(with_({ awsLoadBalancerController: {} }, EKS, alb)), []);
    assert.deepEqual(linesOf(with_({ existing: ["alb"] }, EKS, alb)), []);
  });

  it("causes a warning on a new cluster without ingress config, but not on an existing cluster", () => {
    const warnings = (values: Record<string, unknown>) =>
      decode(values).warnings.filter((line) => /class nginx/.test(line));
    assert.equal(warnings(with_(undefined)).length, 1);
    assert.deepEqual(warnings(with_(undefined, THERE)), []);
    assert.deepEqual(warnings(with_({ nginx: {} })), []);
  });

  it("is not checked if a template computes it", () => {
    const computed = provisioners({ statefulset: "set.yaml", httpIngress: "templated.yaml" });
    assert.deepEqual(linesOf(with_({ awsLoadBalancerController: {} }, EKS, computed)), []);
  });

  it("matches the class in the built-in templates", () => {
    for (const name of ["http_ingress", "grpc_ingress"]) {
      const text = readFileSync(join(__dirname, "../../../charts/runtime/files", `${name}.yaml`), "utf8");
      assert.match(text, new RegExp(`^  ingressClassName: ${BUILT_IN_CLASS}$`, "m"));
    }
  });
});

describe("GPUs of nodes with Amazon Linux", () => {
  const pool = (more: object = {}) => ({ instanceTypes: ["g6.xlarge"], max: 2, ...more });
  const cluster = (gpu: object) => ({ ...EKS, nodePools: { ...EKS.nodePools, gpu } });

  it("require the device plugin, which Bottlerocket includes", () => {
    const warnings = (values: Record<string, unknown>) =>
      decode(values).warnings.filter((line) => /gpuDevicePlugin/.test(line));
    assert.match(warnings(with_(undefined, cluster(pool())))[0] ?? "", /the nodes of gpu offer no GPUs without it/);
    assert.deepEqual(warnings(with_(undefined, cluster(pool({ os: "bottlerocket" })))), []);
    const on = { gpuDevicePlugin: { enabled: true } };
    assert.deepEqual(decode(with_(undefined, cluster(pool()), on)).gpuDevicePlugin?.pools, ["gpu"]);
    refuses(with_(undefined, EKS, on), /^gpuDevicePlugin: .*no node pool has GPUs and Amazon Linux/);
    assert.deepEqual(warnings(with_(undefined, cluster(pool()), { gpuDevicePlugin: { enabled: false } })), []);
  });
});

describe("the AWS permissions of the controllers", () => {
  const all = {
    loadBalancer: loadBalancerStatements(ARN),
    dns: dnsStatements(ARN, DNS),
    certificates: certificateStatements(ARN, DNS),
  };
  for (const [name, statements] of Object.entries(all)) {
    it(`fit into a policy, and have wildcards only to read and with a reason (${name})`, () => {
      assert.ok(renderDocument(statements, POLICY_LIMIT));
      for (const { resources = [], actions, wildcardReason } of statements.filter(({ resources: some }) =>
        some?.includes("*"),
      )) {
        assert.deepEqual(resources, ["*"]);
        assert.ok(wildcardReason);
        for (const action of actions) assert.match(action, /:(Describe|Get|List)/);
      }
    });
  }

  it("allow changes only to load balancers and security groups of this cluster", () => {
    for (const { sid, conditions, actions } of all.loadBalancer) {
      if (sid?.startsWith("See") || sid === "ServiceLinkedRole" || sid === "MakeSecurityGroups" || sid === "Listeners")
        continue;
      assert.match(JSON.stringify(conditions), /"acme"|cluster\/acme/, `${sid}: ${actions.join()}`);
    }
  });

  it("allow changes only to records of the configured zones", () => {
    for (const statements of [all.dns, all.certificates]) {
      const writes = statements.filter(({ actions }) => actions.includes("route53:ChangeResourceRecordSets"));
      assert.deepEqual(
        writes.map(({ resources }) => resources),
        [["arn:aws:route53:::hostedzone/Z0123456789ABC"]],
      );
    }
  });
});

const ON = { enabled: true };

describe("the component Ingress", function () {
  this.timeout(20_000);
  const outputsOf = ({ type, name, inputs }: Registered): Record<string, unknown> => ({
    arn: type === "aws:eks/cluster:Cluster" ? ARN : `arn:${name}`,
    endpoint: "https://x.eks.amazonaws.com",
    certificateAuthority: { data: "Q0E=" },
    identities: [{ oidcs: [{ issuer: "https://oidc.example.com/id/0" }] }],
    vpcConfig: { vpcId: "vpc-0a" },
    url: inputs["url"] ?? "https://oidc.example.com/id/0",
    resources: [{ autoscalingGroups: [{ name: `asg-${name}` }] }],
    latestVersion: 1,
  });
  async function graph(values: Record<string, unknown>, before: StateResources = {}): Promise<Recorder> {
    const config = decode(values);
    const recorder = mock(outputsOf, (call) => answerOf(call));
    const archives = Object.fromEntries(CHART_NAMES.map((name) => [name, `./charts/${name}.tgz`]));
    const state = readOwnState().then((own) => ({ ...own, ...before }));
    await createFeatures(
      [eks, gpuDevicePlugin, neuronDevicePlugin, efaDevicePlugin, ingress],
      config,
      { archives },
      state,
    );
    await settled(recorder);
    return recorder;
  }
  const release = ({ resources }: Recorder, name: string): Record<string, unknown> =>
    resources.find((one) => one.type.endsWith(":Release") && one.inputs["name"] === name)?.inputs ??
    assert.fail(`no ${name}`);
  const valuesOf = (all: Recorder, name: string) =>
    release(all, name)["values"] as Record<string, Record<string, unknown>>;
  const roles = ({ resources }: Recorder) =>
    resources.flatMap(({ type, name, inputs }) =>
      type === "aws:iam/role:Role" && name.startsWith("ingress") ? [inputs["name"]] : [],
    );

  it("installs the verified charts, each with its own role", async () => {
    const certManager = { email: "a@example.com", zones: DNS.zones };
    const all = await graph(with_({ nginx: {}, awsLoadBalancerController: {}, externalDns: DNS, certManager }));
    assert.deepEqual(roles(all).toSorted(), [
      "acme-aws-load-balancer-controller",
      "acme-cert-manager",
      "acme-external-dns",
    ]);
    const { chart, atomic, namespace } = release(all, "aws-load-balancer-controller");
    assert.deepEqual([chart, atomic, namespace], ["./charts/aws-load-balancer-controller.tgz", true, "kube-system"]);
    const alb = valuesOf(all, "aws-load-balancer-controller");
    assert.deepEqual([alb["clusterName"], alb["region"], alb["vpcId"]], ["acme", "eu-central-1", "vpc-0a"]);
    assert.deepEqual(alb["serviceAccount"]?.["annotations"], {
      "eks.amazonaws.com/role-arn": "arn:ingress-alb-role-role",
    });
    const service = valuesOf(all, "ingress-nginx")["controller"]?.["service"] as Record<string, unknown>;
    assert.equal(service["loadBalancerClass"], "service.k8s.aws/nlb");
    assert.deepEqual(valuesOf(all, "external-dns")["extraArgs"], ["--zone-id-filter=Z0123456789ABC"]);
    const issuer = all.resources.find(({ name }) => name === "ingress-issuer")?.inputs["objects"];
    assert.match(
      JSON.stringify(issuer),
      /"kind":"ClusterIssuer".*"solvers":\[\{"dns01":\{"route53":\{"region":"eu-central-1"\}\}\}\]/,
    );
  });

  it("lets Kubernetes create the load balancer of nginx without the AWS controller", async () => {
    const all = await graph(with_({ nginx: { scheme: "internal" } }));
    const service = valuesOf(all, "ingress-nginx")["controller"]?.["service"] as Record<string, object>;
    assert.deepEqual(service, {
      annotations: {
        "service.beta.kubernetes.io/aws-load-balancer-type": "nlb",
        "service.beta.kubernetes.io/aws-load-balancer-internal": "true",
      },
      externalTrafficPolicy: "Local",
    });
    assert.deepEqual(roles(all), []);
  });

  it("keeps the class of nginx's load balancer, because Kubernetes rejects a new one", async () => {
    const running = (service: object): StateResources => ({
      nginx: {
        type: "kubernetes:helm.sh/v3:Release",
        outputs: { name: "ingress-nginx", namespace: "ingress-nginx", values: { controller: { service } } },
      },
    });
    const classOf = async (ingress: object, before: StateResources): Promise<unknown> => {
      const values = valuesOf(await graph(with_(ingress), before), "ingress-nginx");
      return (values["controller"]?.["service"] as Record<string, unknown>)["loadBalancerClass"];
    };
    const both = { nginx: {}, awsLoadBalancerController: {} };
    assert.equal(await classOf(both, running({})), undefined);
    assert.equal(await classOf(both, {}), "service.k8s.aws/nlb");
    const made = running({ loadBalancerClass: "service.k8s.aws/nlb" });
    assert.equal(await classOf({ nginx: {} }, made), "service.k8s.aws/nlb");
  });

  it("creates associations instead of annotations with Pod Identity, and accepts existing roles", async () => {
    const all = await graph(with_({ nginx: {}, externalDns: DNS }, { ...EKS, identity: "podIdentity" }));
    assert.deepEqual(valuesOf(all, "external-dns")["serviceAccount"]?.["annotations"], {});
    assert.ok(all.resources.some(({ name }) => name === "ingress-dns-role-association/external-dns/external-dns"));
    const roleArn = "arn:aws:iam::123456789012:role/own";
    const own = await graph(with_({ nginx: {}, externalDns: { ...DNS, roleArn } }));
    assert.deepEqual(roles(own), []);
    assert.deepEqual(valuesOf(own, "external-dns")["serviceAccount"]?.["annotations"], {
      "eks.amazonaws.com/role-arn": roleArn,
    });
  });

  it("runs on an existing EKS cluster", async () => {
    const there = { ...THERE, eks: { name: "old", region: "eu-central-1" } };
    const all = await graph(with_({ awsLoadBalancerController: {}, existing: ["nginx"] }, there));
    assert.deepEqual(roles(all), ["old-aws-load-balancer-controller"]);
    assert.equal(valuesOf(all, "aws-load-balancer-controller")["vpcId"], "vpc-0a");
  });

  it("installs the device plugin on the pools that need it", async () => {
    const nodePools = { ...EKS.nodePools, gpu: { instanceTypes: ["g6.xlarge"], max: 2 } };
    const all = await graph(with_(undefined, { ...EKS, nodePools }, { gpuDevicePlugin: { enabled: true } }));
    assert.match(
      JSON.stringify(valuesOf(all, "nvidia-device-plugin")["affinity"]),
      /"stackyard\.dev\/node-pool","operator":"In","values":\["gpu"\]/,
    );
  });

  it("installs the device plugins of Neuron and EFA on the pools that need them, and warns without them", async () => {
    const nodePools = {
      ...EKS.nodePools,
      chips: { instanceTypes: ["trn1.32xlarge"], max: 2 },
      close: { instanceTypes: ["c7gn.16xlarge"], zones: ["eu-central-1a"], placement: "cluster", efa: true, max: 2 },
    };
    const { close, ...others } = nodePools;
    const all = await graph(with_(undefined, { ...EKS, nodePools: others }, { neuronDevicePlugin: ON }));
    const neuron = valuesOf(all, "neuron-device-plugin");
    assert.match(JSON.stringify(neuron["devicePlugin"]?.["affinity"]), /"values":\["chips"\]/);
    assert.deepEqual(neuron["npd"], { enabled: false });
    const [group] = all.resources.filter(({ type, name }) => type.endsWith(":NodeGroup") && name.includes("chips"));
    assert.equal(group?.inputs["amiType"], "AL2023_x86_64_NEURON");
    const { efaDevicePlugin: efa } = decode(
      with_(undefined, { ...EKS, nodePools: { ...others, close } }, { efaDevicePlugin: ON }),
    );
    assert.deepEqual(efa && efaPluginValues(efa)["supportedInstanceLabels"], {
      keys: ["stackyard.dev/node-pool"],
      values: ["close"],
    });
    const { warnings } = decode(with_(undefined, { ...EKS, nodePools }));
    assert.match(warnings.join("\n"), /neuronDevicePlugin: .*the nodes of chips offer no Neuron devices without it/);
    assert.match(warnings.join("\n"), /efaDevicePlugin: .*the nodes of close offer no adapters without it/);
    refuses(with_(undefined, EKS, { neuronDevicePlugin: ON }), /^neuronDevicePlugin: .*no node pool has Inferentia or/);
    refuses(with_(undefined, EKS, { efaDevicePlugin: ON }), /^efaDevicePlugin: .*no node pool has efa: true/);
    const types = (instanceTypes: string[], os = "al2023") =>
      with_(undefined, { ...EKS, nodePools: { ...EKS.nodePools, chips: { instanceTypes, os, max: 2 } } });
    refuses(
      types(["trn1.32xlarge", "g6.xlarge"]),
      /"g6\.xlarge"; expected types with Neuron devices, as trn1\.32xlarge/,
    );
    refuses(types(["inf2.xlarge"], "bottlerocket"), /os: .*expected al2023, whose image has the Neuron driver/);
  });
});
