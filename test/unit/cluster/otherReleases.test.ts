import assert from "node:assert/strict";
import { checkReleases, refuseGone } from "../../../components/platform/checks/otherReleases";
import { jupyterhub } from "../../../components/jupyterhub/feature";
import type { PlatformConfig } from "../../../components/platform/config/platformConfig";
import { plannedReleases } from "../../../components/platform/facts";
import type { StateResources } from "../../../components/resources/ownState";
import { takenName } from "../../../provider/functions/readReleases";
import { mock } from "../runtime/mocks";

const config = (more: object = {}): PlatformConfig =>
  ({
    cluster: { type: "existing", access: { kubeconfig: "clusters: []" } },
    jupyterhub: { releaseName: "jupyterhub", namespace: "lab", values: {} },
    ray: { one: { mode: "kuberay" } },
    rayOperator: { values: {} },
    ingress: { nginx: { values: {} } },
    clusterAutoscaler: { values: {} },
    ...more,
  }) as unknown as PlatformConfig;
const release = (name: string, namespace: string) => ({
  type: "kubernetes:helm.sh/v3:Release",
  outputs: { name, namespace },
});

const role = (name: string) => ({ kind: "ClusterRole", name });
const owner = (name: string) => ({ namespace: "kube-system", name: `release-${name}` });
const nginx = {
  name: "ingress-nginx",
  namespace: "ingress-nginx",
  owner: owner("ingress-nginx"),
  objects: [role("ingress-nginx")],
};

describe("Helm releases on a cluster with other releases", () => {
  let asked: Record<string, unknown>[];
  const answering = (answer: Record<string, unknown>): void => {
    asked = [];
    mock(
      () => ({}),
      ({ token, inputs }) => {
        assert.equal(token, "stackyard:index:readReleases");
        asked.push(inputs);
        return answer;
      },
    );
  };
  const checked = async (given: PlatformConfig, state: StateResources = {}): Promise<void> => {
    await jupyterhub.look?.(given, Promise.resolve(state));
    await checkReleases(given.cluster, plannedReleases(given), Promise.resolve(state));
  };

  it("are rejected before anything is changed, each with the conflicting object", async () => {
    const taken = "ClusterRole jupyterhub-user-scheduler of the Helm release jupyterhub in namespace jupyterhub";
    answering({ found: ["", "", "a Helm release kuberay-operator in namespace kuberay-operator", taken] });
    await assert.rejects(checked(config()), {
      message: [
        "The cluster has Helm releases that this stack does not own; nothing was changed.",
        "  - stackyard:ray: found a Helm release kuberay-operator in namespace kuberay-operator; expected one KubeRay operator on a cluster; use another mode in this stack",
        `  - stackyard:jupyterhub: found ${taken}; expected a namespace and a releaseName of its own`,
        "If an interrupted update of this stack left one, which no other platform uses, remove it: helm uninstall NAME --namespace NAMESPACE",
      ].join("\n"),
    });
    assert.deepEqual(asked[0]?.["releases"], [
      {
        ...{ name: "cluster-autoscaler", namespace: "kube-system", owner: owner("cluster-autoscaler") },
        objects: [role("cluster-autoscaler")],
      },
      nginx,
      {
        ...{ name: "kuberay-operator", namespace: "kuberay-operator", owner: owner("kuberay-operator") },
        objects: [role("kuberay-operator")],
      },
      {
        name: "jupyterhub",
        namespace: "lab",
        owner: { namespace: "lab", name: "jupyterhub-secret" },
        objects: [
          { kind: "ClusterRole", name: "jupyterhub-user-scheduler" },
          { kind: "ClusterRoleBinding", name: "jupyterhub-user-scheduler" },
        ],
      },
    ]);
  });

  it("are installed if nothing conflicts, or if the cluster does not answer", async () => {
    answering({ found: ["", "", "", ""] });
    await checked(config());
    answering({ found: [], trouble: "no route to host" });
    await checked(config());
  });

  it("are rejected if another Service provides the metrics API", async () => {
    const api = "APIService v1beta1.metrics.k8s.io of Service kube-system/metrics-server";
    answering({ found: [api] });
    const only = { cluster: config().cluster, metricsServer: { values: {} } } as unknown as PlatformConfig;
    await assert.rejects(checked(only), new RegExp(`stackyard:metricsServer: found ${api}; expected one on a cluster`));
    const [asks] = asked[0]?.["releases"] as unknown[];
    assert.deepEqual(asks, {
      name: "metrics-server",
      namespace: "kube-system",
      owner: owner("metrics-server"),
      objects: [role("system:metrics-server")],
      apiService: "v1beta1.metrics.k8s.io",
    });
  });

  it("are checked only if they are new to the stack", async () => {
    answering({ found: ["a Helm release ingress-nginx in namespace ingress-nginx"] });
    const state = {
      a: release("jupyterhub", "lab"),
      b: release("kuberay-operator", "kuberay-operator"),
      c: release("cluster-autoscaler", "kube-system"),
    };
    await assert.rejects(checked(config(), state), /stackyard:ingress\.nginx: found a Helm release ingress-nginx/);
    assert.deepEqual(asked[0]?.["releases"], [nginx]);
    answering({});
    await checked(config({ ingress: undefined }), state);
    await checked(config({ cluster: { type: "eks" } }));
    await checked(config({ jupyterhub: undefined, ray: {}, ingress: undefined, clusterAutoscaler: undefined }));
    assert.deepEqual(asked, []);
  });

  it("are rejected when they are gone, with what installs them again", async () => {
    const given = config({ jupyterhub: undefined, ray: {}, clusterAutoscaler: undefined });
    const { type, outputs } = release("ingress-nginx", "ingress-nginx");
    const state = { a: { type, outputs: { ...outputs, status: { revision: 3 } } } };
    const gone = async (revisions: readonly number[]): Promise<readonly string[]> => {
      answering({ found: [], revisions });
      const found = await checkReleases(given.cluster, plannedReleases(given), Promise.resolve(state));
      assert.deepEqual(asked[0]?.["installed"], [{ ...outputs, revision: 3 }]);
      if (found.gone.length > 0)
        assert.throws(() => refuseGone(found), /nothing was changed[^]*pulumi refresh --stack/);
      else refuseGone(found);
      return found.gone;
    };
    assert.deepEqual([await gone([3]), await gone([4]), await gone([])], [[], [], []]);
    assert.deepEqual(await gone([0]), [
      "  - stackyard:ingress.nginx: Helm release ingress-nginx in namespace ingress-nginx is gone",
    ]);
  });

  it("are looked for in a cluster that the platform created, by the access of their records", async () => {
    const given = config({ cluster: { type: "eks" }, jupyterhub: undefined, ray: {}, clusterAutoscaler: undefined });
    const { type, outputs } = release("ingress-nginx", "ingress-nginx");
    const installed = { type, outputs: { ...outputs, status: { revision: 3 } } };
    const { namespace, name } = owner("ingress-nginx");
    const record = { type: "stackyard:index:ManifestSet", outputs: { namespace, name, kubeconfig: "of the state" } };
    answering({ found: [], revisions: [0] });
    const found = async (state: StateResources) =>
      (await checkReleases(given.cluster, plannedReleases(given), Promise.resolve(state))).gone.length;
    assert.deepEqual([await found({ installed }), asked], [0, []]);
    assert.equal(await found({ installed, record }), 1);
    assert.deepEqual([asked[0]?.["kubeconfig"], asked[0]?.["releases"]], ["of the state", []]);
  });

  it("may replace releases of the same stack in another namespace", async () => {
    answering({ found: ["", "", "", ""] });
    await checked(config(), { a: release("jupyterhub", "before"), b: { type: "other", outputs: {} } });
    assert.deepEqual(asked[0]?.["own"], ["before/jupyterhub"]);
  });

  it("cannot be renamed, because Helm never changes the name of a release", async () => {
    const type = "urn:pulumi:dev::stackyard::stackyard:index:JupyterHub$kubernetes:helm.sh/v3:Release";
    const urn = `${type}::jupyterhub-release`;
    const ofComponent = `${type}::team-jupyterhub-release`;
    for (const [type, installed] of [
      ["existing", urn],
      ["eks", urn],
      ["existing", ofComponent],
    ] as const) {
      answering({ found: [] });
      await assert.rejects(checked(config({ cluster: { type } }), { [installed]: release("hub", "lab") }), {
        message:
          'stackyard:jupyterhub.releaseName: found "jupyterhub"; expected "hub", by which it is installed, or another namespace. Nothing was changed.',
      });
      assert.deepEqual(asked, []);
    }
    answering({ found: ["", "", "", ""] });
    await checked(config(), { [urn]: release("hub", "before") });
  });

  it("are checked in every update if their values name cluster-scoped objects", async () => {
    const own = { a: release("jupyterhub", "lab"), b: release("ingress-nginx", "ingress-nginx") };
    const hub = { releaseName: "jupyterhub", namespace: "lab", values: { fullnameOverride: "hub" } };
    const renamed = { jupyterhub: hub, ingress: { nginx: { values: { fullnameOverride: "edge" } } } };
    answering({ found: ["", "ClusterRole hub-user-scheduler of the Helm release other in namespace other"] });
    await assert.rejects(
      checked(config({ ...renamed, ray: undefined, clusterAutoscaler: undefined }), own),
      /stackyard:jupyterhub\.values\.fullnameOverride: found ClusterRole hub-user-scheduler of the Helm release other in namespace other; expected a name that no other hub on the cluster has\n/,
    );
    assert.deepEqual(
      (asked[0]?.["releases"] as { objects: unknown[] }[]).map(({ objects }) => objects[0]),
      [role("edge"), role("hub-user-scheduler")],
    );
    assert.deepEqual(asked[0]?.["own"], ["lab/jupyterhub", "ingress-nginx/ingress-nginx"]);
  });

  it("conflict with the cluster-scoped objects of a release with the same name elsewhere", () => {
    const clusterRole = (name: string, place: string | undefined, of = "jupyterhub") => ({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: {
        name,
        annotations: {
          "meta.helm.sh/release-name": of,
          ...(place !== undefined && { "meta.helm.sh/release-namespace": place }),
        },
      },
    });
    const wanted = { name: "jupyterhub", namespace: "lab", owner: owner("hub"), objects: [role("mine")] };
    assert.equal(
      takenName(wanted, [clusterRole("jupyterhub-user-scheduler", "jupyterhub")]),
      "ClusterRole jupyterhub-user-scheduler of the Helm release jupyterhub in namespace jupyterhub",
    );
    const priority = { ...clusterRole("jupyterhub-default-priority", "jupyterhub"), kind: "PriorityClass" };
    assert.equal(
      takenName(wanted, [priority]),
      "PriorityClass jupyterhub-default-priority of the Helm release jupyterhub in namespace jupyterhub",
      "a hub without a scheduler of its own has only these",
    );
    assert.equal(
      takenName(wanted, [clusterRole("mine", "other", "theirs")]),
      "ClusterRole mine of the Helm release theirs in namespace other",
      "values may name it, whatever the release",
    );
    for (const other of [
      clusterRole("jupyterhub-user-scheduler", "lab"),
      clusterRole("jupyterhub-user-scheduler", undefined),
      clusterRole("jupyterhub-user-scheduler", "other", "jupyterhub2"),
      clusterRole("scheduler", "jupyterhub"),
      clusterRole("mine", "lab"),
      { ...clusterRole("mine", "other", "theirs"), kind: "PriorityClass" },
    ])
      assert.equal(takenName(wanted, [other]), undefined, other.metadata.name);
  });
});
