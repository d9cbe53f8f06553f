/** Certificates of the webhooks of an operator, made in the cluster by another user: no key is ever in our hands. */

import type { KubeObject } from "../../../../kubernetes/client/objects";
import type { Issuer } from "../issuers";
import { suffixed } from "../names";
import type { Place } from "./permissions";
import type { Json } from "../../../../foundation/json/isObject";

/** Kinds without which nobody would make them. */
export const ISSUER_KINDS: Readonly<Record<Issuer, readonly { readonly apiVersion: string; readonly kind: string }[]>> =
  {
    "cert-manager": [
      { apiVersion: "cert-manager.io/v1", kind: "Certificate" },
      { apiVersion: "cert-manager.io/v1", kind: "Issuer" },
    ],
    openshift: [{ apiVersion: "operator.openshift.io/v1", kind: "ServiceCA" }],
  };

/** How the webhooks of one deployment are reached and known. */
export interface Serving {
  readonly service: string;
  /** Has `tls.crt` and `tls.key`. */
  readonly secret: string;
  /** On the Service. */
  readonly annotations: Json;
  /** On what calls it, so that it is given the certificate to trust. */
  readonly trust: Json;
  readonly objects: readonly KubeObject[];
}

const TWO_YEARS = "17520h0m0s";
const A_DAY = "24h0m0s";
const OPENSHIFT = "service.beta.openshift.io";

export function servingOf(deployment: string, { namespace }: Pick<Place, "namespace">, issuer: Issuer): Serving {
  const service = suffixed(deployment, "service");
  const secret = suffixed(service, "cert");
  if (issuer === "openshift") {
    const annotations = { [`${OPENSHIFT}/serving-cert-secret-name`]: secret };
    return { service, secret, annotations, trust: { [`${OPENSHIFT}/inject-cabundle`]: "true" }, objects: [] };
  }
  const trust = { "cert-manager.io/inject-ca-from": `${namespace}/${secret}` };
  return { service, secret, annotations: {}, trust, objects: certManager(service, secret, namespace) };
}

/** Signed by itself, which is enough where the certificate itself is what is trusted. */
function certManager(service: string, secret: string, namespace: string): KubeObject[] {
  const apiVersion = "cert-manager.io/v1";
  const issuer = suffixed(secret, "issuer");
  const name = `${service}.${namespace}`;
  return [
    { apiVersion, kind: "Issuer", metadata: { name: issuer }, spec: { selfSigned: {} } },
    {
      apiVersion,
      kind: "Certificate",
      metadata: { name: secret },
      spec: {
        secretName: secret,
        dnsNames: [name, `${name}.svc`, `${name}.svc.cluster.local`],
        usages: ["server auth"],
        isCA: false,
        duration: TWO_YEARS,
        renewBefore: A_DAY,
        issuerRef: { name: issuer },
      },
    },
  ];
}
