/** Cluster-scoped objects that the upstream chart creates. Pure. */

import { valueAt } from "../../foundation/schema/describe";
import type { Path } from "../../foundation/schema/faults";
import { NAMING, type ClusterObject, type PlannedRelease } from "../charts/plannedRelease";
import type { JupyterHubSettings } from "./settings";

/** The set of JupyterHub's Secret, whose owner is that of the release. */
export const SECRET_SET = "jupyterhub-secret";

/** Names them like the chart does, with the user's values. */
export function clusterObjects({ releaseName, values }: ClusterNaming): ClusterObject[] {
  const fullname = fullnameOf(releaseName, values);
  const is = (path: Path, byDefault: boolean): boolean => (valueAt(values, path) ?? byDefault) === true;
  const roles = is(["scheduling", "userScheduler", "enabled"], true) && is(["rbac", "create"], true);
  const priorities = is(["scheduling", "podPriority", "enabled"], false);
  const named = (suffix: string): string => `${fullname === "" ? releaseName : fullname}-${suffix}`;
  const classes =
    fullname === ""
      ? [named("default-priority"), named("user-placeholder-priority"), named("image-puller-priority")]
      : [fullname, named("user-placeholder"), named("image-puller")];
  return [
    ...(roles ? ["ClusterRole", "ClusterRoleBinding"].map((kind) => ({ kind, name: named("user-scheduler") })) : []),
    ...(priorities ? classes.map((name) => ({ kind: "PriorityClass", name })) : []),
  ];
}

type ClusterNaming = Pick<JupyterHubSettings, "releaseName" | "values">;

/** Empty by default: then objects in the namespace have short names. */
function fullnameOf(release: string, values: ClusterNaming["values"]): string {
  const { fullnameOverride = "", nameOverride } = values;
  if (typeof fullnameOverride === "string") return fullnameOverride;
  // Null removes the chart's default, so the name is computed.
  const name = typeof nameOverride === "string" && nameOverride !== "" ? nameOverride : "jupyterhub";
  return release.includes(name) ? release : `${release}-${name}`;
}

/** The release with its cluster-scoped objects. */
export function hubRelease(hub: Pick<JupyterHubSettings, "releaseName" | "namespace" | "values">): PlannedRelease {
  const { releaseName: name, namespace, values } = hub;
  const isRenamed = NAMING in values;
  const [path, expected] = isRenamed
    ? [`jupyterhub.values.${NAMING}`, "a name that no other hub on the cluster has"]
    : ["jupyterhub", "a namespace and a releaseName of its own"];
  const owner = { namespace, name: SECRET_SET };
  return { path, name, namespace, owner, objects: clusterObjects(hub), isRenamed, expected };
}
