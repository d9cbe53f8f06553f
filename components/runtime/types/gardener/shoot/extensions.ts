import type { ClusterRequest } from "../../../request/cluster/shape";

/** The extensions of a Shoot. `callers`: ranges in every access list. Pure. kubernetes/gardener/ adds the one for audit logs, which depends on the Seed. */
export const extensionsOf = (
  {
    shootNetworkingFilterDisabled = true,
    shootNetworkingFilterBlackholing: drops = false,
    allowedCidrs = [],
  }: ClusterRequest,
  callers: readonly string[] = [],
): object[] => [
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
  {
    type: "shoot-networking-filter",
    disabled: shootNetworkingFilterDisabled,
    ...(drops && {
      providerConfig: {
        apiVersion: "shoot-networking-filter.extensions.config.gardener.cloud/v1alpha1",
        kind: "Configuration",
        egressFilter: { blackholingEnabled: true },
      },
    }),
  },
  { type: "shoot-oidc-service", disabled: false },
  ...accessOf(allowedCidrs, callers),
];

/** The access list of the API server. An empty one admits all, as no list does. */
function accessOf(own: readonly string[], always: readonly string[]): object[] {
  if (own.length === 0) return [];
  const cidrs = [...new Set([...own, ...always])];
  return [{ type: "acl", disabled: false, providerConfig: { rule: { action: "ALLOW", type: "remote_ip", cidrs } } }];
}
