const pulumi = require("@pulumi/pulumi");
const stackyard = require("stackyard");

const config = new pulumi.Config();
const cluster = {
  kubeconfig: { content: config.requireSecret("kubeconfig") },
  // Roles are created for it. The cluster-autoscaler needs tags on its node groups, and a node that it may run on.
  eks: { name: config.require("cluster"), region: "eu-central-1", version: config.get("version") ?? "1.35" },
};

new stackyard.MetricsServer("metrics", { cluster, replicas: config.getNumber("replicas") ?? 1 });
new stackyard.ClusterAutoscaler("autoscaler", { cluster, scaleDown: { unneededFor: "20m" } });
new stackyard.GpuDevicePlugin("gpus", { cluster });
const ingress = new stackyard.Ingress("ingress", {
  cluster,
  nginx: { className: "public", replicas: config.getNumber("replicas") ?? 1 },
  externalDns: { zones: ["Z0123456789ABCDEFGHIJ"], domains: ["team.example.com"] },
});

const hub = new stackyard.JupyterHub("hub", {
  cluster,
  namespace: "team-hub",
  releaseName: config.get("release") ?? "team-hub",
  host: "hub.team.example.com",
  tls: { type: "offload" },
  service: { type: "ClusterIP" },
  auth: {
    type: "auth0",
    domain: "team.eu.auth0.com",
    clientId: "zwLsZdOmbKRat6i5",
    clientSecret: config.requireSecret("clientSecret"),
    adminUsers: [config.get("admin") ?? "ann@example.com"],
  },
});

// Its Ingress is deleted before the controller that serves it.
const events = new stackyard.TerasliceCluster(
  "events",
  {
    cluster,
    image: "example/teraslice:1",
    createNamespace: true,
    ingress: { hosts: [{ host: "events.team.example.com" }], className: "public" },
    networkPolicy: { clientNamespaces: ["ingress-nginx"] },
    settings: { kubernetes_namespace: "team-events" },
    terafoundation: {
      log_level: config.get("logLevel") ?? "info",
      connectors: { "elasticsearch-next": { default: { node: ["https://opensearch.search.svc:9200"] } } },
    },
  },
  { dependsOn: ingress },
);

exports.hub = hub.url;
exports.hubNamespace = hub.namespace;
exports.teraslice = events.endpoint.apply(({ url }) => url);
exports.terasliceNamespace = events.endpoint.apply(({ namespace }) => namespace);
