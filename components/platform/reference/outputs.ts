/** One output of a platform stack. */
export interface OutputDoc {
  readonly name: string;
  readonly secret: boolean;
  readonly description: string;
  /** Whether a usual stack does not have it. */
  readonly sometimes?: boolean;
}

/** The outputs of `index.ts`, for the table in the docs. */
export const OUTPUTS: readonly OutputDoc[] = [
  {
    name: "provisioners",
    secret: true,
    description:
      "The set by name, each with all that a runtime needs: the pool of a static one; kubeconfig, namespace, host, image, limits and template texts of a Kubernetes one.",
  },
  { name: "defaultProvisioner", secret: false, description: "Name of the default one." },
  { name: "environments", secret: false, description: "Environment to its default provisioner." },
  {
    name: "provisionerRevisions",
    secret: false,
    description: "Provisioner to a digest of its settings; a runtime that another revision made is outdated.",
  },
  { name: "slot", secret: false, description: "Size of one slot: cpu, memoryGb, diskGb." },
  {
    name: "ledgerUrl",
    secret: true,
    description: "PostgreSQL URL of the ledger; absent when no provisioner is static.",
  },
  {
    name: "clickhouse",
    secret: true,
    sometimes: true,
    description: "How deployments get a ClickHouse database, by name; absent where there is no way.",
  },
  {
    name: "clickhouseRevisions",
    secret: false,
    sometimes: true,
    description: "The same as `provisionerRevisions` of those.",
  },
  {
    name: "kubeconfig",
    secret: true,
    description: "Kubeconfig of the platform's cluster, for people; absent in-cluster and without a cluster.",
  },
  {
    name: "jupyterhub",
    secret: false,
    sometimes: true,
    description:
      "Where JupyterHub is reached: its URL, or the command that forwards a port; absent where it is not on.",
  },
  {
    name: "jupyterhubLoadBalancer",
    secret: false,
    sometimes: true,
    description: "Name or address of its load balancer, to which DNS has to lead its host; absent where it has none.",
  },
  {
    name: "dataAccessRoles",
    secret: false,
    sometimes: true,
    description: "ARN of each role in `dataAccess`, by its name; absent without any.",
  },
  {
    name: "ray",
    secret: false,
    sometimes: true,
    description:
      "Ray clusters that run, by name: mode, namespace, service, address (`ray://…`), dashboard, rayVersion; absent when there are none.",
  },
  {
    name: "teraslice",
    secret: false,
    sometimes: true,
    description:
      "The Teraslice cluster: name, namespace, service, url, the command that forwards its port, and `podSpecOverride`, which jobs need where connectors have secrets; absent where it is not on.",
  },
  {
    name: "terasliceClusters",
    secret: false,
    sometimes: true,
    description: "More Teraslice clusters by name, each as `teraslice`; absent when there are none.",
  },
  {
    name: "service",
    secret: false,
    sometimes: true,
    description:
      "The provisioning service: namespace, url, and the command that forwards its port; absent where it is not on.",
  },
  {
    name: "bundles",
    secret: false,
    sometimes: true,
    description: "Instances of bundles by name: bundle, version, namespace, digest; absent when there are none.",
  },
  {
    name: "skipped",
    secret: false,
    sometimes: true,
    description:
      "Optional components that the last update skipped, each with the reason; absent when none was skipped.",
  },
];
