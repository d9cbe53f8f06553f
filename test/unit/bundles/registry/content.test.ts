import assert from "node:assert/strict";
import { converted, crd, deployment, modes, only, operator, rule, webhook, type Operator } from "./operators";
import { faultsIn } from "../samples";
import { isObject, type Json } from "../../../../foundation/json/isObject";

/** What is wrong with a bundle. */
async function faults(files: Readonly<Record<string, string>>): Promise<string[]> {
  try {
    await converted(files);
  } catch (error) {
    return faultsIn(error);
  }
  return assert.fail("expected faults");
}

const refused = async (change: (operator: Operator) => void, ...expected: RegExp[]): Promise<void> => {
  const found = await faults(operator(change));
  assert.equal(found.length, expected.length, found.join("\n"));
  expected.forEach((each, index) => assert.match(found[index] ?? "", each));
};

const CSV = /^manifests\/cache\.clusterserviceversion\.yaml:1 \(document 1\): /.source;
const inCsv = (text: string): RegExp => new RegExp(`${CSV}${text}`);

const deployments = ({ csv }: Operator): Json[] => csv.spec.install.spec.deployments;

describe("an operator bundle", () => {
  it("has CRDs, accounts, permissions, other objects and Deployments, but no ClusterServiceVersion", async () => {
    const objects = await converted(
      operator(({ others }) => others.push({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" } })),
    );
    assert.deepEqual(
      objects.map(({ kind }) => kind),
      ["CustomResourceDefinition", "ServiceAccount", "ClusterRole", "ClusterRoleBinding", "ConfigMap", "Deployment"],
    );
  });

  it("must declare its format and its package in its annotations", async () => {
    await refused(
      ({ annotations }) => {
        const bundle = "operators.operatorframework.io.bundle";
        annotations[`${bundle}.mediatype.v1`] = "plain+v0";
        annotations[`${bundle}.manifests.v1`] = "deploy/";
        delete annotations[`${bundle}.package.v1`];
      },
      /^metadata\/annotations\.yaml: annotations\["operators.*mediatype\.v1"\]: found the text "plain\+v0"; expected registry\+v1$/,
      /package\.v1"\]: found nothing; expected the name of the package$/,
      /manifests\.v1"\]: found the text "deploy\/"; expected manifests\//,
    );
    const without = operator();
    delete without["metadata/annotations.yaml"];
    assert.match((await faults(without)).join(), /^metadata\/annotations\.yaml: found no such file/);
    const broken = await faults({ ...without, "metadata/annotations.yaml": "annotations: [" });
    assert.match(broken.join(), /^metadata\/annotations\.yaml:1 \(document 1\): found text that is no YAML/);
    const two = await faults({ ...without, "metadata/annotations.yaml": "annotations: {}\n---\nannotations: {}\n" });
    assert.match(two.join(), /found 2 documents; expected one/);
    const list = await faults({ ...without, "metadata/annotations.yaml": "- a\n" });
    assert.match(list.join(), /annotations: found nothing; expected an object/);
  });

  it("must have exactly one ClusterServiceVersion", async () => {
    const { "manifests/cache.clusterserviceversion.yaml": csv = "", ...without } = operator();
    assert.match((await faults(without)).join(), /^manifests: found no ClusterServiceVersion; expected one$/);
    const two = {
      ...without,
      "manifests/a.yaml": csv,
      "manifests/b.yaml": csv.replace("cache.v1.0.0", "cache.v2.0.0"),
    };
    assert.match(
      (await faults(two)).join(),
      /^manifests\/b\.yaml:1 \(document 1\): found ClusterServiceVersion cache\.v2\.0\.0 beside the one in manifests\/a\.yaml:1; expected one$/,
    );
  });

  it("rejects kinds that OLM does not accept, and removed API versions", async () => {
    await refused(
      ({ others, crds }) => {
        others.push({ apiVersion: "v1", kind: "Pod", metadata: { name: "one" } });
        Object.assign(crds[0] ?? {}, { apiVersion: "apiextensions.k8s.io/v1beta1" });
      },
      /found CustomResourceDefinition of apiextensions\.k8s\.io\/v1beta1, which no cluster takes any more; expected apiextensions\.k8s\.io\/v1$/,
      /^manifests\/other-0\.yaml:1 .*: found Pod one of v1; expected only what the format has: ClusterRole, .*ConfigMap/,
    );
  });

  it("is read as leniently as by OLM if nothing is lost", async () => {
    const made = operator(({ csv, crds, others, annotations }) => {
      Object.assign(csv, { apiVersion: "operators.coreos.com/v1" });
      Object.assign(csv.metadata, { namespace: "PLACEHOLDER_NAMESPACE" });
      Object.assign(crds[0] ?? {}, { apiVersion: undefined });
      // Examples of the operator's own kinds.
      for (const kind of ["Service", "Role", "Secret"])
        others.push({ apiVersion: "ecs.example.com/v1", kind, metadata: { name: "one", namespace: "<fill in>" } });
      annotations["com.example"] = "first";
    });
    const twice = (file: string, line: string): void => void (made[file] = `${made[file]}${line}\n`);
    twice("metadata/annotations.yaml", '  com.example: "second"');
    twice("manifests/crd-0.yaml", "kind: CustomResourceDefinition");
    const objects = await converted(made);
    assert.deepEqual(
      objects.filter(({ apiVersion }) => apiVersion.startsWith("ecs.")).map(({ kind, metadata }) => [kind, metadata]),
      ["Service", "Role", "Secret"].map((kind) => [kind, { name: "one" }]),
    );
    assert.equal(only(objects, "CustomResourceDefinition").apiVersion, "apiextensions.k8s.io/v1");
  });

  it("must have exactly the CRDs that it lists as owned", async () => {
    await refused(
      ({ crds, csv }) => {
        crds.push(crd("Stray"), crd("Redis"));
        const { owned } = csv.spec.customresourcedefinitions;
        owned.push({ name: "missings.cache.example.com", version: "v1", kind: "Missing" });
        owned.push({ name: "redis", version: "v1", kind: "Redis" });
        owned.push({ name: "rediss.cache.example.com", version: "v2", kind: "Rediss" });
      },
      inCsv('spec.customresourcedefinitions.owned\\[2\\].name: found "redis"; expected <plural>.<group>'),
      inCsv('.*owned\\[1\\].name: found "missings.cache.example.com"; expected a definition in manifests/'),
      inCsv('.*owned\\[2\\].name: found "redis"; expected a definition in manifests/'),
      inCsv('.*owned\\[3\\].kind: found "Rediss"; expected Redis, as in manifests/crd-2.yaml:1'),
      inCsv('.*owned\\[3\\].version: found "v2"; expected one of v1, as in manifests/crd-2.yaml:1'),
      /^manifests\/crd-1\.yaml:1 .*: found CustomResourceDefinition strays\.cache\.example\.com; expected it among spec\.customresource/,
    );
  });

  it("must have Deployments with unique valid names and containers", async () => {
    await refused(
      (made) => {
        made.csv.spec.install.strategy = "helm";
        const nameless = { ...deployment("x"), name: "No_Name", spec: {} };
        deployments(made).push(deployment("cache"), nameless);
      },
      inCsv('spec.install.strategy: found "helm"; expected deployment'),
      inCsv('.*deployments\\[1\\].name: found "cache"; expected a name that .*deployments\\[0\\] has not already'),
      inCsv('.*deployments\\[2\\].name: found "No_Name"; expected a DNS-1123 subdomain'),
      inCsv(".*deployments\\[2\\].spec.selector: found nothing; expected an object"),
      inCsv(".*deployments\\[2\\].spec.template.spec: found nothing; expected an object"),
      inCsv(".*deployments\\[2\\].spec.template.spec.containers: found nothing; expected a list of containers"),
    );
  });

  it("must include the ServiceAccounts of its Deployments", async () => {
    await refused(
      (made) => deployments(made).push(deployment("other", "nobody"), deployment("third", "default")),
      inCsv('.*deployments\\[1\\].*serviceAccountName: found "nobody"; expected one of cache, default'),
    );
    const included = operator((made) => {
      deployments(made).push(deployment("other", "included"));
      made.others.push({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "included" } });
    });
    assert.equal((await converted(included)).filter(({ kind }) => kind === "ServiceAccount").length, 2);
  });

  it("reports faults in permissions, install modes and annotations, field by field", async () => {
    await refused(
      ({ csv }) => {
        Object.assign(csv.metadata.annotations, { certified: false });
        csv.spec.installModes.push({ type: "SomeNamespaces", supported: "yes" });
        csv.spec.install.spec.permissions.push(
          { serviceAccountName: "Not Legal", rules: [{ ...rule("pods"), verbs: "get" }, rule("pods", "get")] },
          { rules: { verbs: [] } },
        );
        csv.spec["apiservicedefinitions"] = { owned: [{ name: "v1.metrics" }] };
      },
      inCsv('.*metadata.annotations\\["certified"\\]: found the value false; expected a text, in quotes'),
      inCsv("spec.apiservicedefinitions.owned: found 1; expected none"),
      inCsv('spec.installModes\\[4\\].type: found "SomeNamespaces"; expected one of AllNamespaces'),
      inCsv('spec.installModes\\[4\\].supported: found "yes"; expected true or false'),
      inCsv('.*permissions\\[1\\].serviceAccountName: found "Not Legal"; expected a DNS-1123'),
      inCsv('.*permissions\\[1\\].rules\\[0\\].verbs: found "get"; expected a list of texts'),
      inCsv('.*permissions\\[2\\].rules: found \\{"verbs":\\[\\]\\}; expected a list'),
    );
    await refused(
      ({ csv }) => (csv.spec.installModes = modes()),
      inCsv("spec.installModes: found nothing; expected one of"),
    );
    await refused(
      ({ csv }) => Object.assign(csv.spec, { installModes: "all" }),
      inCsv('spec.installModes: found "all"; expected a list'),
    );
  });

  it("reports faults in webhooks", async () => {
    await refused(
      ({ csv }) =>
        csv.spec.webhookdefinitions.push(
          webhook("ValidatingAdmissionWebhook", "v.cache.example.com"),
          webhook("ValidatingAdmissionWebhook", "v.cache.example.com-", { containerPort: 443, targetPort: 9443 }),
          webhook("MutatingAdmissionWebhook", "v.cache.example.com", { deploymentName: "other", containerPort: 70000 }),
          webhook("MutatingAdmissionWebhook", "short", { admissionReviewVersions: [], webhookPath: "validate" }),
          webhook("PolicyWebhook", "p.cache.example.com"),
          webhook("ConversionWebhook", "c.cache", { conversionCRDs: ["none.example.com"] }),
          webhook("ValidatingAdmissionWebhook", "all.cache.example.com", { rules: [{ apiGroups: ["", "*"] }] }),
        ),
      inCsv(".*\\[2\\].containerPort: found 70000; expected a port from 1 to 65535"),
      inCsv('.*\\[3\\].generateName: found "short"; expected a DNS-1123 subdomain.*, with two dots or more'),
      inCsv('.*\\[3\\].webhookPath: found "validate"; expected a path that begins with /'),
      inCsv(".*\\[3\\].admissionReviewVersions: found \\[\\]; expected a list of versions such as v1"),
      inCsv('.*\\[4\\].type: found "PolicyWebhook"; expected one of ValidatingAdmissionWebhook'),
      inCsv('.*\\[6\\].rules\\[0\\].apiGroups: found "\\*"; expected groups without \\*'),
      inCsv('.*\\[1\\].generateName: found "v.cache.example.com"; expected a name that .*\\[0\\] has not already'),
      inCsv(".*\\[1\\].targetPort: found 9443; expected 443 as in .*\\[0\\], which has the same port"),
      inCsv('.*\\[2\\].deploymentName: found "other"; expected one of cache'),
      inCsv('.*\\[5\\].conversionCRDs: found "none.example.com"; expected one of spec.customresourcedefinitions.owned'),
    );
    await refused(
      ({ csv }) => {
        csv.spec.installModes = modes("OwnNamespace");
        const conversionCRDs = ["memcacheds.cache.example.com"];
        csv.spec.webhookdefinitions.push(
          webhook("ConversionWebhook", "c.cache", { conversionCRDs }),
          webhook("ConversionWebhook", "d.cache", { conversionCRDs }),
        );
      },
      inCsv(
        '.*\\[1\\].conversionCRDs: found "memcacheds.cache.example.com"; expected one that .*\\[0\\] does not convert',
      ),
      inCsv("spec.installModes: found OwnNamespace, .*; expected AllNamespaces, because a conversion webhook"),
    );
  });

  it("requires labels that select the pods behind its webhooks", async () => {
    await refused((made) => {
      made.csv.spec.webhookdefinitions.push(webhook("ValidatingAdmissionWebhook", "v.cache.example.com"));
      const [first] = deployments(made);
      if (isObject(first?.["spec"])) first["spec"]["selector"] = { matchExpressions: [] };
    }, inCsv(".*deployments\\[0\\].spec.selector.matchLabels: found nothing; expected labels"));
  });

  it("reports faults in its requirements", async () => {
    await refused(
      ({ csv, files }) => {
        csv.metadata.annotations["olm.properties"] = "[";
        csv.spec.customresourcedefinitions.required.push({ name: "", version: "v1", kind: "Thing" });
        csv.spec["nativeAPIs"] = [{ group: "a.example.com" }];
        files["metadata/properties.yaml"] = "properties:\n- { type: olm.constraint, value: { gvks: [] } }\n";
      },
      inCsv('spec.customresourcedefinitions.required\\[0\\].name: found ""; expected <plural>.<group>'),
      inCsv("spec.nativeAPIs\\[0\\].version: found nothing; expected a text"),
      inCsv("spec.nativeAPIs\\[0\\].kind: found nothing; expected a text"),
      /^metadata\/properties\.yaml: properties\[0\]\.value: found \["gvks"\]; expected one of gvk, package, cel, all, any, not$/,
      inCsv('metadata.annotations\\["olm.properties"\\]: found text that is no JSON'),
    );
  });

  it("is rejected with a short error if it is hostile", async () => {
    const nested = "[{not:{constraints:".repeat(20_000) + "[]" + "}}]".repeat(20_000);
    const deep = `[{"type":"olm.constraint","value":${nested.slice(1, -1).replaceAll("not", '"not"').replaceAll("constraints", '"constraints"')}}]`;
    await refused(
      ({ csv, others, files }) => {
        csv.metadata.annotations["olm.properties"] = deep;
        others.push({ apiVersion: "v1", kind: "constructor", metadata: { name: "a" } });
        files["metadata/dependencies.yaml"] = "dependencies: [{ type: constructor, value: {} }]";
        Object.assign(csv.spec, { minKubeVersion: "x".repeat(100_000) });
      },
      /found constructor a of v1/,
      inCsv('spec.minKubeVersion: found "x{150,250}…; expected a version'),
      /found rules in rules without end$/,
    );
    assert.ok(
      (await faults(operator(({ csv }) => (csv.metadata.annotations["olm.properties"] = deep)))).join().length < 2000,
    );
  });

  it("rejects folders in manifests/, and duplicate objects after rendering", async () => {
    assert.match(
      (await faults({ ...operator(), "manifests/below/a.yaml": "kind: x" })).join(),
      /^manifests\/below: found a folder; expected only files in manifests\//,
    );
    await refused(({ csv, others }) => {
      csv.spec.webhookdefinitions.push(webhook("ValidatingAdmissionWebhook", "v.cache.example.com"));
      others.push({ apiVersion: "apps/v1", kind: "ServiceAccount", metadata: { name: "x" } });
      for (const namespace of ["here", "there"])
        others.push({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "twice", namespace } });
    }, /found ConfigMap twice a second time, it is in manifests\/other-1\.yaml:1 already/);
  });
});
