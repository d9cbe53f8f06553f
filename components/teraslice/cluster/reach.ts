import type { TerasliceSettings } from "../settings";
import { clusterNames, masterLabels } from "../podConfig/names";

/** Exposes the master's API outside of the cluster: an Ingress, or an HTTPRoute of the Gateway API. */
export function reachObjects(settings: TerasliceSettings): object[] {
  const { ingress, httpRoute, teraslice } = settings;
  const { namespace, master } = clusterNames(settings);
  const metadata = (annotations: object): object => ({
    name: master,
    namespace,
    labels: masterLabels(settings),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  });
  const service = { name: master, port: { number: teraslice.port } };
  return [
    ...(ingress
      ? [
          {
            apiVersion: "networking.k8s.io/v1",
            kind: "Ingress",
            metadata: metadata(ingress.annotations),
            spec: {
              ...(ingress.className !== undefined && { ingressClassName: ingress.className }),
              ...(ingress.tls.length > 0 && {
                tls: ingress.tls.map(({ secretName, hosts }) => ({
                  secretName,
                  hosts: hosts.length > 0 ? hosts : ingress.hosts.map(({ host }) => host),
                })),
              }),
              rules: ingress.hosts.map(({ host, paths }) => ({
                host,
                http: { paths: paths.map((path) => ({ ...path, backend: { service } })) },
              })),
            },
          },
        ]
      : []),
    ...(httpRoute
      ? [
          {
            apiVersion: "gateway.networking.k8s.io/v1",
            kind: "HTTPRoute",
            metadata: metadata(httpRoute.annotations),
            spec: {
              parentRefs: httpRoute.parentRefs,
              ...(httpRoute.hostnames.length > 0 && { hostnames: httpRoute.hostnames }),
              rules: (httpRoute.rules.length > 0 ? httpRoute.rules : [{}]).map((rule) => ({
                ...rule,
                backendRefs: [{ name: master, port: teraslice.port }],
              })),
            },
          },
        ]
      : []),
  ];
}
