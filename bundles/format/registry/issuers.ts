/** Supported issuers of certificates; the first one is the default. */
export const ISSUERS = ["cert-manager", "openshift"] as const;
export type Issuer = (typeof ISSUERS)[number];
