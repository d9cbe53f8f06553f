/* eslint-disable @typescript-eslint/no-unsafe-return, @typescript-eslint/no-unsafe-call -- rendered YAML */
import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { GARDENER_VARIABLES } from "../../../service/environment/gardenerVariables";
import { TemplateEngine } from "../runtime/templateEngine";

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Any = any;

const IMAGE = "registry.example.com/stackyard-service:1.0.0";

describe("the chart service", () => {
  let engine: TemplateEngine;

  before(async () => {
    engine = await TemplateEngine.start();
    engine.attach();
  });
  after(() => engine.stop());

  const render = async (values: object = {}): Promise<Any[]> => {
    const question = {
      chart: "service",
      releaseName: "one",
      namespace: "stackyard",
      values: { image: IMAGE, ...values },
    };
    const answer = (await pulumi.runtime.invoke("stackyard:index:renderChart", question, {})) as { objects: Any[] };
    return answer.objects;
  };
  const kinds = (objects: Any[]): string[] => objects.map(({ kind }) => kind).sort();
  const find = (objects: Any[], kind: string): Any => objects.find((each) => each.kind === kind) ?? assert.fail(kind);

  it("renders two pods with a Service, a budget, a NetworkPolicy, and migrations that run first", async () => {
    const objects = await render();
    assert.deepEqual(kinds(objects), [
      "Deployment",
      "Job",
      "NetworkPolicy",
      "PodDisruptionBudget",
      "Service",
      "ServiceAccount",
    ]);
    const { spec } = find(objects, "Deployment");
    assert.equal(spec.replicas, 2);
    const [container] = spec.template.spec.containers;
    assert.equal(container.readinessProbe.httpGet.path, "/readyz");
    assert.equal(container.env.find(({ name }: Any) => name === "APP_MIGRATE").value, "false");
    assert.deepEqual(find(objects, "Job").spec.template.spec.containers[0].args, ["migrate"]);
  });

  it("has unprivileged pods: no token, no root, and a read-only file system", async () => {
    const objects = await render();
    for (const { spec } of [find(objects, "Deployment").spec.template, find(objects, "Job").spec.template]) {
      assert.equal(spec.automountServiceAccountToken, false);
      assert.equal(spec.securityContext.runAsNonRoot, true);
      assert.equal(spec.securityContext.seccompProfile.type, "RuntimeDefault");
      for (const { securityContext, resources } of spec.containers) {
        assert.deepEqual(securityContext, {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
        assert.ok(resources.requests.memory && resources.limits.memory);
      }
    }
  });

  it("mounts the files of its Secret in every pod, because they may include database certificates", async () => {
    const objects = await render({ filesSecretName: "files" });
    for (const kind of ["Deployment", "Job"]) {
      const { containers, volumes } = find(objects, kind).spec.template.spec;
      const mount = containers[0].volumeMounts.find(({ name }: Any) => name === "files");
      assert.equal(mount?.mountPath, "/etc/stackyard", kind);
      assert.equal(volumes.find(({ name }: Any) => name === "files").secret.secretName, "files");
    }
  });

  it("passes only the database URL to the migrations", async () => {
    const objects = await render({ environment: { APP_LOG_LEVEL: "debug" } });
    const [{ env }] = find(objects, "Job").spec.template.spec.containers;
    assert.deepEqual(
      env.map(({ name }: Any) => name),
      ["APP_DATABASE_URL", "APP_LOG_LEVEL"],
    );
  });

  it("accepts secrets only by reference and rejects them as plain variables", async () => {
    const objects = await render({ environment: { APP_OIDC_ISSUER: "https://issuer.example.com" } });
    const [{ env }] = find(objects, "Deployment").spec.template.spec.containers;
    const database = env.find(({ name }: Any) => name === "APP_DATABASE_URL");
    assert.deepEqual(database.valueFrom.secretKeyRef, { name: "stackyard-service", key: "databaseUrl" });
    assert.equal(env.find(({ name }: Any) => name === "APP_OIDC_ISSUER").value, "https://issuer.example.com");
    const secrets = ["APP_DATABASE_PASSWORD", "APP_WEBHOOK_SECRET", "APP_STATIC_TOKENS", "AWS_SECRET_ACCESS_KEY"];
    for (const name of [...secrets, "PATH"]) {
      await assert.rejects(render({ environment: { [name]: "x" } }), /propertyName/);
    }
  });

  it("accepts proxy variables and other secrets from keys of its Secret", async () => {
    const environment = { HTTPS_PROXY: "http://proxy:3128", NODE_EXTRA_CA_CERTS: "/etc/stackyard/ca.pem" };
    const objects = await render({ environment, secretEnvironment: { AWS_SECRET_ACCESS_KEY: "awsSecretAccessKey" } });
    const [{ env }] = find(objects, "Deployment").spec.template.spec.containers;
    const of = (wanted: string): Any => env.find(({ name }: Any) => name === wanted);
    assert.equal(of("HTTPS_PROXY").value, "http://proxy:3128");
    assert.deepEqual(of("AWS_SECRET_ACCESS_KEY").valueFrom.secretKeyRef, {
      name: "stackyard-service",
      key: "awsSecretAccessKey",
    });
  });

  it("allows a pod time to start, to answer under load, and to end without refused connections", async () => {
    const objects = await render({ podAnnotations: { note: "x" }, secretChecksum: "abc", priorityClassName: "high" });
    const { metadata, spec } = find(objects, "Deployment").spec.template;
    const [{ startupProbe, livenessProbe, lifecycle }] = spec.containers;
    assert.ok(startupProbe.periodSeconds * startupProbe.failureThreshold >= 120);
    assert.equal(livenessProbe.timeoutSeconds, 10);
    assert.deepEqual(lifecycle.preStop, { sleep: { seconds: 5 } });
    assert.deepEqual(metadata.annotations, { note: "x", "stackyard.dev/secret": "abc" });
    assert.equal(spec.priorityClassName, "high");
    assert.equal(spec.volumes[0].emptyDir.sizeLimit, "4Gi");
  });

  it("runs migrations on the same nodes and with the same annotations as its pods", async () => {
    const wanted = { nodeSelector: { pool: "a" }, tolerations: [{ key: "a" }], priorityClassName: "high" };
    const annotations = { "sidecar.istio.io/inject": "false" };
    const objects = await render({ ...wanted, podAnnotations: annotations });
    for (const kind of ["Deployment", "Job"]) {
      const { metadata, spec } = find(objects, kind).spec.template;
      const { nodeSelector, tolerations, priorityClassName } = spec;
      assert.deepEqual({ nodeSelector, tolerations, priorityClassName }, wanted, kind);
      assert.deepEqual(metadata.annotations, annotations, kind);
    }
  });

  it("scales by CPU usage when enabled, with a budget for two or more pods", async () => {
    const objects = await render({ replicas: 1, autoscaling: { enabled: true } });
    assert.equal(find(objects, "Deployment").spec.replicas, undefined);
    assert.equal(find(objects, "HorizontalPodAutoscaler").spec.minReplicas, 2);
    find(objects, "PodDisruptionBudget");
  });

  it("is reachable only from its own namespace unless an Ingress or a ServiceMonitor needs more", async () => {
    const from = (objects: Any[]): Any[] => find(objects, "NetworkPolicy").spec.ingress.map((rule: Any) => rule.from);
    const [own, all] = [[{ podSelector: {} }], [{ namespaceSelector: {} }]];
    assert.deepEqual(from(await render()), [own, own]);
    const wider = { ingress: { enabled: true, host: "a.example.com" }, serviceMonitor: { enabled: true } };
    assert.deepEqual(from(await render(wider)), [all, all]);
  });

  it("may read only one Secret, and only if its environment names a Director", async () => {
    const { APP_CREDENTIALS_NAMESPACE: namespace, APP_OAUTH_CREDENTIALS_SECRET_NAME: name } = GARDENER_VARIABLES;
    const named = { APP_OAUTH_CREDENTIALS_NAMESPACE: "kcp", APP_OAUTH_CREDENTIALS_SECRET_NAME: "director" };
    const cases: [Record<string, string>, string, string][] = [
      [{ APP_DIRECTOR_URL: "https://director.example.com/graphql" }, namespace.fallback, name.fallback],
      [{ APP_CREDENTIALS_NAMESPACE: "mine" }, "mine", name.fallback],
      [named, "kcp", "director"],
    ];
    for (const [environment, where, which] of cases) {
      const objects = await render({ environment });
      const [role, binding] = [find(objects, "Role"), find(objects, "RoleBinding")];
      assert.deepEqual([role.metadata.namespace, binding.metadata.namespace], [where, where]);
      assert.deepEqual(role.rules, [
        { apiGroups: [""], resources: ["secrets"], resourceNames: [which], verbs: ["get"] },
      ]);
      assert.deepEqual([binding.roleRef.kind, binding.roleRef.name], ["Role", role.metadata.name]);
      const { name: account } = find(objects, "ServiceAccount").metadata;
      assert.deepEqual(binding.subjects, [{ kind: "ServiceAccount", name: account, namespace: "stackyard" }]);
      assert.equal(find(objects, "Deployment").spec.template.spec.automountServiceAccountToken, true);
      assert.equal(find(objects, "Job").spec.template.spec.automountServiceAccountToken, false);
    }
  });

  it("may serve Runtimes of a namespace, and only if its environment names it and no other cluster", async () => {
    const environment = { APP_RUNTIMES_NAMESPACE: "kcp-system" };
    const objects = await render({ environment });
    const [role, binding] = [find(objects, "Role"), find(objects, "RoleBinding")];
    assert.deepEqual([role.metadata.namespace, binding.metadata.namespace], ["kcp-system", "kcp-system"]);
    assert.deepEqual(
      role.rules.map(({ resources, verbs }: Any) => [resources, verbs]),
      [
        [["runtimes"], ["get", "list", "watch", "patch"]],
        [["runtimes/status"], ["patch"]],
        [["secrets"], ["get", "create", "patch", "delete"]],
      ],
    );
    assert.equal(binding.roleRef.name, role.metadata.name);
    assert.equal(find(objects, "Deployment").spec.template.spec.automountServiceAccountToken, true);
    const other = await render({ environment: { ...environment, APP_RUNTIMES_KUBECONFIG_PATH: "/etc/stackyard/kcp" } });
    assert.equal(find(other, "Deployment").spec.template.spec.automountServiceAccountToken, false);
    assert.ok(!other.some(({ kind }) => kind === "Role"));
  });

  it("has no default image", async () => {
    for (const image of ["", "registry.example.com/stackyard-service", "registry.example.com/x:latest"]) {
      await assert.rejects(render({ image }), /image/, image);
    }
    await render({ image: `registry.example.com/x@sha256:${"a".repeat(64)}` });
  });

  it("renders optional objects and rejects unknown keys", async () => {
    const more = {
      serviceMonitor: { enabled: true, labels: { release: "prometheus" } },
      ingress: { enabled: true, host: "stackyard.example.com", className: "nginx", tlsSecretName: "tls" },
      networkPolicy: { ingress: [{ podSelector: { matchLabels: { app: "backend" } } }] },
      filesSecretName: "files",
    };
    const objects = await render(more);
    assert.equal(find(objects, "ServiceMonitor").metadata.labels.release, "prometheus");
    assert.equal(find(objects, "Ingress").spec.rules[0].host, "stackyard.example.com");
    assert.deepEqual(find(objects, "NetworkPolicy").spec.ingress[0].from, more.networkPolicy.ingress);
    const { volumes } = find(objects, "Deployment").spec.template.spec;
    assert.ok(volumes.some(({ secret }: Any) => secret?.secretName === "files"));
    assert.ok(!kinds(await render({ replicas: 1 })).includes("PodDisruptionBudget"));
    assert.ok(!kinds(await render({ migrations: { enabled: false } })).includes("Job"));
    await assert.rejects(render({ replica: 3 }), /replica/);
    await assert.rejects(render({ ingress: { enabled: true } }), /ingress\.host/);
  });
});
