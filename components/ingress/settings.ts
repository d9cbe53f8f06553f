/** The config of what serves Ingresses, checked, with every default filled in. */
export interface IngressSettings {
  readonly awsLoadBalancerController?: LoadBalancerSettings;
  readonly nginx?: NginxSettings;
  readonly externalDns?: DnsSettings;
  readonly certManager?: CertificateSettings;
  /** IngressClasses that are served already. */
  readonly existing: readonly string[];
}

/** What every one of these charts has. */
export interface SystemChartSettings {
  /** Role that already exists. Default: one is made. */
  readonly roleArn?: string;
  readonly timeoutSeconds: number;
  /** Images that come from a mirror, as values of the chart. */
  readonly imageValues: Readonly<Record<string, unknown>>;
  /** Helm values of the upstream chart, merged last. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Where load balancers can be reached from. */
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
  /** Domains whose names it writes; empty: all of the zones. */
  readonly domains: readonly string[];
  readonly policy: "upsert-only" | "sync";
}

export interface CertificateSettings extends SystemChartSettings {
  /** Whom Let's Encrypt writes to. */
  readonly email: string;
  /** Ids of hosted zones by which it proves who owns a domain. Empty: by the Ingress of the class. */
  readonly zones: readonly string[];
  readonly className: string;
  /** URL of the ACME server. */
  readonly server: string;
}

/** The cluster on EKS that they run on. */
export interface ServedCluster {
  readonly name: string;
  readonly region: string;
}
