import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { ChartRepository } from "../../doubles/chartRepository";
import type { Thing } from "../../doubles/aws/world";
import { testYard } from "../runtime/yard";
import type { World } from "../runtime/world";
import { lint } from "./linter";
import { doubleCharts, worldWithAws } from "./world";

const root = path.join(__dirname, "../../..");

/** AWS is a double; the cluster that is there, and Helm, are real. */
describe("the ingress components on an existing EKS cluster", function () {
  this.timeout(120_000);
  let world: World;
  let repository: ChartRepository;
  let charts: object;
  let stack: string;

  before(async () => {
    world = worldWithAws(await testYard());
    stack = `dev-${world.tag}`;
    ({ repository, charts } = await doubleCharts(world.folder));
  });
  after(async () => {
    for (const namespace of ["ingress-nginx", "external-dns", "cert-manager"]) {
      await world.kubectl("delete", "namespace", namespace, "--ignore-not-found");
    }
    await world.kubectl(
      "delete",
      "crd",
      "clusterissuers.cert-manager.io",
      "ingressclassparams.elbv2.k8s.aws",
      "--ignore-not-found",
    );
    await repository.stop();
    world.remove();
  });

  const ZONES = ["Z0123456789ABC"];
  const INGRESS = {
    // The class nginx is the yard's own.
    nginx: { className: "inner", timeoutSeconds: 60 },
    awsLoadBalancerController: { timeoutSeconds: 60 },
    externalDns: { zones: ZONES, domains: ["eu.example.com"], timeoutSeconds: 60 },
    certManager: { email: "platform@example.com", zones: ZONES, timeoutSeconds: 60 },
    existing: ["nginx"],
  };
  const configure = (more: object = {}, of = stack) =>
    world.configure("platform", of, "stackyard", {
      cluster: {
        type: "existing",
        kubeconfig: { path: world.place.kubeconfig },
        eks: { name: "there", region: "eu-central-1", tags: { team: "data" } },
      },
      provisioners: {
        only: {
          type: "kubernetes",
          spec: { namespace: "runtimes", host: "http://*.runtimes.localhost", image: "example/runtime" },
        },
      },
      defaultProvisioner: "only",
      charts,
      ingress: INGRESS,
      ...more,
    });
  const things = (): Thing[] => {
    const account = path.join(world.folder, "aws.json");
    return existsSync(account) ? (JSON.parse(readFileSync(account, "utf8")) as Thing[]) : [];
  };

  it("deploy in one update, including the certificate issuer, and show no changes afterwards", async () => {
    await configure();
    await world.must("platform", "preview", "-s", stack);
    assert.deepEqual(things(), []);
    await world.must("platform", "up", "-s", stack, "--yes", "--skip-preview");
    const classes = await world.kubectl("get", "ingressclass", "-o", "name");
    assert.match(classes, /\/alb\n[^]*\/inner\n/);
    const { spec } = await world.get("clusterissuer", "letsencrypt");
    assert.match(JSON.stringify(spec), /"dns01":\{"route53":\{"region":"eu-central-1"\}\}/);
    const { spec: controller } = await world.get("-n", "kube-system", "deployment", "aws-load-balancer-controller");
    assert.match(JSON.stringify(controller), /--aws-vpc-id=vpc-0123456789abcdef0/);
    const { metadata } = await world.get("-n", "external-dns", "serviceaccount", "external-dns");
    const { annotations = {} } = metadata as { annotations?: Record<string, string> };
    assert.match(annotations["eks.amazonaws.com/role-arn"] ?? "", /role\/there-external-dns$/);
    await world.must("platform", "preview", "-s", stack, "--expect-no-changes");
  });

  it("are rejected in another region's cluster of the same name until their roles have another prefix", async () => {
    const before = things();
    const other = `west-${world.tag}`;
    const entry = { serviceAccounts: { data: ["reader"] }, accounts: "none", buckets: [{ bucket: "acme-data" }] };
    const describeOther = (roles: object) => {
      const eks = { name: "there", region: "eu-west-1", roles };
      const cluster = { type: "existing", kubeconfig: { path: world.place.kubeconfig }, eks };
      return configure({ cluster, ingress: { existing: ["nginx"] }, dataAccess: { "external-dns": entry } }, other);
    };
    await describeOther({});
    const { ok, text } = await world.pulumi("platform", "up", "-s", other, "--yes", "--skip-preview");
    assert.ok(!ok, text);
    assert.match(
      text,
      /stackyard:cluster\.eks\.roles\.prefix: found "there", and the account has the role \S+\/there-/,
    );
    assert.match(text, /pulumi config set --stack \S+ --path stackyard:cluster\.eks\.roles\.prefix there-eu-west-1/);
    assert.deepEqual(things(), before);
    await describeOther({ prefix: "there-eu-west-1" });
    await world.must("platform", "up", "-s", other, "--yes", "--skip-preview");
    assert.ok(things().some(({ id }) => id === "there-eu-west-1-external-dns"));
    await world.must("platform", "destroy", "-s", other, "--yes", "--skip-preview");
    assert.deepEqual(things(), before);
  });

  it("have roles that pass the linter and the policy pack", async function () {
    const pack = ["--policy-pack", path.join(root, "policy/pulumi-analyzer-policy-stackyard")];
    assert.match(await world.must("platform", "preview", "-s", stack, ...pack), /✅ stackyard@/);
    const own = things().flatMap(({ token, inputs }) =>
      typeof inputs["policy"] === "string" ? [[`${token} ${String(inputs["role"])}`, inputs["policy"]] as const] : [],
    );
    assert.equal(own.length, 3);
    const found = await lint(Object.fromEntries(own));
    if ("missing" in found) return this.skip();
    assert.deepEqual(found.findings, []);
  });

  it("report what a disabled component removes and keep the others", async () => {
    await configure({ ingress: { ...INGRESS, externalDns: { ...INGRESS.externalDns, enabled: false } } });
    const text = await world.must("platform", "up", "-s", stack, "--yes", "--skip-preview");
    assert.match(text, /stackyard:ingress\.externalDns is disabled: records stay as they are now/);
    const left = await world.kubectl("get", "deployments", "-A", "-o", "name");
    assert.ok(!left.includes("external-dns"), left);
    assert.ok(left.includes("cert-manager"), left);
    assert.ok(!things().some(({ id }) => id === "there-external-dns"));
  });

  it("are deleted with the platform, except for kinds that others may use", async () => {
    await world.must("platform", "destroy", "-s", stack, "--yes", "--skip-preview");
    const left = await world.kubectl("get", "ingressclass", "-o", "name");
    assert.doesNotMatch(left, /alb|inner/);
    assert.match(await world.kubectl("get", "crd", "-o", "name"), /clusterissuers\.cert-manager\.io/);
    assert.deepEqual(things(), []);
  });
});
