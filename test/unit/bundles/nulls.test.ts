import assert from "node:assert/strict";
import { FormatError } from "../../../bundles/errors";
import { readPlain } from "../../../bundles/format/plain";
import { asks } from "../../../bundles/permissions/asks";
import { asksText } from "../../../bundles/permissions/text";
import { readCrd } from "../../../bundles/crdSafety/crd";
import { crdFaults } from "../../../bundles/crdSafety/crdFaults";
import { crd, fields } from "./crds";
import { treeOf } from "./samples";

const RBAC = "rbac.authorization.k8s.io";
const meta = (name: string) => ({
  name,
  labels: { a: "b" },
  annotations: { "kubernetes.io/service-account.name": "x" },
});
const pod = {
  metadata: { labels: { a: "b" } },
  spec: {
    serviceAccountName: "web",
    securityContext: { seLinuxOptions: { type: "t" }, sysctls: [{ name: "kernel.x", value: "1" }] },
    volumes: [
      { name: "v", projected: { sources: [{ secret: { name: "s" } }] } },
      { name: "h", hostPath: { path: "/" } },
    ],
    containers: [
      {
        name: "main",
        ports: [{ hostPort: 53 }],
        env: [{ name: "A", valueFrom: { secretKeyRef: { name: "s", key: "k" } } }],
        envFrom: [{ secretRef: { name: "s" } }],
        securityContext: { capabilities: { add: ["SYS_ADMIN"] } },
      },
    ],
  },
};
const DEFINITION = crd([
  { spec: fields({ a: { type: "string" } }), subresources: { scale: { specReplicasPath: ".a" } } },
]);
const OBJECTS = [
  { apiVersion: "v1", kind: "Namespace", metadata: meta("shop") },
  { apiVersion: "v1", kind: "Secret", metadata: meta("s"), type: "kubernetes.io/service-account-token" },
  { apiVersion: "v1", kind: "ServiceAccount", metadata: meta("web") },
  {
    apiVersion: "v1",
    kind: "Service",
    metadata: meta("web"),
    spec: { externalIPs: ["1.1.1.1"], ports: [{ port: 1 }] },
  },
  { apiVersion: "apps/v1", kind: "Deployment", metadata: meta("web"), spec: { template: pod } },
  {
    apiVersion: `${RBAC}/v1`,
    kind: "ClusterRole",
    metadata: meta("r"),
    rules: [{ apiGroups: [""], resources: ["secrets"], resourceNames: ["s"], verbs: ["get"] }],
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] },
  },
  {
    apiVersion: `${RBAC}/v1`,
    kind: "RoleBinding",
    metadata: meta("r"),
    roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: "r" },
    subjects: [{ kind: "ServiceAccount", name: "web" }],
  },
  {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: meta("w"),
    webhooks: [
      {
        name: "a.b.c",
        clientConfig: { service: { namespace: "shop", name: "web" } },
        rules: [{ apiGroups: [""], resources: ["pods"], operations: ["CREATE"] }],
        namespaceSelector: { matchLabels: { a: "b" } },
      },
    ],
  },
  DEFINITION,
];

/** Each of the objects with null in the place of one of its values. */
function* mutations(value: unknown, put: (changed: unknown) => unknown): Generator<unknown> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const withThis = (changed: unknown): unknown =>
      put(Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed });
    yield withThis(null);
    yield* mutations(inner, withThis);
  }
}

describe("a null anywhere in an object", () => {
  const found = OBJECTS.flatMap((object, index) =>
    [...mutations(object, (changed) => changed)].map((changed) => OBJECTS.with(index, changed as never)),
  );

  it("is read or rejected, and never causes a crash", () => {
    assert.ok(found.length > 100);
    for (const objects of found) {
      const text = JSON.stringify({ apiVersion: "v1", kind: "List", items: objects });
      try {
        const read = readPlain(treeOf({ "manifests/a.json": text })).map(({ object }) => object);
        asksText(asks(read, "shop"));
        for (const one of read.filter(({ kind }) => kind === "CustomResourceDefinition")) {
          crdFaults(readCrd(DEFINITION), readCrd(one));
          crdFaults(readCrd(one), readCrd(DEFINITION));
        }
      } catch (error) {
        assert.ok(error instanceof FormatError, `${String(error)}\n${text}`);
      }
    }
  });
});
