import type { ChosenCluster, Choices, FeatureName } from "./choices";

/** The stack file, with a comment for whoever changes it. */
export function stackFileText({ cluster, features, secretsProvider }: Choices): string {
  const provider = secretsProvider === undefined ? "" : `secretsprovider: ${JSON.stringify(secretsProvider)}\n`;
  return `# The platform of this stack. Remove a key to remove a feature, add one to add it: docs/config.md of Stackyard has them all.
# Set secrets with: pulumi config set --secret --path KEY
${provider}config:
${CLUSTERS[cluster.type](cluster as never)}${features.map((name) => TEXTS[name]).join("")}`;
}

type Of<Type> = Extract<ChosenCluster, { readonly type: Type }>;

const CLUSTERS = {
  existing: ({ kubeconfig, context }: Of<"existing">) => `  stackyard:cluster:
    type: existing
    kubeconfig: { path: ${JSON.stringify(kubeconfig)} }
    context: ${JSON.stringify(context)}
`,
  eks: ({
    name,
    region,
  }: Of<"eks">) => `  # Created with its network. An update by another principal needs it among access.admins.
  stackyard:cluster:
    type: eks
    name: ${name}
    region: ${region}
    version: "1.35"
    access: { creatorIsAdmin: true }
    nodePools:
      general: { instanceTypes: [m7i.xlarge, m7a.xlarge], min: 2, max: 6 }
`,
} as const;

const TEXTS: Readonly<Record<FeatureName, string>> = {
  ray: `  # A small Ray cluster on any node without taints. pool: NAME selects nodes with label and taint dedicated=NAME.
  stackyard:ray:
    main:
      mode: static
      pool: ""
      reservedCpu: 0
      head: { cpu: 1, memoryGb: 2 }
      workerGroups:
        worker: { cpu: 1, memoryGb: 2, replicas: 1 }
`,
  jupyterhub: `  # Whoever reaches it gets in, so it has no host. With a login (auth.type) it may have one, and run in any stack.
  stackyard:jupyterhub:
    auth: { type: dummy, adminUsers: [admin] }
`,
  bundle: `  # Manifests of your own: each folder of manifests is a bundle, each instance runs a version of one.
  stackyard:bundles:
    welcome:
      versions:
        1.0.0: { sources: [{ type: local, path: bundles/welcome }] }
  stackyard:instances:
    welcome: { bundle: welcome, createNamespace: true }
`,
  runtimes: `  # Each deployment gets its own workload: stackyard runtime up ID --version TAG. Put your host and image in.
  stackyard:defaultProvisioner: own
  stackyard:provisioners:
    own:
      type: kubernetes
      spec:
        namespace: runtimes
        createNamespace: true
        host: https://*.runtimes.example.com # each * is the id of a deployment; an Ingress of class nginx serves it
        image: example/runtime # without tag, which is the version of a deployment
        ping: "off" # a path such as /v1/ping that has to answer before a runtime is ready
`,
};
