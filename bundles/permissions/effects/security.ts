/** Kinds that decide about access, Secrets and certificates: Kyverno, Gatekeeper, cert-manager, External Secrets. */

import type { KindRule } from "./rule";

export const SECURITY: readonly KindRule[] = [
  {
    group: "kyverno.io",
    kinds: ["PolicyException", "CleanupPolicy", "ClusterCleanupPolicy", "UpdateRequest"],
    acts: "excepts objects from policies, or deletes them",
  },
  {
    group: "kyverno.io",
    kinds: ["Policy", "ClusterPolicy"],
    restricts: true,
    acts: "refuses, changes and creates objects of others, with the rights of Kyverno",
  },
  {
    group: "policies.kyverno.io",
    restricts: true,
    acts: "refuses, changes and creates objects of others, with the rights of Kyverno",
  },
  { group: "constraints.gatekeeper.sh", restricts: true, acts: "refuses objects of others" },
  { group: "templates.gatekeeper.sh", restricts: true, acts: "refuses objects of others" },
  { group: "mutations.gatekeeper.sh", acts: "changes objects of others" },
  { group: "config.gatekeeper.sh", acts: "excepts objects from policies" },
  {
    group: "cert-manager.io",
    kinds: ["Certificate"],
    acts: "writes a Secret by name, with a key that its issuer signs",
    shows: ["spec.secretName"],
  },
  {
    group: "cert-manager.io",
    kinds: ["Issuer", "ClusterIssuer", "CertificateRequest"],
    acts: "signs certificates, or has them signed",
  },
  { group: "acme.cert-manager.io", acts: "proves names of hosts to a certificate authority" },
  { group: "trust.cert-manager.io", acts: "writes certificates that others trust" },
  { group: "external-secrets.io", acts: "reads or writes Secrets with the rights of its store" },
  { group: "generators.external-secrets.io", acts: "creates credentials" },
  {
    group: "secrets-store.csi.x-k8s.io",
    acts: "reads Secrets of a store, with the identity of the pods that mount it",
  },
  { group: "secrets.hashicorp.com", acts: "reads or writes Secrets with the rights of its store" },
  { group: "bitnami.com", kinds: ["SealedSecret"], acts: "writes a Secret by name" },
  { group: "reflector.v1.k8s.emberstack.com", acts: "copies Secrets between namespaces" },
  { group: "security.istio.io", restricts: true, acts: "decides who may send requests to which pods" },
  { group: "cilium.io", restricts: true, acts: "decides about the traffic of pods" },
  { group: "crd.projectcalico.org", restricts: true, acts: "decides about the traffic of pods" },
  { group: "projectcalico.org", restricts: true, acts: "decides about the traffic of pods" },
  { group: "policy.networking.k8s.io", restricts: true, acts: "decides about the traffic of pods" },
];
