/** What is taken for a cluster where there is none: the newest minor of Kubernetes that this version was tested with. */

export const NEWEST_KUBERNETES = "v1.36.0";
