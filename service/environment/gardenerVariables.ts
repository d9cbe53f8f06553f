import { existsSync, readFileSync } from "node:fs";
import * as z from "zod";
import { auditTenants, groupName, maintenanceWindows } from "../../components/runtime/types/gardener/config";
import { messageOf } from "../../foundation/errors";
import { renderPath } from "../../foundation/schema/faults";
import { NAMESPACE } from "../../foundation/schema/fields";
import { faultsOf, schemaWith } from "../../foundation/schema/issues";
import { readKubeconfig } from "../../kubernetes/access/kubeconfig";
import { flag, goDuration, text, url, type Field } from "./fields";
import { given, optional, type Variable } from "./variable";

/** Path of a JSON file; the value is its content, checked against `schema`. */
const jsonFile = <T>(schema: z.ZodType<T>, what: string): Field<T> =>
  z.string().transform((path, context): T => {
    const wrong = (found: string): never => {
      context.addIssue({ code: "custom", message: `the path of a JSON file with ${what}, but ${found}` });
      return z.NEVER;
    };
    let json: unknown;
    try {
      json = JSON.parse(readFileSync(path, "utf8"));
    } catch (error) {
      return wrong(error instanceof SyntaxError ? "it has no JSON" : `it can't be read: ${messageOf(error)}`);
    }
    const result = schema.safeParse(json);
    if (result.success) return result.data;
    const place = { root: { $: json }, schema: schemaWith(["$"], schema), secretKeys: new Set<string>() };
    const faults = faultsOf(result.error.issues, ["$"], place);
    return wrong(faults.map(({ path: at, message }) => `at ${renderPath(at)}: ${message}`).join(", "));
  });

/** Path of a kubeconfig. The file may be missing. */
const kubeconfigFile = (): Field<string> =>
  z.string().superRefine((path, context) => {
    try {
      if (existsSync(path)) readKubeconfig(readFileSync(path, "utf8"));
    } catch (error) {
      context.addIssue({ code: "custom", message: `the path of a kubeconfig, but ${messageOf(error)}` });
    }
  });

/** Gardener issues kubeconfigs for no other time. */
const kubeconfigLife = (): Field<number> =>
  goDuration().refine((ms) => ms >= 600_000 && ms <= 86_400_000, "a duration from 10m to 24h");

/** Variables of Runtime resources, which the Kyma Environment Broker writes. */
const RESOURCE_VARIABLES = {
  APP_RUNTIMES_NAMESPACE: optional(
    z.string().regex(NAMESPACE, "the name of a namespace"),
    "Namespace whose Runtime resources the service serves, such as kcp-system. Default: none are served.",
  ),
  APP_RUNTIMES_KUBECONFIG_PATH: optional(
    kubeconfigFile(),
    "Kubeconfig of the cluster with these resources. Default: the cluster of the service, or of KUBECONFIG outside of one.",
  ),
  APP_RUNTIMES_KUBECONFIG_EXPIRATION: given(
    kubeconfigLife(),
    "24h",
    "Lifetime of the kubeconfigs in the Secrets of these resources, from 10m to 24h. A kubeconfig is replaced after half of it.",
  ),
} as const satisfies Readonly<Record<string, Variable>>;

/** Variables for Gardener and the Director. The settings of a provisioner take precedence. */
export const GARDENER_VARIABLES = {
  ...RESOURCE_VARIABLES,
  APP_GARDENER_PROJECT: given(text(), "gardenerProject", "Gardener project that APP_GARDENER_KUBECONFIG_PATH is for."),
  APP_GARDENER_KUBECONFIG_PATH: given(
    kubeconfigFile(),
    "./dev/kubeconfig.yaml",
    "Kubeconfig with which the service reads clusters of APP_GARDENER_PROJECT. Default if the file is missing: the provisioner's.",
  ),
  APP_GARDENER_DEFAULT_ENABLE_KUBERNETES_VERSION_AUTO_UPDATE: optional(
    flag(),
    "Whether Gardener updates the Kubernetes version of new runtimes whose request does not set it. Default: the provisioner's setting.",
  ),
  APP_GARDENER_DEFAULT_ENABLE_MACHINE_IMAGE_VERSION_AUTO_UPDATE: optional(
    flag(),
    "The same for the machine image version.",
  ),
  APP_GARDENER_DEFAULT_ENABLE_IMDSV2: given(
    flag(),
    "false",
    "Whether nodes of new runtimes on AWS require IMDSv2 if the request does not set it.",
  ),
  APP_GARDENER_FORCE_ALLOW_PRIVILEGED_CONTAINERS: given(
    flag(),
    "false",
    "Whether pods of new runtimes may be privileged, even if the request does not allow it. Only before Kubernetes 1.25.",
  ),
  APP_GARDENER_AUDIT_LOGS_POLICY_CONFIG_MAP: optional(
    text(),
    "ConfigMap in the Gardener project with the audit policy of API servers. Default: Gardener's.",
  ),
  APP_GARDENER_AUDIT_LOGS_TENANT_CONFIG_PATH: optional(
    jsonFile(auditTenants, "tenantID, serviceURL and secretName by provider and region"),
    "JSON file with the log services for audit logs: `{provider: {region: {tenantID, serviceURL, secretName}}}`. Default: none.",
  ),
  APP_GARDENER_AUDIT_LOGS_TENANT: optional(
    text(),
    "Tenant of the audit logs, instead of the tenants in that file. It has no effect without the file.",
  ),
  APP_GARDENER_MAINTENANCE_WINDOW_CONFIG_PATH: optional(
    jsonFile(maintenanceWindows, "begin and end by region"),
    "JSON file with the maintenance windows of clusters in production: `{region: {begin, end}}`. Default: Gardener's.",
  ),
  APP_GARDENER_CLUSTER_CLEANUP_RESOURCE_SELECTOR: given(
    url(["https", "http"]),
    "https://service-manager.",
    "URL prefix of brokers: before Kyma's installer removes Kyma, their ServiceInstances are deleted.",
  ),
  APP_GARDENER_ENABLE_DUMP_SHOOT_SPEC: given(
    flag(),
    "false",
    "Whether to write the Shoot of each new runtime to a file before it is created. It contains no secrets of the request.",
  ),
  APP_GARDENER_DUMP_SHOOT_SPEC_PATH: given(
    text(),
    "/testdata/provisioner",
    "Folder of these files, `<namespace>-<Shoot>-shootCR.yaml`; a volume, because the root file system of the service's pod is read-only.",
  ),
  APP_OPERATOR_ROLE_BINDING_L2_SUBJECT_NAME: optional(
    groupName(),
    "Group that is bound to the ClusterRole `view` in every cluster. Default: none. APP_OPERATOR_ROLE_BINDING_L2SUBJECT_NAME means the same.",
  ),
  APP_OPERATOR_ROLE_BINDING_L3_SUBJECT_NAME: optional(
    groupName(),
    "Group that is bound to the ClusterRole `cluster-admin` in every cluster. Default: none. APP_OPERATOR_ROLE_BINDING_L3SUBJECT_NAME means the same.",
  ),
  APP_DIRECTOR_URL: given(
    url(["https", "http"]),
    "https://compass-gateway-auth-oauth.kyma.local/director/graphql",
    "GraphQL API of the Director where runtimes are registered, if the Secret with its credentials exists.",
  ),
  APP_SKIP_DIRECTOR_CERT_VERIFICATION: given(
    flag(),
    "false",
    "Whether to accept any certificate of the Director (insecure).",
  ),
  APP_CREDENTIALS_NAMESPACE: given(
    text(),
    "compass-system",
    "Namespace of the Secret with the credentials of the Director, in the cluster of the service or of KUBECONFIG. APP_OAUTH_CREDENTIALS_NAMESPACE means the same.",
  ),
  APP_OAUTH_CREDENTIALS_SECRET_NAME: given(
    text(),
    "compass-provisioner-credentials",
    "Name of that Secret, with client_id, client_secret and tokens_endpoint. Required if APP_DIRECTOR_URL is not the default.",
  ),
} as const satisfies Readonly<Record<string, Variable>>;
