import type { Platform } from "../../../components/runtime/platform/platform";
import type { KubernetesProvisioner } from "../../../components/runtime/types/kubernetes/spec";
import type { Deployment } from "../../../components/runtime/request/deployment";

export const EU: KubernetesProvisioner = {
  type: "kubernetes",
  kubeconfig: "apiVersion: v1\nkind: Config\n",
  cluster: "https://eu.example.com:6443",
  namespace: "runtimes",
  host: "https://node-*.eu.example.com",
  image: "example/runtime",
  timeoutSeconds: 30,
  dataDir: "/mnt/data",
  ping: "/v1/ping",
  templates: [],
};

/** A platform with a pool, two provisioners in one namespace of a cluster, and one elsewhere. */
export const PLATFORM: Platform = {
  provisioners: {
    shared: { type: "static", pool: "dev/shared" },
    eu: EU,
    "eu-next": { ...EU, image: "example/next" },
    us: { ...EU, cluster: "https://us.example.com:6443", host: "https://*.us.example.com" },
  },
  defaultProvisioner: "eu",
  environments: { dev: "shared" },
  slot: { cpu: 1, memoryGb: 4, diskGb: 40 },
  ledgerUrl: "postgres://localhost/ledger",
  provisionerRevisions: { shared: "r0", eu: "r1", "eu-next": "r2", us: "r3" },
};

export const DEPLOYMENT: Deployment = {
  id: "acme",
  slots: 1,
  version: "0.50.0",
  environment: "prod",
  annotations: {},
  state: "running",
};
