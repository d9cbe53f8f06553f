const pulumi = require("@pulumi/pulumi");
const stackyard = require("stackyard");

const config = new pulumi.Config();
const cluster = { kubeconfig: { content: config.requireSecret("kubeconfig") } };
const ledger = config.requireSecret("ledger");
const version = config.get("version") ?? "1.0.0";

// A runtime of its own, from a template of this program.
const own = new stackyard.KubernetesRuntime("own", {
  cluster,
  namespace: config.get("namespace") ?? "team-runtimes",
  createNamespace: true,
  host: "https://*.team.example.com",
  image: "registry.example.com/team/runtime",
  version,
  slots: 2,
  slot: { cpu: 0.5, memoryGb: 2, diskGb: 10 },
  ping: "off",
  templates: { statefulset: "templates/statefulset.yaml" },
});

// Slots on a host that several runtimes share.
const hosts = ["one", "two"].map((name) => `http://${name}.team.example.com`);
const pools = hosts.map(
  (host, index) =>
    new stackyard.StaticPool(`pool-${index}`, {
      ledgerUrl: ledger,
      pool: `team-pool-${index}`,
      hosts: [{ host, audienceUrl: host, dataDir: "/data", slots: 4 }],
    }),
);
const shared = new stackyard.StaticRuntime("shared", {
  ledger,
  pool: pools[config.getNumber("pool") ?? 0].pool,
  version,
  slots: config.getNumber("slots") ?? 1,
  allowMove: config.getBoolean("move"),
});

// Provisioners for runtimes with stacks of their own, which read these outputs.
const set = new stackyard.ProvisionerSet("set", {
  cluster,
  ledger,
  provisioners: {
    dedicated: {
      type: "kubernetes",
      spec: {
        namespace: "team-deployments",
        createNamespace: true,
        host: "https://*.team.example.com",
        image: "registry.example.com/team/runtime",
        ping: "off",
      },
    },
  },
  defaultProvisioner: "dedicated",
});

exports.own = own.host;
exports.cpu = own.cpu;
exports.shared = shared.host;
exports.provisioners = set.provisioners;
exports.defaultProvisioner = set.defaultProvisioner;
exports.environments = set.environments;
exports.provisionerRevisions = set.provisionerRevisions;
exports.slot = set.slot;
