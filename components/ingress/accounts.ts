/** Releases and their service accounts, which the trust policies of their roles name. */
export const LOAD_BALANCER = { release: "aws-load-balancer-controller", namespace: "kube-system" } as const;
export const NGINX = { release: "ingress-nginx", namespace: "ingress-nginx" } as const;
export const DNS = { release: "external-dns", namespace: "external-dns" } as const;
export const CERTIFICATES = { release: "cert-manager", namespace: "cert-manager" } as const;
