import type { NamespaceConfig } from "../namespaces/settings";

/** Content of the service's Secret. */
export interface ServiceSecrets {
  /** PostgreSQL URL of the service. */
  readonly databaseUrl: string;
  /** State backend of the stacks. */
  readonly stateBackend?: string;
  /** Passphrase of the stacks' secrets. */
  readonly passphrase?: string;
  readonly webhookSecret?: string;
  /** Keys that encrypt secrets in its database, as `id:key`. New secrets use the first one. */
  readonly encryptionKeys?: string;
}

type KubernetesObject = Readonly<Record<string, unknown>>;

/** Decoded config of the provisioning service, with all defaults. */
export interface ServiceSettings {
  /** Image with its tag or digest. */
  readonly image: string;
  readonly imagePullSecrets: readonly string[];
  readonly namespace: string;
  readonly createNamespace: boolean;
  /** Policies of the namespace that the platform creates, as far as the config sets them. */
  readonly protection: NamespaceConfig;
  readonly replicas: number;
  /** Number of pods by their use of CPU, instead of `replicas`. */
  readonly autoscaling?: {
    readonly minReplicas: number;
    readonly maxReplicas: number;
    readonly targetCPUUtilizationPercentage: number;
  };
  /** Content of its Secret; not set for an existing one. */
  readonly secrets?: ServiceSecrets;
  /** Name of the Secret with those keys. */
  readonly secretName: string;
  /** Name of a Secret with kubeconfigs and other files, mounted at /etc/stackyard. */
  readonly filesSecretName?: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Variables that are secrets, each with its key in the Secret. */
  readonly secretEnvironment: Readonly<Record<string, string>>;
  readonly resources: KubernetesObject;
  readonly terminationGracePeriodSeconds: number;
  readonly networkPolicy: {
    readonly enabled: boolean;
    readonly ingress: readonly KubernetesObject[];
    readonly metricsIngress: readonly KubernetesObject[];
    readonly egress: readonly KubernetesObject[];
  };
  /** `enabled` is not set if it depends on the kinds of the cluster. */
  readonly serviceMonitor: {
    readonly enabled?: boolean;
    readonly interval: string;
    readonly labels: Readonly<Record<string, string>>;
  };
  readonly ingress?: {
    readonly host: string;
    readonly className: string;
    readonly tlsSecretName: string;
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly serviceAccountAnnotations: Readonly<Record<string, string>>;
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly tolerations: readonly KubernetesObject[];
  readonly affinity: KubernetesObject;
  readonly priorityClassName?: string;
  readonly podAnnotations: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
}
