/** Variables of runtime templates. Each entry is a variable of the chart `charts/runtime`. */

type VariableKind = "text" | "number" | "map" | "names" | "clickhouse";

/** Variables by name: those of both generations of the original, and also AudienceURL and Ping. */
export const VARIABLES: Readonly<Record<string, VariableKind>> = {
  Image: "text",
  ImageTag: "text",
  ProvisionID: "text",
  Host: "text",
  AudienceURL: "text",
  CPU: "number",
  MemoryGB: "number",
  StorageBytes: "number",
  Slots: "number",
  DataDir: "text",
  Environment: "text",
  Ping: "text",
  Annotations: "map",
  Names: "names",
  ClickHouse: "clickhouse",
};

/** Fields of `.Names`. */
export const NAMES: readonly string[] = [
  "HTTPIngress",
  "GRPCIngress",
  "Service",
  "StatefulSet",
  "Deployment",
  "PVC",
  "ConfigMap",
];

/** Fields of `.ClickHouse`, which is empty if the deployment has no database. */
export const CLICKHOUSE: readonly string[] = [
  "Host",
  "Port",
  "Secure",
  "WriterHost",
  "WriterPort",
  "WriterSecure",
  "Database",
  "User",
  "Secret",
];

/** Required kind of the object, by template key. */
export const KIND_BY_KEY: Readonly<Record<string, string>> = {
  statefulset: "StatefulSet",
  deployment: "Deployment",
  pvc: "PersistentVolumeClaim",
  configmap: "ConfigMap",
  service: "Service",
  http_ingress: "Ingress",
  grpc_ingress: "Ingress",
};
