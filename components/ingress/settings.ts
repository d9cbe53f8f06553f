/** Decoded config of `ingress`, with all defaults. */
export interface IngressSettings {
  readonly awsLoadBalancerController?: LoadBalancerSettings;
  readonly nginx?: NginxSettings;
  readonly externalDns?: DnsSettings;
  readonly certManager?: CertificateSettings;
  /** IngressClasses that are already served. */
  readonly existing: readonly string[];
}

/** Settings that all of these charts share. */
export interface SystemChartSettings {
  /** ARN of an existing role. Default: one is created. */
  readonly roleArn?: string;
  readonly timeoutSeconds: number;
  /** Values of the chart that select images on a mirror. */
  readonly imageValues: Readonly<Record<string, unknown>>;
  /** Helm values of the upstream chart, merged last. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Where load balancers are reachable from. */
export type Scheme = "internet-facing" | "internal";

export interface LoadBalancerSettings extends SystemChartSettings {
  readonly className: string;
  readonly scheme: Scheme;
  readonly replicas: number;
  readonly allowCrdChanges: readonly string[];
}

export interface NginxSettings extends Omit<SystemChartSettings, "roleArn"> {
  readonly className: string;
  readonly scheme: Scheme;
  readonly replicas: number;
}

export interface DnsSettings extends SystemChartSettings {
  /** Ids of hosted zones in Route 53. */
  readonly zones: readonly string[];
  /** Domains to manage; empty: all domains of the zones. */
  readonly domains: readonly string[];
  readonly policy: "upsert-only" | "sync";
}

export interface CertificateSettings extends SystemChartSettings {
  /** Contact address for Let's Encrypt. */
  readonly email: string;
  /** Ids of hosted zones for DNS-01 challenges. Empty: HTTP-01 through an Ingress of the class. */
  readonly zones: readonly string[];
  readonly className: string;
  /** URL of the ACME server. */
  readonly server: string;
}

/** The EKS cluster to install on. */
export interface ServedCluster {
  readonly name: string;
  readonly region: string;
}
