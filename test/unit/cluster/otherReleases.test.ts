import assert from "node:assert/strict";
import { checkReleases, type ReleasesConfig } from "../../../components/cluster/otherReleases";
import type { StateResources } from "../../../components/resources/ownState";
import { takenName } from "../../../provider/functions/readReleases";
import { mock } from "../runtime/mocks";

const config = (more: object = {}): ReleasesConfig =>
  ({
    cluster: { type: "existing", access: { kubeconfig: "clusters: []" } },
    jupyterhub: { releaseName: "jupyterhub", namespace: "lab" },
    ray: { one: { mode: "kuberay" } },
    ingress: { nginx: {} },
    clusterAutoscaler: {},
    ...more,
  }) as unknown as ReleasesConfig;
const release = (name: string, namespace: string) => ({
  type: "kubernetes:helm.sh/v3:Release",
  outputs: { name, namespace },
});

describe("Helm releases on a cluster that has others", () => {
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
  const checked = (given: ReleasesConfig, state: StateResources = {}): Promise<void> =>
    checkReleases(given, Promise.resolve(state));

  it("are refused before anything is changed, each with what is in its way", async () => {
    const role = "ClusterRole jupyterhub-user-scheduler of the Helm release jupyterhub in namespace jupyterhub";
    answering({ found: [role, "a Helm release kuberay-operator in namespace kuberay-operator", "", ""] });
    await assert.rejects(checked(config()), {
      message: [
        "The cluster has Helm releases that this stack does not own; nothing was changed.",
        `  - stackyard:jupyterhub: found ${role}; expected a namespace and a releaseName of its own`,
        "  - stackyard:ray: found a Helm release kuberay-operator in namespace kuberay-operator; expected one KubeRay operator on a cluster; use another mode in this stack",
        "If an interrupted update of this stack left one, remove it: helm uninstall NAME --namespace NAMESPACE",
      ].join("\n"),
    });
    assert.deepEqual(asked[0]?.["releases"], [
      { name: "jupyterhub", namespace: "lab" },
      { name: "kuberay-operator", namespace: "kuberay-operator" },
      { name: "cluster-autoscaler", namespace: "kube-system" },
      { name: "ingress-nginx", namespace: "ingress-nginx" },
    ]);
  });

  it("are installed where nothing is in their way, and where the cluster does not answer", async () => {
    answering({ found: ["", "", "", ""] });
    await checked(config());
    answering({ found: [], trouble: "no route to host" });
    await checked(config());
  });

  it("are refused where something else serves the metrics API, which a cluster has once", async () => {
    const api = "APIService v1beta1.metrics.k8s.io of Service kube-system/metrics-server";
    answering({ found: [api] });
    const only = { cluster: config().cluster, metricsServer: {} } as unknown as ReleasesConfig;
    await assert.rejects(checked(only), new RegExp(`stackyard:metricsServer: found ${api}; expected one on a cluster`));
    const [asks] = asked[0]?.["releases"] as unknown[];
    assert.deepEqual(asks, { name: "metrics-server", namespace: "kube-system", apiService: "v1beta1.metrics.k8s.io" });
  });

  it("are asked about when they are new to the stack, and not in every update", async () => {
    answering({ found: ["a Helm release ingress-nginx in namespace ingress-nginx"] });
    const state = {
      a: release("jupyterhub", "lab"),
      b: release("kuberay-operator", "kuberay-operator"),
      c: release("cluster-autoscaler", "kube-system"),
    };
    await assert.rejects(checked(config(), state), /stackyard:ingress\.nginx: found a Helm release ingress-nginx/);
    assert.deepEqual(asked[0]?.["releases"], [{ name: "ingress-nginx", namespace: "ingress-nginx" }]);
    answering({});
    await checked(config({ ingress: undefined }), state);
    await checked(config({ cluster: { type: "eks" } }));
    await checked(config({ jupyterhub: undefined, ray: {}, ingress: undefined, clusterAutoscaler: undefined }));
    assert.deepEqual(asked, []);
  });

  it("may be those that the stack itself has elsewhere, which go first", async () => {
    answering({ found: ["", "", "", ""] });
    await checked(config(), { a: release("jupyterhub", "before"), b: { type: "other", outputs: {} } });
    assert.deepEqual(asked[0]?.["own"], ["before/jupyterhub"]);
  });

  it("keep the name that they were installed by, which Helm never changes", async () => {
    const urn =
      "urn:pulumi:dev::stackyard::stackyard:index:JupyterHub$kubernetes:helm.sh/v3:Release::jupyterhub-release";
    for (const type of ["existing", "eks"]) {
      answering({ found: [] });
      await assert.rejects(checked(config({ cluster: { type } }), { [urn]: release("hub", "lab") }), {
        message:
          'stackyard:jupyterhub.releaseName: found "jupyterhub"; expected "hub", by which it is installed, or another namespace. Nothing was changed.',
      });
      assert.deepEqual(asked, []);
    }
    answering({ found: ["", "", "", ""] });
    await checked(config(), { [urn]: release("hub", "before") });
  });

  it("have the names of one elsewhere when both have the same name", () => {
    const role = (name: string, place: string | undefined, of = "jupyterhub") => ({
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
    const wanted = { name: "jupyterhub", namespace: "lab" };
    assert.equal(
      takenName(wanted, [role("jupyterhub-user-scheduler", "jupyterhub")]),
      "ClusterRole jupyterhub-user-scheduler of the Helm release jupyterhub in namespace jupyterhub",
    );
    const priority = { ...role("jupyterhub-default-priority", "jupyterhub"), kind: "PriorityClass" };
    assert.equal(
      takenName(wanted, [priority]),
      "PriorityClass jupyterhub-default-priority of the Helm release jupyterhub in namespace jupyterhub",
      "a hub without a scheduler of its own has only these",
    );
    for (const other of [
      role("jupyterhub-user-scheduler", "lab"),
      role("jupyterhub-user-scheduler", undefined),
      role("jupyterhub-user-scheduler", "other", "jupyterhub2"),
      role("scheduler", "jupyterhub"),
    ])
      assert.equal(takenName(wanted, [other]), undefined, other.metadata.name);
  });
});
