/** What a new repository is to have. */
export interface Choices {
  /** Name of the platform stack. */
  readonly stack: string;
  readonly cluster: ChosenCluster;
  readonly features: readonly FeatureName[];
  /** URL of the state backend; undefined if PULUMI_BACKEND_URL names it. */
  readonly state?: string;
  /** URL of the secrets provider; undefined for a passphrase. */
  readonly secretsProvider?: string;
  /** Version or file of the npm package. */
  readonly packageSource: string;
}

export type ChosenCluster =
  | { readonly type: "existing"; readonly kubeconfig: string; readonly context: string }
  | { readonly type: "eks"; readonly name: string; readonly region: string };

/** Features to begin with, each with what it is. Every other key of the config can be added later. */
export const FEATURES_TO_CHOOSE = {
  ray: "a Ray cluster",
  jupyterhub: "notebooks",
  bundle: "manifests of your own",
  runtimes: "a runtime for each deployment",
} as const;

export type FeatureName = keyof typeof FEATURES_TO_CHOOSE;

/** Whether a URL names a folder of this machine, which CI can't read. */
export const isLocal = (state: string | undefined): boolean => state?.startsWith("file:") === true;

/** Whether CI needs a role on AWS: for the cluster, its state or its secrets. */
export const isOnAws = ({ cluster, state, secretsProvider }: Choices): boolean =>
  cluster.type === "eks" || [state, secretsProvider].some((url) => /^(s3|awskms):/.test(url ?? ""));
