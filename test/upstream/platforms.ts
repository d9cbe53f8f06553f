/** Platforms on the yard that install the real charts, one mode after the other. */

import type { ChartName } from "../../components/charts/table";
import { RayOperator } from "../doubles/rayOperator/rayOperator";
import { World, type Place } from "../engine/runtime/world";
import type { RealCharts } from "./charts";
import { autoscalerNode } from "../engine/autoscaler/node";

interface Mode {
  readonly chart: ChartName;
  readonly title: string;
  readonly config: (namespace: string) => object;
}

const small = { cpu: 1, memoryGb: 1 };
const ray = (mode: string, workers: object) => (namespace: string) => {
  const one = { namespace, mode, pool: "", reservedCpu: 0, head: small, timeoutSeconds: 120 };
  return { ray: { one: { ...one, workerGroups: { worker: { ...small, ...workers } } } } };
};
const hub = (auth: object) => (namespace: string) => ({
  jupyterhub: {
    namespace,
    host: "hub.example.com",
    tls: { type: "offload" },
    service: { type: "ClusterIP" },
    auth,
    profiles: { small: { displayName: "Small", cpu: 1 }, large: { displayName: "Large", cpu: 2, memoryGb: 4 } },
    timeoutSeconds: 120,
  },
});
const AUTOSCALED = { name: "acme", region: "eu-central-1", version: "1.35" };
const autoscaler = (cluster: object) => () => ({
  clusterAutoscaler: { cluster: { ...AUTOSCALED, ...cluster }, timeoutSeconds: 60 },
});
const SCALED = { minReplicas: 0, maxReplicas: 2 };

/** In this order, so that each follows upon another of the same component. */
export const MODES: readonly Mode[] = [
  { chart: "kuberay-operator", title: "Ray with kuberay", config: ray("kuberay", SCALED) },
  { chart: "kuberay-operator", title: "Ray, kuberay to static", config: ray("static", { replicas: 1 }) },
  { chart: "kuberay-operator", title: "Ray, static to kuberay", config: ray("kuberay", SCALED) },
  { chart: "kuberay-operator", title: "Ray, kuberay to autoscaling", config: ray("autoscaling", SCALED) },
  { chart: "jupyterhub", title: "JupyterHub with dummy logins", config: hub({ type: "dummy", adminUsers: ["ann"] }) },
  {
    chart: "jupyterhub",
    title: "JupyterHub with Auth0",
    config: hub({ type: "auth0", domain: "acme.eu.auth0.com", clientId: "client", allowedGroups: ["data"] }),
  },
  {
    chart: "cluster-autoscaler",
    title: "cluster-autoscaler with a role",
    config: autoscaler({ roleArn: "arn:aws:iam::123456789012:role/acme" }),
  },
];

export interface Installed {
  readonly chart: ChartName;
  readonly title: string;
  /** Empty when all went well. */
  readonly trouble: string;
}

const NODE = autoscalerNode("upstream");

/** Installs what can be had in every mode; `report` hears of each. Pods of a yard do not run: a double is the Ray operator. */
export async function install(
  place: Place,
  { charts, mirror }: RealCharts,
  lockFile: string,
  report: (one: Installed) => void,
): Promise<void> {
  const world = new World(place);
  const namespace = `upstream-${world.tag}`;
  const operator = new RayOperator(place.kubeconfig, namespace);
  try {
    await world.apply("default", NODE);
    for (const { chart, title, config } of MODES) {
      const there = charts.find(({ name }) => name === chart);
      if (!there) continue;
      const versions = Object.fromEntries(charts.map(({ name, version }) => [name, version]));
      const spec = { namespace: "runtimes", host: "http://*.runtimes.localhost", image: "example/runtime" };
      await world.configure("platform", "dev", "stackyard", {
        cluster: { type: "existing", kubeconfig: { path: place.kubeconfig } },
        provisioners: { only: { type: "kubernetes", spec } },
        defaultProvisioner: "only",
        charts: { mirror, lock: "required", lockFile, versions },
        ...config(namespace),
      });
      if (title.includes("Auth0")) await secret(world);
      const up = await world.pulumi("platform", "up", "-s", "dev", "--yes", "--skip-preview");
      const settled = up.ok && (await world.pulumi("platform", "preview", "-s", "dev", "--expect-no-changes"));
      const trouble = !up.ok ? up.text : settled && !settled.ok ? `changes at once:\n${settled.text}` : "";
      report({ chart, title, trouble });
    }
  } finally {
    await operator.stop();
    world.remove();
  }
}

const secret = (world: World): Promise<string> => {
  const to = ["--secret", "--path", "jupyterhub.auth.clientSecret", "no-secret"];
  return world.must("platform", "config", "set", "-s", "dev", ...to);
};
