/** Config keys by original key, per kind of object. */
export type FieldTable = Readonly<Record<string, string>>;

export const RUNTIME_FIELDS: FieldTable = {
  host: "host",
  slots: "slots",
  data_dir: "dataDir",
  audience_url: "audienceUrl",
};

export const KUBERNETES_FIELDS: FieldTable = {
  host: "host",
  image: "image",
  namespace: "namespace",
  timeout_seconds: "timeoutSeconds",
  data_dir: "dataDir",
  kubeconfig_path: "kubeconfig",
  template_paths: "templates",
};

export const TEMPLATE_FIELDS: FieldTable = {
  statefulset: "statefulset",
  deployment: "deployment",
  pvc: "pvc",
  service: "service",
  http_ingress: "httpIngress",
  grpc_ingress: "grpcIngress",
};

/** Former keys of the original, and why they have no counterpart. */
export const RETIRED: Readonly<Record<string, string>> = {
  region: "pools have no regions; create one provisioner for each region",
};

export const TYPES: readonly string[] = ["static", "kubernetes", "clickhouse-static"];
