import type { ClusterRequest } from "../../../request/cluster/shape";

/** The extensions that every Shoot asks for. Pure. That for audit logs depends on its Seed, see kubernetes/gardener/. */
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
