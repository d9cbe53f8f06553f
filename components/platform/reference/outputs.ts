/** Documentation of a stack output. */
export interface OutputDoc {
  readonly name: string;
  readonly secret: boolean;
  readonly description: string;
  /** Whether a typical stack lacks it. */
  readonly sometimes?: boolean;
}

/** The outputs of `index.ts`, for the table in the docs. */
export const OUTPUTS: readonly OutputDoc[] = [
  {
    name: "provisioners",
    secret: true,
    description:
      "Provisioners by name with everything that a runtime needs: the pool of a static one; kubeconfig, namespace, host, image, limits and templates of a Kubernetes one.",
  },
  { name: "defaultProvisioner", secret: false, description: "Name of the default provisioner." },
  { name: "environments", secret: false, description: "Default provisioner of each environment." },
  {
    name: "provisionerRevisions",
    secret: false,
    description:
      "Digest of the settings of each provisioner. A runtime is outdated if it was created with another digest.",
  },
  { name: "slot", secret: false, description: "Size of one slot: cpu, memoryGb, diskGb." },
  {
    name: "ledgerUrl",
    secret: true,
    description: "PostgreSQL URL of the ledger. Absent if no provisioner is static.",
  },
  {
    name: "clickhouse",
    secret: true,
    sometimes: true,
    description: "ClickHouse provisioners by name. Absent if there are none.",
  },
  {
    name: "clickhouseRevisions",
    secret: false,
    sometimes: true,
    description: "Digest of the settings of each ClickHouse provisioner.",
  },
  {
    name: "kubeconfig",
    secret: true,
    description: "Kubeconfig of the platform's cluster, for users. Absent in-cluster and without a cluster.",
  },
  {
    name: "jupyterhub",
    secret: false,
    sometimes: true,
    description: "URL of JupyterHub, or the command that forwards a port. Absent without JupyterHub.",
  },
  {
    name: "jupyterhubLoadBalancer",
    secret: false,
    sometimes: true,
    description:
      "Host name or address of JupyterHub's load balancer, for the DNS record of its host. Absent if it has none.",
  },
  {
    name: "dataAccessRoles",
    secret: false,
    sometimes: true,
    description: "ARN of each role in `dataAccess`, by name. Absent if there are none.",
  },
  {
    name: "ray",
    secret: false,
    sometimes: true,
    description:
      "Running Ray clusters by name: mode, namespace, service, address (`ray://…`), dashboard, rayVersion. Absent if there are none.",
  },
  {
    name: "teraslice",
    secret: false,
    sometimes: true,
    description:
      "The Teraslice cluster: name, namespace, service, url, the command that forwards its port, and `podSpecOverride`, which jobs need if connectors have secrets. Absent without Teraslice.",
  },
  {
    name: "terasliceClusters",
    secret: false,
    sometimes: true,
    description: "Additional Teraslice clusters by name, each as `teraslice`. Absent if there are none.",
  },
  {
    name: "service",
    secret: false,
    sometimes: true,
    description: "The provisioning service: namespace, url, and the command that forwards its port. Absent without it.",
  },
  {
    name: "bundles",
    secret: false,
    sometimes: true,
    description: "Instances of bundles by name: bundle, version, namespace, digest. Absent if there are none.",
  },
  {
    name: "skipped",
    secret: false,
    sometimes: true,
    description: "Optional components that the last update skipped, with the reason. Absent if there are none.",
  },
];
