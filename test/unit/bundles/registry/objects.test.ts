import assert from "node:assert/strict";
import fc from "fast-check";
import { FormatError, Refused } from "../../../../bundles/errors";
import { at, identity, type KubeObject } from "../../../../kubernetes/objects/objects";
import { converted, deployment, modes, only, operator, rule, webhook, type Options } from "./operators";
import type { Json } from "../../../../foundation/json/isObject";

const refused = async (files: Record<string, string>, options: Options, expected: RegExp): Promise<void> => {
  await assert.rejects(converted(files, options), (error: Error) => {
    assert.ok(error instanceof Refused, String(error));
    assert.match(error.message, expected);
    return true;
  });
};
const supporting = (...supported: string[]): Record<string, string> =>
  operator(({ csv }) => (csv.spec.installModes = modes(...supported)));

const rolesOf = (objects: readonly KubeObject[]): string[] =>
  objects
    .filter(({ kind }) => /^(Cluster)?Role$/.test(kind))
    .map(({ kind, metadata, rules }) => {
      const resources = (rules as Json[]).flatMap((one) => one["resources"] as string[]);
      return `${kind} ${metadata.namespace ?? "-"} ${resources.join(" ")}`;
    });
const targets = (objects: readonly KubeObject[]): unknown =>
  at(only(objects, "Deployment"), "spec", "template", "metadata", "annotations", "olm.targetNamespaces");

describe("the namespaces that an operator watches", () => {
  it("are all namespaces if it supports them, with cluster-wide permissions", async () => {
    const objects = await converted(operator());
    assert.deepEqual(rolesOf(objects), ["ClusterRole - nodes pods namespaces"]);
    assert.equal(targets(objects), "");
  });

  it("are its own namespace if it cannot watch all, or if that is chosen", async () => {
    const own = ["ClusterRole - nodes", "Role caches pods"];
    const byDefault = await converted(supporting("OwnNamespace", "SingleNamespace"));
    assert.deepEqual(rolesOf(byDefault), own);
    assert.equal(targets(byDefault), "caches");
    assert.deepEqual(rolesOf(await converted(operator(), { values: { watchNamespaces: ["caches"] } })), own);
  });

  it("are one other namespace or several, with permissions in each", async () => {
    assert.deepEqual(rolesOf(await converted(operator(), { values: { watchNamespaces: ["a"] } })), [
      "ClusterRole - nodes",
      "Role a pods",
    ]);
    const several = await converted(operator(), { values: { watchNamespaces: ["b", "a", "caches"] } });
    assert.deepEqual(rolesOf(several).slice(1), ["Role b pods", "Role a pods", "Role caches pods"]);
    assert.equal(targets(several), "b,a,caches");
    for (const binding of several.filter(({ kind }) => kind === "RoleBinding"))
      assert.deepEqual(binding["subjects"], [{ kind: "ServiceAccount", namespace: "caches", name: "cache" }]);
  });

  it("are rejected if the operator does not support them", async () => {
    const single = supporting("SingleNamespace");
    await refused(
      single,
      {},
      /watchNamespaces: found nothing; expected what the operator supports: SingleNamespace, one other/,
    );
    await refused(
      single,
      { values: { watchNamespaces: ["caches"] } },
      /found its own namespace; expected .*SingleNamespace/,
    );
    await refused(single, { values: { watchNamespaces: ["a", "b"] } }, /found 2 namespaces; expected/);
    const multi = supporting("MultiNamespace", "AllNamespaces");
    await refused(
      multi,
      { values: { watchNamespaces: ["a"] } },
      /found one other namespace; expected .*: AllNamespaces, all .*; Multi/,
    );
    await refused(
      multi,
      { values: { watchNamespaces: ["a", "caches"] } },
      /found its own namespace among others; expected/,
    );
  });

  it("are chosen by values, which no error repeats", async () => {
    const values = { watchNamespaces: ["Not-a-namespace", "a", "a", 7], certificates: "vault", assume: [], watch: "x" };
    await refused(
      operator(),
      { values },
      /- watch: found an unknown value; known are watchNamespaces, certificates, assume, deploymentConfig\n.*\[0\]: expected the name of a namespace.*\n.*\[2\]: found what is in the list already\n.*\[3\]: expected[^]*assume: expected a list[^]*certificates: expected one of cert-manager, openshift$/,
    );
    await refused(
      operator(),
      { values: { watchNamespaces: "secret-place" } },
      /^(?!.*secret-place)[^]*expected a list/,
    );
  });

  it("are all namespaces if it has a conversion webhook, which serves the whole cluster", async () => {
    const files = operator(({ csv }) => {
      const conversionCRDs = ["memcacheds.cache.example.com"];
      csv.spec.webhookdefinitions.push(webhook("ConversionWebhook", "c.cache", { conversionCRDs }));
    });
    await refused(files, { values: { watchNamespaces: ["caches"] } }, /supports: AllNamespaces, all namespaces/);
    const definition = only(await converted(files), "CustomResourceDefinition");
    assert.equal(definition.metadata.annotations?.["cert-manager.io/inject-ca-from"], "caches/cache-service-cert");
    assert.deepEqual(at(definition, "spec", "conversion"), {
      strategy: "Webhook",
      webhook: {
        clientConfig: { service: { namespace: "caches", name: "cache-service", port: 443, path: "/" } },
        conversionReviewVersions: ["v1"],
      },
    });
  });
});

describe("the conversion of an operator's permissions", () => {
  it("creates one role per account, with the same name in every version", async () => {
    const next = operator(({ csv }) => {
      Object.assign(csv.metadata, { name: "cache.v2.0.0" });
      csv.spec.install.spec.clusterPermissions.push({ serviceAccountName: "cache", rules: [rule("events", "create")] });
      csv.spec.install.spec.permissions.push({ rules: [rule("secrets", "get")] });
    });
    const [before, after] = [await converted(operator()), await converted(next)];
    const [name] = before.filter(({ kind }) => kind === "ClusterRole").map(({ metadata }) => metadata.name);
    const found = after.filter(({ kind }) => kind === "ClusterRole");
    assert.equal(found.length, 2);
    assert.equal(found[0]?.metadata.name, name);
    assert.deepEqual(rolesOf(after), [
      "ClusterRole - nodes events pods namespaces",
      "ClusterRole - secrets namespaces",
    ]);
    const [first] = (await converted(operator(), { namespace: "elsewhere" })).filter(
      ({ kind }) => kind === "ClusterRole",
    );
    assert.notEqual(first?.metadata.name, name);
  });

  it("creates no ServiceAccount that every namespace has or that the bundle includes", async () => {
    const files = operator(({ csv, others }) => {
      csv.spec.install.spec.permissions.push({ serviceAccountName: "default", rules: [rule("secrets", "get")] });
      others.push({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "cache", labels: { own: "yes" } } });
    });
    assert.deepEqual(only(await converted(files), "ServiceAccount").metadata.labels, { own: "yes" });
  });

  it("moves a RoleBinding of the bundle and its subjects to the namespace of the release", async () => {
    const files = operator(({ others }) => {
      const subjects = [
        { kind: "ServiceAccount", name: "cache" },
        { kind: "ServiceAccount", name: "other", namespace: "elsewhere" },
        { kind: "User", name: "somebody" },
      ];
      const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "more" };
      const metadata = { name: "more", namespace: "system" };
      others.push({ apiVersion: "rbac.authorization.k8s.io/v1", kind: "RoleBinding", metadata, roleRef, subjects });
    });
    const binding = only(await converted(files), "RoleBinding");
    assert.deepEqual(binding.metadata, { name: "more" });
    const named = (binding["subjects"] as Json[]).map(({ namespace }) => namespace);
    assert.deepEqual(named, ["caches", "elsewhere", undefined]);
  });
});

describe("the Deployment of an operator", () => {
  it("keeps its spec, and gets the annotations that operators read", async () => {
    const files = operator(({ csv }) => {
      const [first] = csv.spec.install.spec.deployments;
      Object.assign(first ?? {}, { label: { tier: "operators" } });
    });
    const found = only(await converted(files), "Deployment");
    assert.deepEqual(found.metadata, { name: "cache", labels: { tier: "operators" } });
    assert.deepEqual(at(found, "spec", "template", "metadata"), {
      labels: { app: "cache" },
      annotations: {
        capabilities: "Basic Install",
        kept: "by the template",
        "olm.targetNamespaces": "",
        "olm.operatorNamespace": "caches",
      },
    });
    const written = (deployment("cache", "cache")["spec"] as Json)["template"];
    assert.deepEqual(at(found, "spec", "template", "spec"), at(written, "spec"));
    assert.equal(at(found, "spec", "revisionHistoryLimit"), 1);
  });

  it("mounts the webhook certificate in place of any volume with that name or path", async () => {
    const files = operator(({ csv }) => {
      csv.spec.webhookdefinitions.push(webhook("ValidatingAdmissionWebhook", "v.cache.example.com"));
      const pods = at(csv.spec.install.spec.deployments[0], "spec", "template", "spec") as Json;
      const mounts = (name: string, mountPath: string) => [
        { name, mountPath },
        { name: "data", mountPath: "/data" },
      ];
      pods["volumes"] = [{ name: "cert" }, { name: "webhook-cert" }, { name: "data" }];
      pods["containers"] = [
        { name: "manager", volumeMounts: mounts("cert", "/tmp/k8s-webhook-server/serving-certs") },
        { name: "plain" },
      ];
      pods["initContainers"] = [{ name: "first", volumeMounts: mounts("webhook-cert", "/certs") }];
    });
    const pods = at(only(await converted(files), "Deployment"), "spec", "template", "spec") as Json;
    const own = [
      { name: "apiservice-cert", mountPath: "/apiserver.local.config/certificates" },
      { name: "webhook-cert", mountPath: "/tmp/k8s-webhook-server/serving-certs" },
    ];
    const data = { name: "data", mountPath: "/data" };
    assert.deepEqual(pods["containers"], [
      { name: "manager", volumeMounts: [data, ...own] },
      { name: "plain", volumeMounts: own },
    ]);
    assert.deepEqual(pods["initContainers"], [{ name: "first", volumeMounts: [data, ...own] }]);
    assert.deepEqual(
      (pods["volumes"] as Json[]).map(({ name, secret }) => [name, at(secret, "secretName")]),
      [
        ["data", undefined],
        ["apiservice-cert", "cache-service-cert"],
        ["webhook-cert", "cache-service-cert"],
      ],
    );
  });
});

describe("the conversion of an operator's webhooks", () => {
  const files = operator(({ csv }) =>
    csv.spec.webhookdefinitions.push(
      webhook("ValidatingAdmissionWebhook", "v.cache.example.com", { webhookPath: "/validate", failurePolicy: "Fail" }),
      webhook("MutatingAdmissionWebhook", "m.cache.example.com-", {
        containerPort: 8443,
        targetPort: "hooks",
        reinvocationPolicy: "IfNeeded",
        sideEffects: "NoneOnDryRun",
      }),
    ),
  );

  it("creates a Service, and configurations for the namespaces that the operator watches", async () => {
    const objects = await converted(files, { values: { watchNamespaces: ["a", "b"] } });
    assert.deepEqual(only(objects, "Service")["spec"], {
      ports: [
        { name: "443", port: 443, targetPort: 443 },
        { name: "8443", port: 8443, targetPort: "hooks" },
      ],
      selector: { app: "cache" },
    });
    const rules = webhook("ValidatingAdmissionWebhook", "")["rules"];
    const namespaceSelector = {
      matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "In", values: ["a", "b"] }],
    };
    const validating = only(objects, "ValidatingWebhookConfiguration");
    assert.match(validating.metadata.name, /^v-cache-example-com-[0-9a-f]{10}$/);
    assert.deepEqual(validating.metadata.annotations, {
      "cert-manager.io/inject-ca-from": "caches/cache-service-cert",
    });
    assert.deepEqual(validating["webhooks"], [
      {
        name: "v.cache.example.com",
        rules,
        failurePolicy: "Fail",
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        clientConfig: { service: { namespace: "caches", name: "cache-service", port: 443, path: "/validate" } },
        namespaceSelector,
      },
    ]);
    assert.deepEqual(only(objects, "MutatingWebhookConfiguration")["webhooks"], [
      {
        name: "m.cache.example.com",
        rules,
        sideEffects: "NoneOnDryRun",
        reinvocationPolicy: "IfNeeded",
        admissionReviewVersions: ["v1"],
        clientConfig: { service: { namespace: "caches", name: "cache-service", port: 8443 } },
        namespaceSelector,
      },
    ]);
  });

  it("gets the certificate from cert-manager", async () => {
    const objects = await converted(files);
    assert.deepEqual(only(objects, "Issuer")["spec"], { selfSigned: {} });
    const { spec, metadata } = only(objects, "Certificate") as KubeObject & { spec: Json };
    assert.equal(metadata.name, "cache-service-cert");
    assert.equal(spec["secretName"], "cache-service-cert");
    assert.deepEqual(spec["issuerRef"], { name: only(objects, "Issuer").metadata.name });
    assert.deepEqual(spec["dnsNames"], [
      "cache-service.caches",
      "cache-service.caches.svc",
      "cache-service.caches.svc.cluster.local",
    ]);
  });

  it("gets the certificate from OpenShift if that is chosen", async () => {
    const objects = await converted(files, { values: { certificates: "openshift" } });
    assert.equal(objects.filter(({ apiVersion }) => apiVersion.startsWith("cert-manager")).length, 0);
    assert.deepEqual(only(objects, "Service").metadata.annotations, {
      "service.beta.openshift.io/serving-cert-secret-name": "cache-service-cert",
    });
    assert.deepEqual(only(objects, "ValidatingWebhookConfiguration").metadata.annotations, {
      "service.beta.openshift.io/inject-cabundle": "true",
    });
  });
});

describe("the conversion of an operator bundle", () => {
  const part = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,70}[a-z0-9])?$/);
  const name = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("."));
  const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
  const some = fc.uniqueArray(name, { minLength: 1, maxLength: 3 });
  const hook = fc.record({
    type: fc.constantFrom("ValidatingAdmissionWebhook", "MutatingAdmissionWebhook"),
    name: name.map((text) => `${text}.example.com`),
    deployment: fc.nat(),
  });

  it("gives every object a valid, unique and stable name", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          deployments: some,
          accounts: some,
          hooks: fc.uniqueArray(hook, { maxLength: 3, selector: ({ type, name: own }) => `${type} ${own}` }),
          release: label,
          namespaces: fc.uniqueArray(label, { minLength: 1, maxLength: 3 }),
          everywhere: fc.boolean(),
        }),
        async ({ deployments, accounts, hooks, release, namespaces, everywhere }) => {
          const files = operator(({ csv }) => {
            const permissions = accounts.map((serviceAccountName) => ({
              serviceAccountName,
              rules: [rule("pods", "get")],
            }));
            const all = deployments.map((each, index) => deployment(each, accounts[index % accounts.length]));
            Object.assign(csv.spec.install.spec, { permissions, clusterPermissions: permissions, deployments: all });
            csv.spec.webhookdefinitions = hooks.map(({ type, name: own, deployment: index }) =>
              webhook(type, own, { deploymentName: deployments[index % deployments.length] }),
            );
          });
          const options = {
            name: release,
            namespace: namespaces[0] ?? "",
            values: everywhere ? {} : { watchNamespaces: namespaces },
          };
          const objects = await converted(files, options);
          assert.deepEqual(await converted(files, options), objects);
          assert.equal(new Set(objects.map((each) => identity({ ...each, ...each.metadata }))).size, objects.length);
          const given = new Set([...deployments, ...accounts]);
          for (const { kind, metadata } of objects) {
            if (given.has(metadata.name) || kind === "CustomResourceDefinition") continue;
            assert.match(metadata.name, /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/, kind);
          }
          const mounted = objects
            .filter(({ kind }) => kind === "Deployment")
            .flatMap((each) => at(each, "spec", "template", "spec", "volumes", 0, "secret", "secretName") ?? []);
          const made = objects
            .filter(({ kind }) => kind === "Certificate")
            .map((each) => at(each, "spec", "secretName"));
          assert.deepEqual(mounted.toSorted(), made.toSorted());
        },
      ),
      { numRuns: 150 },
    );
  });

  it("converts or rejects any input, and never fails otherwise", async () => {
    /** Every place of a value. */
    const paths = (value: unknown, path: (string | number)[] = []): (string | number)[][] =>
      typeof value === "object" && value !== null
        ? [path, ...Object.entries(value).flatMap(([key, each]) => paths(each, [...path, key]))]
        : [path];
    const everything = (change: (parts: Json) => void): Record<string, string> =>
      operator((made) => {
        const conversionCRDs = ["memcacheds.cache.example.com"];
        made.csv.spec.webhookdefinitions.push(
          webhook("ValidatingAdmissionWebhook", "v.cache.example.com", { targetPort: "hooks", webhookPath: "/v" }),
          webhook("ConversionWebhook", "c.cache", { conversionCRDs }),
        );
        made.csv.spec.customresourcedefinitions.required.push({ name: "as.b.c", version: "v1", kind: "A" });
        change(made as unknown as Json);
      });
    let all: (string | number)[][] = [];
    everything((made) => (all = paths(made).filter((path) => path.length > 1 && path[0] !== "files")));
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.jsonValue({ maxDepth: 2 }), async (index, value) => {
        const path = all[index % all.length] ?? [];
        const files = everything((made) => {
          const parent = at(made, ...path.slice(0, -1)) as Json;
          parent[path.at(-1) ?? ""] = value;
        });
        await converted(files, { facts: { kubeVersion: "v1.30.0", apiVersions: [] } }).catch((error: unknown) => {
          assert.ok(error instanceof FormatError || error instanceof Refused, (error as Error).stack);
        });
      }),
      { numRuns: 300 },
    );
  });
});

describe("the compatibility with OLM", () => {
  const served = (change: Parameters<typeof operator>[0] = () => undefined, more: Json = {}) =>
    operator((made) => {
      made.csv.spec.webhookdefinitions.push(webhook("ValidatingAdmissionWebhook", "v.cache.example.com", more));
      change(made);
    });
  const own = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "cache-service" },
    spec: { selector: { own: "yes" } },
  };

  it("keeps the Service for webhooks that the bundle includes", async () => {
    const files = served(({ others }) => others.push(own));
    assert.deepEqual(only(await converted(files), "Service")["spec"], own.spec);
    const openshift = only(await converted(files, { values: { certificates: "openshift" } }), "Service");
    assert.deepEqual(openshift.metadata.annotations, {
      "service.beta.openshift.io/serving-cert-secret-name": "cache-service-cert",
    });
    const other = served(({ others }) => others.push({ ...own, apiVersion: "ecs.example.com/v1" }));
    assert.equal((await converted(other)).filter(({ kind }) => kind === "Service").length, 2);
  });

  it("treats a target port of zero as the port of the Service", async () => {
    for (const targetPort of [0, ""]) {
      const service = only(await converted(served(undefined, { targetPort })), "Service");
      assert.deepEqual(at(service, "spec", "ports"), [{ name: "443", port: 443, targetPort: 443 }]);
    }
  });

  it("drops fields that a type does not have, if the cluster reports the types", async () => {
    const files = operator(({ csv, others }) => {
      const [first] = csv.spec.install.spec.deployments as { spec: Json }[];
      Object.assign(first?.spec ?? {}, { unknown: 1, replicas: 1 });
      Object.assign((first?.spec["template"] as { spec: Json }).spec, { typo: true });
      others.push({ apiVersion: "apps/v1", kind: "ConfigMap", metadata: { name: "x" }, kept: true });
    });
    const ref = (name: string) => ({ allOf: [{ $ref: `#/components/schemas/${name}` }], default: {} });
    const types: Json = {
      Deployment: {
        "x-kubernetes-group-version-kind": [{ group: "apps", version: "v1", kind: "Deployment" }],
        properties: { apiVersion: {}, kind: {}, metadata: {}, spec: ref("Spec") },
      },
      Spec: { properties: { replicas: {}, selector: {}, template: ref("Template"), revisionHistoryLimit: {} } },
      Template: { properties: { metadata: {}, spec: { $ref: "#/components/schemas/Pod" } } },
      Pod: { properties: { containers: { items: ref("Container") }, serviceAccountName: {} } },
      Container: { properties: { name: {} } },
    };
    const schemaOf = (apiVersion: string) => Promise.resolve(apiVersion === "apps/v1" ? types : undefined);
    const facts = { kubeVersion: "v1.30.0", apiVersions: [], schemaOf };
    const spec = at(only(await converted(files, { facts }), "Deployment"), "spec") as Json;
    assert.deepEqual(Object.keys(spec).toSorted(), ["replicas", "revisionHistoryLimit", "selector", "template"]);
    assert.deepEqual(at(spec, "template", "spec"), { serviceAccountName: "cache", containers: [{ name: "manager" }] });
    const objects = await converted(files, { facts });
    assert.equal(objects.find(({ metadata }) => metadata.name === "x")?.["kept"], true);
    assert.equal(at(only(await converted(files), "Deployment"), "spec", "unknown"), 1);
  });
});
