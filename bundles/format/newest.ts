/** The assumed version without a cluster: the newest minor version of Kubernetes that this release was tested with. */

export const NEWEST_KUBERNETES = "v1.36.0";
