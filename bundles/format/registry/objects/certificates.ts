/** Certificates of an operator's webhooks. An issuer in the cluster creates them, so that we never handle a key. */

import type { KubeObject } from "../../../../kubernetes/objects/objects";
import type { Issuer } from "../issuers";
import { suffixed } from "../names";
import type { OperatorPlace } from "./permissions";
import type { Json } from "../../../../foundation/json/isObject";

/** Kinds that each issuer requires. */
export const ISSUER_KINDS: Readonly<Record<Issuer, readonly { readonly apiVersion: string; readonly kind: string }[]>> =
  {
    "cert-manager": [
      { apiVersion: "cert-manager.io/v1", kind: "Certificate" },
      { apiVersion: "cert-manager.io/v1", kind: "Issuer" },
    ],
    openshift: [{ apiVersion: "operator.openshift.io/v1", kind: "ServiceCA" }],
  };

/** How to reach the webhooks of a deployment, and how to trust them. */
export interface Serving {
  readonly service: string;
  /** Secret with `tls.crt` and `tls.key`. */
  readonly secret: string;
  /** Annotations of the Service. */
  readonly annotations: Json;
  /** Annotations of the objects that call it, so that they receive the CA certificate. */
  readonly trust: Json;
  readonly objects: readonly KubeObject[];
}

const TWO_YEARS = "17520h0m0s";
const A_DAY = "24h0m0s";
const OPENSHIFT = "service.beta.openshift.io";

export function servingOf(
  deployment: string,
  { namespace }: Pick<OperatorPlace, "namespace">,
  issuer: Issuer,
): Serving {
  const service = suffixed(deployment, "service");
  const secret = suffixed(service, "cert");
  if (issuer === "openshift") {
    const annotations = { [`${OPENSHIFT}/serving-cert-secret-name`]: secret };
    return { service, secret, annotations, trust: { [`${OPENSHIFT}/inject-cabundle`]: "true" }, objects: [] };
  }
  const trust = { "cert-manager.io/inject-ca-from": `${namespace}/${secret}` };
  return { service, secret, annotations: {}, trust, objects: certManager(service, secret, namespace) };
}

/** A self-signed certificate, which is enough if the callers trust this certificate itself. */
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
