/** Who may make them; the first is the default. */
export const ISSUERS = ["cert-manager", "openshift"] as const;
export type Issuer = (typeof ISSUERS)[number];
