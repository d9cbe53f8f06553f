import type { NamespaceConfig } from "../namespaces/settings";

/** What the service keeps in its Secret. */
export interface ServiceSecrets {
  /** PostgreSQL of the service. */
  readonly databaseUrl: string;
  /** Where the state of the stacks is. */
  readonly stateBackend?: string;
  /** Of the stacks' secrets. */
  readonly passphrase?: string;
  readonly webhookSecret?: string;
  /** Keys that seal secrets in its database, as `id:key`, the first for new ones. */
  readonly encryptionKeys?: string;
}

type KubernetesObject = Readonly<Record<string, unknown>>;

/** The config of the provisioning service, checked, with every default filled in. */
export interface ServiceSettings {
  /** Image with its tag or digest. */
  readonly image: string;
  readonly imagePullSecrets: readonly string[];
  readonly namespace: string;
  readonly createNamespace: boolean;
  /** What the namespace that the platform makes is protected by, where that is said. */
  readonly protection: NamespaceConfig;
  readonly replicas: number;
  /** What its Secret is made of; absent if it is an existing one. */
  readonly secrets?: ServiceSecrets;
  /** The Secret with those keys. */
  readonly secretName: string;
  /** Secret with kubeconfigs and other files, mounted at /etc/stackyard. */
  readonly filesSecretName?: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly resources: KubernetesObject;
  readonly terminationGracePeriodSeconds: number;
  readonly networkPolicy: {
    readonly enabled: boolean;
    readonly ingress: readonly KubernetesObject[];
    readonly metricsIngress: readonly KubernetesObject[];
    readonly egress: readonly KubernetesObject[];
  };
  /** `enabled` is absent if that follows from the cluster's kinds. */
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
  readonly timeoutSeconds: number;
}
