import * as pulumi from "@pulumi/pulumi";
import * as stackyard from "stackyard";

const config = new pulumi.Config();
const cluster = { kubeconfig: { content: config.requireSecret("kubeconfig") } };
const namespaces = { ray: "team-ray", hub: "team-notebooks" };

// Ray's own autoscaler adds workers while tasks wait, and removes idle ones.
const ray = new stackyard.RayCluster("main", {
  cluster,
  mode: "autoscaling",
  namespace: namespaces.ray,
  createNamespace: true,
  networkPolicy: { clientNamespaces: [namespaces.hub] },
  head: { cpu: 2, memoryGb: 4 },
  workerGroups: { worker: { cpu: 4, memoryGb: 16, minReplicas: 0, maxReplicas: config.requireNumber("maxWorkers") } },
});

const hub = new stackyard.JupyterHub("hub", {
  cluster,
  namespace: namespaces.hub,
  // Anybody logs in with any name, which only stacks named dev or dev-… may have. Others use Auth0.
  auth: { type: "dummy" },
  storage: { sizeGb: 5 },
  // `ray.init()` and `ray job submit` read them. The image of notebooks needs the same Ray and Python as the cluster.
  environment: {
    RAY_ADDRESS: ray.endpoint.apply(({ address }) => address),
    RAY_API_SERVER_ADDRESS: ray.endpoint.apply(({ dashboard }) => dashboard),
  },
  // Notebooks reach no private network by default.
  values: {
    singleuser: {
      networkPolicy: {
        egress: [
          {
            to: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespaces.ray } } }],
            ports: [10001, 8265].map((port) => ({ protocol: "TCP", port })),
          },
        ],
      },
    },
  },
});

export const rayAddress = ray.endpoint.apply(({ address }) => address);
// Without a host, the command that forwards a port to the hub.
export const hubUrl = hub.url;
