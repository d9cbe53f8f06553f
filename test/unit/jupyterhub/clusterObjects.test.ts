import assert from "node:assert/strict";
import { clusterObjects } from "../../../components/jupyterhub/clusterObjects";

describe("the cluster-scoped objects of JupyterHub", () => {
  const names = (values: Record<string, unknown>, releaseName = "jupyterhub"): string[] =>
    clusterObjects({ releaseName, values }).map(({ kind, name }) => `${kind} ${name}`);
  const prioritised = { scheduling: { podPriority: { enabled: true }, userScheduler: { enabled: false } } };

  it("are named after the release, or as the values specify", () => {
    assert.deepEqual(names({}, "lab"), ["ClusterRole lab-user-scheduler", "ClusterRoleBinding lab-user-scheduler"]);
    assert.deepEqual(names({ fullnameOverride: "hub" })[0], "ClusterRole hub-user-scheduler");
    assert.deepEqual(names({ fullnameOverride: "" }, "lab")[0], "ClusterRole lab-user-scheduler");
    assert.deepEqual(names({ fullnameOverride: null }, "lab")[0], "ClusterRole lab-jupyterhub-user-scheduler");
    assert.deepEqual(names({ fullnameOverride: null }, "jupyterhub-2")[0], "ClusterRole jupyterhub-2-user-scheduler");
    assert.deepEqual(
      names({ fullnameOverride: null, nameOverride: "n" }, "lab")[0],
      "ClusterRole lab-n-user-scheduler",
    );
    assert.deepEqual(names({ nameOverride: "n" }, "lab")[0], "ClusterRole lab-user-scheduler");
  });

  it("depend on the values", () => {
    assert.deepEqual(names({ rbac: { create: false } }), []);
    assert.deepEqual(names(prioritised, "lab"), [
      "PriorityClass lab-default-priority",
      "PriorityClass lab-user-placeholder-priority",
      "PriorityClass lab-image-puller-priority",
    ]);
    assert.deepEqual(names({ ...prioritised, fullnameOverride: "hub" }), [
      "PriorityClass hub",
      "PriorityClass hub-user-placeholder",
      "PriorityClass hub-image-puller",
    ]);
  });
});
