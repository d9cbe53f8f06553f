import assert from "node:assert/strict";
import { ALONE, asks, asksNothing, more, NOTHING, type Asks } from "../../../bundles/permissions/asks";
import { lookAround } from "../../../bundles/permissions/around";
import { hostAccess } from "../../../bundles/permissions/host";
import { webhooksIn } from "../../../bundles/permissions/webhooks";
import { asksText } from "../../../bundles/permissions/text";
import type { Client } from "../../../kubernetes/client/client";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { crd, fields } from "./crds";
import type { Json } from "../../../foundation/json/isObject";

const ENFORCE = "pod-security.kubernetes.io/enforce";
const RBAC = "rbac.authorization.k8s.io";
const object = (apiVersion: string, kind: string, name: string, more: Json = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name },
  ...more,
});
const rule = (...verbs: string[]) => ({ verbs, apiGroups: [""], resources: ["secrets"] });
const role = (kind: string, name: string, rules: readonly Json[], labels = {}) => ({
  ...object(`${RBAC}/v1`, kind, name, { rules }),
  metadata: { name, labels },
});
const binding = (kind: string, name: string, roleKind: string, roleName: string) =>
  object(`${RBAC}/v1`, kind, name, {
    roleRef: { apiGroup: RBAC, kind: roleKind, name: roleName },
    subjects: [{ kind: "ServiceAccount", name: "web", namespace: "shop" }],
  });
const deployment = (spec: Json): KubeObject =>
  object("apps/v1", "Deployment", "agent", { spec: { template: { spec } } });
const container = (more: Json): Json => ({ containers: [{ name: "main", ...more }] });

describe("the permissions that a bundle requests", () => {
  it("is empty if the bundle has only ordinary objects in its namespace", () => {
    const asked = asks(
      [object("v1", "ConfigMap", "a"), deployment(container({ ports: [{ containerPort: 80 }] }))],
      "shop",
    );
    assert.deepEqual(asked, NOTHING);
    assert.ok(asksNothing(asked));
    assert.deepEqual(asksText(asked), []);
  });

  it("is described as text: permissions, webhooks, access to nodes, cluster-scoped objects", () => {
    const asked = asks(
      [
        object("v1", "Namespace", "shop"),
        role("Role", "reader", [rule("get"), rule("list"), { ...rule("get"), resources: ["pods", "pods/log"] }]),
        binding("RoleBinding", "reader", "Role", "reader"),
        role("ClusterRole", "root", [
          { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
          { verbs: ["get"], nonResourceURLs: ["/metrics"] },
        ]),
        binding("ClusterRoleBinding", "root", "ClusterRole", "root"),
        binding("RoleBinding", "edit", "ClusterRole", "edit"),
        deployment({
          hostNetwork: true,
          containers: [{ name: "main", securityContext: { privileged: true }, ports: [{ hostPort: 53 }] }],
        }),
        object("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "guard", {
          webhooks: [
            {
              name: "pods.guard.example.com",
              clientConfig: { service: { namespace: "shop", name: "guard" } },
              rules: [{ apiGroups: [""], resources: ["pods"], operations: ["UPDATE", "CREATE"] }],
            },
          ],
        }),
      ],
      "shop",
    );
    assert.deepEqual(asksText(asked), [
      "Gives access to objects of other owners, or to the whole cluster:",
      "  ServiceAccount shop/web, in the whole cluster:",
      "    do anything with everything",
      "  ServiceAccount shop/web, in namespace shop:",
      "    get, list secrets",
      "  ServiceAccount shop/web, in namespace shop: everything that ClusterRole edit allows",
      "  pods.guard.example.com may refuse create, update on pods by Service shop/guard, which fail while it is unavailable",
      "  Deployment shop/agent: everything on the node (container main is privileged)",
      "  Deployment shop/agent: the node's network",
      "Permissions that it grants:",
      "  ServiceAccount shop/web, in the whole cluster:",
      "    get URLs /metrics",
      "  ServiceAccount shop/web, in namespace shop:",
      "    get pods, pods/log",
      "Access to nodes:",
      "  Deployment shop/agent: port 53 of the node (container main)",
      "  Namespace shop: pods of the cluster's default level (Pod Security)",
      "Cluster-scoped objects:",
      "  ClusterRole root",
      "  ClusterRoleBinding root",
      "  Namespace shop",
      "  ValidatingWebhookConfiguration guard",
    ]);
  });

  it("includes roles without a binding, and roles that the cluster aggregates", () => {
    const { permissions } = asks(
      [
        role("ClusterRole", "a", [rule("get")]),
        role("ClusterRole", "b", [rule("list")], { [`${RBAC}/aggregate-to-admin`]: "true" }),
      ],
      "shop",
    );
    assert.deepEqual(
      permissions.map(({ subject }) => subject),
      ["everybody bound to ClusterRole a", "everybody bound to ClusterRole admin", "everybody bound to ClusterRole b"],
    );
  });

  it("includes roles that others may aggregate by label", () => {
    const labelled = role("ClusterRole", "a", [rule("get")], { "example.com/gather": "monitoring", app: "shop" });
    assert.deepEqual(
      asks([labelled], "shop").permissions.map(({ subject }) => subject),
      [
        "everybody bound to ClusterRole a",
        "everybody with a role that aggregates those labelled example.com/gather=monitoring",
      ],
    );
  });

  it("includes cluster-scoped custom resources of the bundle's own CRDs", () => {
    const widgets = [
      crd([{ spec: fields({}) }], { scope: "Cluster" }),
      object("example.com/v1", "Widget", "front"),
      object("unknown.io/v1", "Thing", "a"),
    ];
    assert.deepEqual(asks(widgets, "shop").clusterObjects, [
      "CustomResourceDefinition widgets.example.com",
      "Widget.example.com front",
    ]);
  });
});

describe("the text of the access that a bundle requests", () => {
  it("lists escalations first, rule by rule, and other owners' Secrets before roles", () => {
    const both = { apiGroups: [""], resources: ["configmaps", "secrets", "nodes"], verbs: ["get", "list"] };
    const bindings = { apiGroups: [RBAC], resources: ["clusterrolebindings"], verbs: ["delete", "get"] };
    const users = { apiGroups: [""], resources: ["users"], verbs: ["impersonate"] };
    const lines = asksText(
      asks(
        [
          role("ClusterRole", "r", [users, bindings, both]),
          binding("ClusterRoleBinding", "r", "ClusterRole", "r"),
          binding("ClusterRoleBinding", "v", "ClusterRole", "view"),
          deployment(container({ envFrom: [{ secretRef: { name: "theirs" } }] })),
        ],
        "shop",
      ),
    );
    assert.deepEqual(lines, [
      "Gives access to objects of other owners, or to the whole cluster:",
      "  Deployment shop/agent: reads Secret shop/theirs",
      "  ServiceAccount shop/web, in the whole cluster:",
      "    get, list secrets",
      `    delete clusterrolebindings of ${RBAC}`,
      "    impersonate users",
      "Permissions that it grants:",
      "  ServiceAccount shop/web, in the whole cluster:",
      "    get, list configmaps, nodes",
      `    get clusterrolebindings of ${RBAC}`,
      "  ServiceAccount shop/web, in the whole cluster: everything that ClusterRole view allows",
      "Cluster-scoped objects:",
      "  ClusterRole r",
      "  ClusterRoleBinding r",
      "  ClusterRoleBinding v",
    ]);
  });

  it("stays readable for a hundred objects", () => {
    const many = (count: number, make: (name: string) => KubeObject) =>
      Array.from({ length: count }, (_, i) => make(`o${i}`));
    const pods = {
      volumes: [{ hostPath: { path: "/dev" } }],
      containers: [{ name: "m", envFrom: [{ secretRef: { name: "x" } }] }],
    };
    const objects = [
      ...many(40, (name) => crd([{ spec: fields({}) }], { names: { kind: name, plural: name } })).map((one, i) => ({
        ...one,
        metadata: { name: `o${i}.example.com` },
      })),
      ...many(30, (name) => object("apps/v1", "DaemonSet", name, { spec: { template: { spec: pods } } })),
      ...many(30, (name) =>
        role("ClusterRole", name, [{ apiGroups: ["example.com"], resources: ["*"], verbs: ["*"] }]),
      ),
      ...many(30, (name) => binding("ClusterRoleBinding", name, "ClusterRole", name)),
    ];
    const lines = asksText(asks(objects, "shop"));
    assert.ok(lines.length <= 12, lines.join("\n"));
    assert.match(lines.join("\n"), /reads Secret shop\/x: DaemonSet shop\/o0, .*DaemonSet shop\/o9\n/);
    assert.match(lines.join("\n"), /CustomResourceDefinition \(40\): /);
  });

  it("contains no control characters or line breaks of its values", () => {
    const text = asksText({ ...NOTHING, others: ["a: reads\u001b[2J", "b\nApproved: all"], host: ["c\r\nx"] }).join(
      "\n",
    );
    assert.doesNotMatch(text, /\u001b|\r|^ *Approved/m);
  });
});

describe("access to nodes", () => {
  const cases: readonly (readonly [string, KubeObject, string[]])[] = [
    [
      "a path",
      deployment({ containers: [], volumes: [{ hostPath: { path: "/var/run" } }] }),
      ["path /var/run of the node"],
    ],
    [
      "a volume",
      object("v1", "PersistentVolume", "pv", { spec: { local: { path: "/disk" } } }),
      ["path /disk of the node"],
    ],
    [
      "processes",
      deployment({ ...container({}), hostPID: true, hostIPC: true }),
      ["the node's processes", "the node's shared memory"],
    ],
    [
      "capabilities",
      deployment(
        container({ securityContext: { capabilities: { add: ["SYS_ADMIN", "NET_BIND_SERVICE", "NET_ADMIN"] } } }),
      ),
      ["capabilities NET_ADMIN, SYS_ADMIN (container main)"],
    ],
    [
      "no profile",
      deployment(container({ securityContext: { seccompProfile: { type: "Unconfined" } } })),
      ["no seccomp profile (container main)"],
    ],
    [
      "all of /proc",
      deployment(container({ securityContext: { procMount: "Unmasked" } })),
      ["all of /proc (container main)"],
    ],
    [
      "a process of Windows",
      deployment({ ...container({}), securityContext: { windowsOptions: { hostProcess: true } } }),
      ["everything on the node (the pod is a process of the host)"],
    ],
    [
      "an init container",
      deployment({ containers: [], initContainers: [{ name: "init", securityContext: { privileged: true } }] }),
      ["everything on the node (container init is privileged)"],
    ],
    [
      "a pod in a custom resource",
      object("ray.io/v1", "RayCluster", "ray", {
        spec: { headGroupSpec: { template: { spec: { containers: [], hostNetwork: true } } } },
      }),
      ["the node's network"],
    ],
    [
      "pod settings in a custom resource",
      object("monitoring.coreos.com/v1", "Prometheus", "main", {
        spec: { hostNetwork: true, volumes: [{ hostPath: { path: "/" } }], securityContext: { privileged: true } },
      }),
      ["the node's network", "path / of the node", "everything on the node (the pod is privileged)"],
    ],
    [
      "a volume of a CSI driver, and one from a server",
      deployment({ containers: [], volumes: [{ csi: { driver: "disk.example.com" } }, { nfs: { server: "a" } }] }),
      ["volume of the CSI driver disk.example.com", "volume of type nfs (server a)"],
    ],
    ["volumes of the pod's own", deployment({ containers: [], volumes: [{ emptyDir: {} }, { configMap: {} }] }), []],
    [
      "another type of SELinux, and a setting of the kernel",
      deployment({
        ...container({ securityContext: { seLinuxOptions: { type: "spc_t" } } }),
        securityContext: { sysctls: [{ name: "kernel.msgmax" }, { name: "net.core.somaxconn" }] },
      }),
      ["setting kernel.msgmax of the node's kernel", "SELinux type spc_t (container main)"],
    ],
    [
      "traffic of every node",
      object("v1", "Service", "web", { spec: { externalIPs: ["10.0.0.1"] } }),
      ["what every node sends to 10.0.0.1"],
    ],
    [
      "a namespace whose pods may be anything",
      { ...object("v1", "Namespace", "n"), metadata: { name: "n", labels: { [ENFORCE]: "privileged" } } },
      ["pods of the level privileged (Pod Security)"],
    ],
    [
      "a namespace whose pods may be little",
      { ...object("v1", "Namespace", "n"), metadata: { name: "n", labels: { [ENFORCE]: "restricted" } } },
      [],
    ],
    [
      "a schema that only speaks of it",
      crd([{ spec: fields({ containers: { type: "array" }, hostNetwork: { type: "boolean" } }) }]),
      [],
    ],
    [
      "a right that is nothing special",
      deployment(container({ securityContext: { capabilities: { drop: ["ALL"] }, privileged: false } })),
      [],
    ],
  ];
  for (const [title, from, expected] of cases) {
    it(`is determined for ${title}`, () => assert.deepEqual(hostAccess(from), expected));
  }
});

describe("the list of objects of other owners that a bundle uses", () => {
  const used = (...objects: KubeObject[]): readonly string[] => asks(objects, "shop").others;

  it("includes the ServiceAccount of pods, unless the bundle includes it", () => {
    const pod = deployment({ ...container({}), serviceAccountName: "admin" });
    assert.deepEqual(used(pod), ["Deployment shop/agent: runs as ServiceAccount shop/admin"]);
    assert.deepEqual(used(pod, object("v1", "ServiceAccount", "admin")), []);
    assert.deepEqual(used(deployment({ ...container({}), serviceAccountName: "default" })), []);
    const elsewhere = { ...pod, metadata: { name: "agent", namespace: "kube-system" } };
    assert.deepEqual(used(elsewhere, object("v1", "ServiceAccount", "admin")), [
      "Deployment kube-system/agent: is in a namespace of others",
      "Deployment kube-system/agent: runs as ServiceAccount kube-system/admin",
    ]);
    const [runs, acts] = used(
      object("monitoring.coreos.com/v1", "Prometheus", "p", { spec: { serviceAccountName: "x" } }),
    );
    assert.equal(runs, "Prometheus shop/p: runs as ServiceAccount shop/x");
    assert.match(
      acts ?? "",
      /^Prometheus\.monitoring\.coreos\.com shop\/p \(content \w{12}\): runs pods with the account/,
    );
  });

  it("includes Secrets and claims that pods read in any way", () => {
    const from = { secretKeyRef: { name: "one", key: "k" } };
    const pod = deployment({
      ...container({ env: [{ name: "A", valueFrom: from }], envFrom: [{ secretRef: { name: "two" } }] }),
      volumes: [
        { secret: { secretName: "three" } },
        { projected: { sources: [{ secret: { name: "four" } }, { configMap: { name: "c" } }] } },
        { persistentVolumeClaim: { claimName: "data" } },
      ],
    });
    const reads = ["four", "one", "three", "two"].map((name) => `Deployment shop/agent: reads Secret shop/${name}`);
    const claims = "Deployment shop/agent: uses PersistentVolumeClaim shop/data";
    assert.deepEqual(used(pod), ["Deployment shop/agent: reads ConfigMap shop/c", ...reads, claims]);
    const own = ["ConfigMap c", "Secret two", "PersistentVolumeClaim data"].map((one) => one.split(" "));
    const objects = own.map(([kind = "", name = ""]) => object("v1", kind, name));
    assert.deepEqual(used(pod, ...objects), reads.slice(0, 3));
  });

  it("does not mistake objects of another API group for the bundle's own", () => {
    const pod = deployment({ ...container({ envFrom: [{ secretRef: { name: "db" } }] }), serviceAccountName: "admin" });
    const away = { ...pod, metadata: { name: "agent", namespace: "kube-system" } };
    const foreign = used(pod, away);
    assert.equal(foreign.length, 5);
    const named = (kind: string, name: string, namespace: string): KubeObject => ({
      ...object("secretsmanager.example.com/v1", kind, name),
      metadata: { name, namespace },
    });
    const others = ["shop", "kube-system"].flatMap((place) => [
      named("Secret", "db", place),
      named("ServiceAccount", "admin", place),
    ]);
    assert.deepEqual(
      used(pod, away, ...others, object("projects.example.com/v1", "Namespace", "kube-system")).filter(
        (line) => !line.includes(".example.com ") && !/(Secret|Account) .*: is in a namespace of others$/.test(line),
      ),
      foreign,
    );
  });

  it("includes Services, endpoints and policies that reach beyond the bundle", () => {
    const service = (spec: Json) => used(object("v1", "Service", "s", { spec }));
    assert.deepEqual(service({ type: "ClusterIP" }), []);
    assert.deepEqual(service({ type: "ExternalName", externalName: "a.example.com" }), [
      "Service shop/s: leads to a.example.com",
    ]);
    assert.deepEqual(service({ type: "NodePort" }), ["Service shop/s: is open on every node (NodePort)"]);
    assert.match(
      service({ type: "LoadBalancer" }).join(),
      /^Service shop\/s: is open to outside of the cluster as LoadBalancer \(content [0-9a-f]{12}\)$/,
    );
    assert.deepEqual(
      used(object("discovery.k8s.io/v1", "EndpointSlice", "e", { endpoints: [{ addresses: ["10.0.0.1"] }] })),
      ["EndpointSlice shop/e: leads to 10.0.0.1"],
    );
    assert.deepEqual(used(object("v1", "Endpoints", "e", { subsets: [{ addresses: [{ ip: "10.0.0.1" }] }] })), [
      "Endpoints shop/e: leads to 10.0.0.1",
    ]);
    const policy = (spec: Json) => used(object("networking.k8s.io/v1", "NetworkPolicy", "n", { spec }));
    const chosen = { podSelector: { matchLabels: { app: "web" } } };
    assert.match(
      policy({ ...chosen, ingress: [{ from: [chosen] }], policyTypes: ["Ingress"] }).join(),
      /^NetworkPolicy shop\/n: lets those that it names reach pods with app=web \(content [0-9a-f]{12}\)$/,
    );
    assert.deepEqual(policy({ ...chosen, policyTypes: ["Ingress"] }), []);
    assert.deepEqual(policy({ podSelector: {}, ingress: [{}] }), [
      "NetworkPolicy shop/n: lets everybody reach all pods of the namespace",
    ]);
    assert.deepEqual(
      policy({
        ...chosen,
        ingress: [{ from: [{ ipBlock: { cidr: "0.0.0.0/0" } }] }],
        egress: [{ to: [{ namespaceSelector: {} }] }],
      }),
      [
        "NetworkPolicy shop/n: lets everybody reach pods with app=web",
        "NetworkPolicy shop/n: lets pods with app=web reach everything",
      ],
    );
    const web = object("apps/v1", "Deployment", "web", {
      spec: { template: { metadata: { labels: { app: "web" } }, spec: container({}) } },
    });
    const budget = (app: string) =>
      object("policy/v1", "PodDisruptionBudget", "b", { spec: { selector: { matchLabels: { app } } } });
    assert.deepEqual(used(web, budget("web")), []);
    assert.deepEqual(used(web, budget("db")), [
      "PodDisruptionBudget shop/b: keeps pods of others from being evicted (app=db)",
    ]);
    const scaler = (name: string) =>
      object("autoscaling/v2", "HorizontalPodAutoscaler", "h", {
        spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name } },
      });
    assert.deepEqual(used(web, scaler("web")), []);
    assert.deepEqual(used(web, scaler("db")), [
      "HorizontalPodAutoscaler shop/h: changes the size of Deployment shop/db",
    ]);
  });

  it("includes Secrets of other kinds than pods, claims by name, and ways into the cluster", () => {
    const ingress = object("networking.k8s.io/v1", "Ingress", "i", { spec: { tls: [{ secretName: "tls" }] } });
    const route = used(ingress)[0] ?? "";
    assert.match(route, /^Ingress shop\/i \(content \w{12}\): receives requests of others for its hosts and paths$/);
    assert.deepEqual(used(ingress), [route, "Ingress shop/i: reads Secret shop/tls"]);
    assert.deepEqual(used(ingress, object("v1", "Secret", "tls")), [route]);
    assert.deepEqual(used(deployment({ ...container({}), imagePullSecrets: [{ name: "pull" }] })), [
      "Deployment shop/agent: reads Secret shop/pull",
    ]);
    assert.deepEqual(used(object("v1", "ServiceAccount", "a", { imagePullSecrets: [{ name: "pull" }] })), [
      "ServiceAccount shop/a: reads Secret shop/pull",
    ]);
    const token = object("v1", "Secret", "t", { type: "bootstrap.kubernetes.io/token" });
    assert.deepEqual(used(token), []);
    assert.match(
      used({ ...token, metadata: { name: "t", namespace: "kube-system" } })[0] ?? "",
      /^Secret kube-system\/t \(content \w{12}\): gives everybody who knows it access to the cluster/,
    );
    assert.deepEqual(hostAccess(deployment({ ...container({}), priorityClassName: "system-node-critical" })), [
      "the place of other pods on nodes (priority system-node-critical)",
    ]);
  });

  it("includes permissions that an existing binding grants to a new ServiceAccount", async () => {
    const theirs = [
      binding("ClusterRoleBinding", "waiting", "ClusterRole", "cluster-admin"),
      binding("ClusterRoleBinding", "own", "ClusterRole", "view"),
    ];
    const client = {
      list: ({ kind }: { kind: string }) => Promise.resolve(theirs.filter((one) => one.kind === kind)),
      discovery: { resource: () => Promise.resolve({ plural: "serviceaccounts" }) },
    } as unknown as Client;
    const own = [object("v1", "ServiceAccount", "web"), theirs[1] as KubeObject];
    const around = await lookAround(client, own, "shop");
    assert.deepEqual(
      around.bindings.map(({ metadata }) => metadata.name),
      ["waiting"],
    );
    const { permissions } = asks(own, "shop", undefined, around);
    assert.deepEqual(
      permissions.map(({ role }) => role),
      ["ClusterRole cluster-admin", "ClusterRole view"],
    );
    assert.deepEqual(await lookAround(client, [object("x.example.com/v1", "ServiceAccount", "web")], "shop"), ALONE);
  });

  it("includes foreign tokens, cloud roles and other namespaces", () => {
    const token = {
      ...object("v1", "Secret", "t", { type: "kubernetes.io/service-account-token" }),
      metadata: { name: "t", annotations: { "kubernetes.io/service-account.name": "admin" } },
    };
    assert.deepEqual(used(token), ["Secret shop/t: has a token of ServiceAccount shop/admin"]);
    const account = {
      ...object("v1", "ServiceAccount", "web"),
      metadata: { name: "web", annotations: { "eks.amazonaws.com/role-arn": "arn:aws:iam::1:role/r" } },
    };
    assert.deepEqual(used(account), [
      "ServiceAccount shop/web: has annotation eks.amazonaws.com/role-arn arn:aws:iam::1:role/r",
    ]);
    const away = { ...object("v1", "ConfigMap", "c"), metadata: { name: "c", namespace: "own" } };
    assert.match(used(away).join("\n"), /^ConfigMap own\/c \(content \w{12}\): is in a namespace of others$/);
    assert.deepEqual(used(away, object("v1", "Namespace", "own")), []);
  });
});

describe("the webhooks of a bundle", () => {
  it("are listed if they convert objects of a CRD", () => {
    const service = { clientConfig: { service: { namespace: "shop", name: "convert" } } };
    const converting = crd([{ spec: fields({}) }], { conversion: { strategy: "Webhook", webhook: service } });
    assert.deepEqual(webhooksIn(converting), ["conversion of widgets.example.com by Service shop/convert"]);
    assert.deepEqual(webhooksIn(crd([{ spec: fields({}) }])), []);
  });

  it("are listed with the objects that they change and the service that runs them", () => {
    const mutating = object("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", "m", {
      webhooks: [
        {
          name: "m.example.com",
          failurePolicy: "Ignore",
          clientConfig: { url: "https://example.com/m" },
          rules: [
            { apiGroups: ["*"], resources: ["*"], operations: ["*"] },
            { apiGroups: ["apps"], resources: ["deployments"], operations: ["CREATE"] },
          ],
        },
      ],
    });
    assert.deepEqual(webhooksIn(mutating), [
      "m.example.com changes every operation on everything; create on deployments of apps by https://example.com/m",
    ]);
  });
});

describe("the list of webhooks, policies and APIs", () => {
  const policy = (expression: string) =>
    object("admissionregistration.k8s.io/v1", "MutatingAdmissionPolicy", "m", {
      spec: { mutations: [{ expression }] },
    });

  it("changes with the content of a policy and the selectors of a webhook", () => {
    assert.match(webhooksIn(policy("a"))[0] ?? "", /^MutatingAdmissionPolicy m as \w{12}$/);
    assert.notDeepEqual(webhooksIn(policy("a")), webhooksIn(policy("b")));
    const webhook = (more: Json) =>
      object("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", "m", {
        webhooks: [{ name: "m.example.com", clientConfig: { url: "https://example.com" }, rules: [], ...more }],
      });
    const chosen = webhook({ namespaceSelector: { matchLabels: { team: "shop" } } });
    assert.match(webhooksIn(chosen)[0] ?? "", /changes nothing, chosen by namespaceSelector \w{12} by https/);
    assert.notDeepEqual(webhooksIn(chosen), webhooksIn(webhook({})));
  });

  it("includes an API that another server serves", () => {
    const service = { spec: { group: "m.io", service: { namespace: "shop", name: "api" } } };
    assert.deepEqual(webhooksIn(object("apiregistration.k8s.io/v1", "APIService", "v1.m.io", service)), [
      "the API v1.m.io by Service shop/api",
    ]);
  });
});

describe("the access that a new digest requests beyond the approved one", () => {
  const permission = (rules: Json[], namespace?: string, subject = "ServiceAccount shop/web") => ({
    ...NOTHING,
    permissions: [{ subject, rules: rules as never, ...(namespace === undefined ? {} : { namespace }) }],
  });
  const approved = permission([rule("get", "list")], "shop");

  it("is empty if the digest requests the same or less", () => {
    assert.ok(asksNothing(more(approved, approved)));
    assert.ok(asksNothing(more(approved, permission([{ ...rule("get"), resourceNames: ["a"] }], "shop"))));
    assert.ok(asksNothing(more(approved, NOTHING)));
    assert.ok(asksNothing(more(permission([{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }]), approved)));
  });

  it("contains exactly what was not approved", () => {
    assert.deepEqual(more(approved, permission([rule("get", "delete")], "shop")), permission([rule("delete")], "shop"));
    assert.deepEqual(more(approved, permission([rule("get")])), permission([rule("get")]));
    assert.deepEqual(
      more(approved, permission([rule("get")], "shop", "Group all")),
      permission([rule("get")], "shop", "Group all"),
    );
    assert.deepEqual(more(NOTHING, approved), approved);
  });

  it("includes a role of the cluster that was not approved", () => {
    const edit = (role: string): Asks => ({
      ...NOTHING,
      permissions: [{ subject: "s", namespace: "shop", rules: [], role }],
    });
    assert.ok(asksNothing(more(edit("ClusterRole edit"), edit("ClusterRole edit"))));
    assert.deepEqual(more(edit("ClusterRole edit"), edit("ClusterRole admin")), edit("ClusterRole admin"));
  });

  it("includes new objects, webhooks and access to nodes", () => {
    const old: Asks = { ...NOTHING, clusterObjects: ["Namespace a"], host: ["x"], webhooks: ["w"] };
    const next: Asks = {
      ...NOTHING,
      clusterObjects: ["Namespace a", "Namespace b"],
      host: ["y"],
      webhooks: ["w", "v"],
    };
    assert.deepEqual(more(old, next), { ...NOTHING, clusterObjects: ["Namespace b"], host: ["y"], webhooks: ["v"] });
  });
});
