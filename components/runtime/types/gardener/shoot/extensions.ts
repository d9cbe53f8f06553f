import type { ClusterRequest } from "../../../request/cluster/shape";

/** The extensions of every Shoot. Pure. kubernetes/gardener/ adds the one for audit logs, which depends on the Seed. */
export const extensionsOf = ({ shootNetworkingFilterDisabled = true }: ClusterRequest): object[] => [
  {
    type: "shoot-dns-service",
    providerConfig: {
      apiVersion: "service.dns.extensions.gardener.cloud/v1alpha1",
      kind: "DNSConfig",
      dnsProviderReplication: { enabled: true },
    },
  },
  {
    type: "shoot-cert-service",
    providerConfig: {
      apiVersion: "service.cert.extensions.gardener.cloud/v1alpha1",
      kind: "CertConfig",
      shootIssuers: { enabled: true },
    },
  },
  { type: "shoot-networking-filter", disabled: shootNetworkingFilterDisabled },
  { type: "shoot-oidc-service", disabled: false },
];
