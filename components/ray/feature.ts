import { chartImages, mirrored, operatorImage, placedValues } from "../charts/images";
import { oneRelease } from "../charts/plannedRelease";
import { ROLES, WORKLOAD } from "../contract/needs";
import { afterIngress } from "../contract/site";
import { feature } from "../feature";
import { namespaceConfig } from "../namespaces/settings";
import { defaultImage, DEFAULT_POOL } from "./clusters";
import { type RayClusterConfig, raySchema } from "./config/schema";
import { decodeRay } from "./config/decode";
import { decodeRayOperator } from "./operator/config/decode";
import { rayOperatorSchema, type OperatorSettings } from "./operator/config/schema";
import { OPERATOR } from "./operator/plan";
import { imagesOf, onMirrorAll, placedPods } from "./pods";
import { isObject } from "../../foundation/json/isObject";
import { parseTaint } from "../cluster/nodePool/taint";

export interface RayPart {
  /** Enabled Ray clusters by name; not set if there are none. */
  readonly ray?: Readonly<Record<string, RayClusterConfig>>;
  /** The operator of Ray clusters in mode `kuberay`. */
  readonly rayOperator: OperatorSettings;
}

const isOperated = (clusters: RayPart["ray"] = {}): boolean =>
  Object.values(clusters).some(({ mode }) => mode === "kuberay");

/** Pools with the taint that Ray's pods tolerate: `dedicated=<pool>`. From values that were not checked. */
function usedPools({ ray, cluster }: Readonly<Record<string, unknown>>): string[] {
  if (!isObject(ray) || !isObject(cluster) || !isObject(cluster["nodePools"])) return [];
  const tolerated = new Set(Object.values(ray).flatMap(poolsOfCluster));
  return Object.entries(cluster["nodePools"]).flatMap(([name, pool]) => {
    const taints: unknown[] = isObject(pool) && Array.isArray(pool["taints"]) ? pool["taints"].map(parseTaint) : [];
    const isOurs = (taint: unknown) => isObject(taint) && taint["key"] === "dedicated" && tolerated.has(taint["value"]);
    return taints.some(isOurs) ? [name] : [];
  });
}

/** The pools that a Ray cluster uses, explicitly or by default. */
function poolsOfCluster(cluster: unknown): unknown[] {
  if (!isObject(cluster) || cluster["enabled"] === false) return [];
  const { pool = DEFAULT_POOL, head, workerGroups } = cluster;
  const pods = [head, ...(isObject(workerGroups) ? Object.values(workerGroups) : [])];
  return [pool, ...pods.map((pod) => isObject(pod) && pod["pool"])];
}

/** Ray clusters, with the KubeRay operator if one of them needs it. */
export const ray = feature({
  name: "ray",
  keys: { ray: raySchema.optional(), rayOperator: rayOperatorSchema.optional() },
  component: {
    name: "RayCluster",
    description: "A Ray cluster, with the KubeRay operator if its mode is `kuberay`.",
    places: [
      { at: ["ray", "<name>"], omit: ["enabled"] },
      { at: ["rayOperator"], argument: "operator" },
    ],
    outputs: {
      endpoint: {
        at: ["ray", "<name>"],
        type: "object",
        description: "How to reach it: mode, namespace, service, address (`ray://…`), dashboard, rayVersion, image.",
      },
    },
  },
  resources: ["rayJob"],
  ownCharts: ["ray-static-cluster"],
  reference: [
    {
      title: "Ray",
      intro: "[More about Ray](ray.md). A name is a-z, 0-9 and inner `-`, a letter first, 49 characters at most.",
      at: ["ray", "<name>"],
    },
    { title: "Worker groups", isNested: true, at: ["ray", "<name>", "workerGroups", "<group>"] },
    { title: "Jobs of Ray", isNested: true, at: ["ray", "<name>", "jobs", "<job>"] },
    { title: "Operator", isNested: true, intro: "The key `rayOperator`.", at: ["rayOperator"] },
  ],
  outputs: [
    {
      name: "ray",
      secret: false,
      sometimes: true,
      description:
        "Running Ray clusters by name: mode, namespace, service, address (`ray://…`), dashboard, rayVersion. Absent if there are none.",
    },
  ],

  decode(read, context): RayPart {
    const clusters = decodeRay(read("ray"), context);
    const rayOperator = decodeRayOperator(read("rayOperator"), clusters ?? {}, context);
    return { ...(clusters && { ray: clusters }), rayOperator };
  },
  offers: ({ ray: clusters = {} }) => ({
    rayClusters: Object.fromEntries(
      Object.entries(clusters).map(([name, { rayVersion, image }]) => [
        name,
        { rayVersion, image: image ?? defaultImage(rayVersion) },
      ]),
    ),
  }),
  mirrored: ({ ray: clusters, rayOperator, images, charts: { versions } }) => ({
    ...(clusters && { ray: onMirrorAll(clusters, images) }),
    rayOperator: {
      ...mirrored({ ...rayOperator, image: rayOperator.image ?? operatorImage(versions) }, images),
      values: placedValues(rayOperator.values, images),
    },
  }),
  usedPools,
  images: ({ ray: clusters = {}, rayOperator, images, charts }) => [
    ...(isOperated(clusters)
      ? [
          { component: "ray", role: "operator", image: rayOperator.image ?? operatorImage(charts.versions) },
          ...chartImages("ray", "kuberay-operator", { images, charts }, rayOperator.values).filter(
            ({ role }) => role !== "operator",
          ),
        ]
      : []),
    ...imagesOf(clusters),
  ],
  namespaces: ({ ray: clusters = {} }) =>
    Object.entries(clusters).map(([name, config]) => ({
      base: ["ray", name],
      createNamespace: config.createNamespace,
      namespace: config.namespace,
      config: namespaceConfig(config),
    })),
  pods: ({ ray: clusters = {} }) => placedPods(clusters),
  needs: ({ ray: clusters = {} }) =>
    Object.entries(clusters).map(([name, { mode, namespace, jobs }]) => ({
      ...{ path: `ray.${name}`, type: "objects", namespace },
      resources: [
        ...WORKLOAD,
        ...(mode === "static" ? [] : ROLES),
        ...(mode === "kuberay" ? ["rayclusters.ray.io"] : []),
        ...(jobs.some(({ schedule }) => schedule) ? ["cronjobs.batch"] : []),
      ],
    })),
  releases: ({ ray: clusters, rayOperator }) =>
    oneRelease(isOperated(clusters) ? rayOperator : undefined, {
      path: "ray",
      account: { release: OPERATOR, namespace: OPERATOR },
      expected: "one KubeRay operator on a cluster; use another mode in this stack",
    }),

  async create({ ray: clusters, rayOperator: operator }, site) {
    const { charts, provided } = site;
    const { cluster, roles } = provided;
    if (!cluster || !clusters) return undefined;
    const { Ray } = await import("./ray.js");
    const after = afterIngress(site);
    const options = { ...after, dependsOn: [...(roles ? [roles] : []), ...after.dependsOn] };
    const created = new Ray(site.named("ray"), { cluster, charts, clusters, operator }, options);
    return { stateful: [created], provides: { ray: created.reached }, outputs: { ray: created.endpoints } };
  },
});
