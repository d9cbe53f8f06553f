/** Kinds that decide about requests: Gateway API, Istio, Traefik, DNS. */

import { ROUTES, type KindRule } from "./rule";

export const TRAFFIC: readonly KindRule[] = [
  {
    group: "gateway.networking.k8s.io",
    kinds: ["ReferenceGrant"],
    acts: "lets other namespaces use objects of its namespace",
  },
  { group: "gateway.networking.k8s.io", acts: ROUTES, shows: ["spec.hostnames[]", "spec.listeners[].hostname"] },
  { group: "networking.istio.io", acts: "changes the requests of other pods", shows: ["spec.hosts[]"] },
  { group: "extensions.istio.io", acts: "runs code in the proxies of other pods" },
  { group: "telemetry.istio.io", acts: "decides what is recorded of requests" },
  { group: "traefik.io", acts: ROUTES },
  { group: "projectcontour.io", acts: ROUTES },
  { group: "route.openshift.io", acts: ROUTES, shows: ["spec.host"] },
  { group: "externaldns.k8s.io", acts: "writes DNS records" },
  { group: "elbv2.k8s.aws", acts: "registers targets of load balancers" },
  { group: "k8s.cni.cncf.io", acts: "attaches pods to other networks" },
];
