import { keySchemas, requiredKeys, type JsonSchema } from "./jsonSchema";

/** One output of a platform stack. */
export interface OutputDoc {
  readonly name: string;
  readonly secret: boolean;
  readonly description: string;
  /** Whether a usual stack does not have it. */
  readonly sometimes?: boolean;
}

/** The outputs of `index.ts`, for the table in the docs. */
export const OUTPUTS: readonly OutputDoc[] = [
  {
    name: "provisioners",
    secret: true,
    description:
      "The set by name, each with all that a runtime needs: the pool of a static one; kubeconfig, namespace, host, image, limits and template texts of a Kubernetes one.",
  },
  { name: "defaultProvisioner", secret: false, description: "Name of the default one." },
  { name: "environments", secret: false, description: "Environment to its default provisioner." },
  {
    name: "provisionerRevisions",
    secret: false,
    description: "Provisioner to a digest of its settings; a runtime that another revision made is outdated.",
  },
  { name: "slot", secret: false, description: "Size of one slot: cpu, memoryGb, diskGb." },
  {
    name: "ledgerUrl",
    secret: true,
    description: "PostgreSQL URL of the ledger; absent when no provisioner is static.",
  },
  {
    name: "clickhouse",
    secret: true,
    sometimes: true,
    description: "How deployments get a ClickHouse database, by name; absent where there is no way.",
  },
  {
    name: "clickhouseRevisions",
    secret: false,
    sometimes: true,
    description: "The same as `provisionerRevisions` of those.",
  },
  {
    name: "kubeconfig",
    secret: true,
    description: "Kubeconfig of the platform's cluster, for people; absent in-cluster and without a cluster.",
  },
  {
    name: "jupyterhub",
    secret: false,
    sometimes: true,
    description:
      "Where JupyterHub is reached: its URL, or the command that forwards a port; absent where it is not on.",
  },
  {
    name: "jupyterhubLoadBalancer",
    secret: false,
    sometimes: true,
    description: "Name or address of its load balancer, to which DNS has to lead its host; absent where it has none.",
  },
  {
    name: "dataAccessRoles",
    secret: false,
    sometimes: true,
    description: "ARN of each role in `dataAccess`, by its name; absent without any.",
  },
  {
    name: "ray",
    secret: false,
    sometimes: true,
    description:
      "Ray clusters that run, by name: mode, namespace, service, address (`ray://…`), dashboard, rayVersion; absent when there are none.",
  },
  {
    name: "teraslice",
    secret: false,
    sometimes: true,
    description:
      "The Teraslice cluster: name, namespace, service, url, the command that forwards its port, and `podSpecOverride`, which jobs need where connectors have secrets; absent where it is not on.",
  },
  {
    name: "terasliceClusters",
    secret: false,
    sometimes: true,
    description: "More Teraslice clusters by name, each as `teraslice`; absent when there are none.",
  },
  {
    name: "service",
    secret: false,
    sometimes: true,
    description:
      "The provisioning service: namespace, url, and the command that forwards its port; absent where it is not on.",
  },
  {
    name: "bundles",
    secret: false,
    sometimes: true,
    description: "Instances of bundles by name: bundle, version, namespace, digest; absent when there are none.",
  },
  {
    name: "skipped",
    secret: false,
    sometimes: true,
    description:
      "Optional components that the last update skipped, each with the reason; absent when none was skipped.",
  },
];

const INTRO = `# Config of a platform stack

<!-- Generated from components/platform/config/schema.ts by \`npx tsx components/platform/reference/generate.ts\`; a test keeps it true. -->

The config is in \`Pulumi.<stack>.yaml\`. Everything in it is checked before anything is created: unknown keys, invalid values, names that
are not in the set, files that can't be read, contexts that a kubeconfig does not have. All faults are reported at once:

\`\`\`
stackyard:provisioners.eu.spec.timeoutSeconds: found "5m"; expected a whole number of seconds from 1 to 86400
stackyard:provisioners.us.spec.data_dir: found an unknown key; expected one of kubeconfig, cluster, …; did you mean dataDir
stackyard:defaultProvisioner: found "ue"; expected one of eu, us; did you mean eu
\`\`\`

Editors complete the keys and show faults while you type, with this first line of a stack file:
\`# yaml-language-server: $schema=./stackyard.schema.json\`

Relative paths start in the project's folder. A kubeconfig is read when the platform is updated; certificates and tokens that
it names as files are embedded, and only the chosen context is kept. Runtime stacks get it through the platform's outputs,
encrypted, and need no file.

Secrets are set with \`pulumi config set --secret ledger <url>\` or, inside an object,
\`pulumi config set --secret --path 'provisioners.eu.spec.kubeconfig.content' < kubeconfig\`. No message shows them.
`;

const escape = (text: string): string => text.replaceAll("|", "\\|");
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(escape).join(" | ")} |`).join("\n");

/** What a value may be, in a few words. */
function typeOf(schema: JsonSchema): string {
  if (schema.writeOnly === true) return `${typeOf(schema.anyOf?.[0] ?? {})}, secret`;
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const).replaceAll('"', "")}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(" or ");
  if (schema.type === "array") return "list";
  if (schema.anyOf?.every(({ const: one }) => one === undefined))
    return [...new Set(schema.anyOf.map(typeOf))].join(" or ");
  return schema.type === "integer" ? "whole number" : (schema.type ?? "object");
}

function row(key: string, schema: JsonSchema, required: boolean): string[] {
  const plain = schema.default === undefined ? undefined : `\`${JSON.stringify(schema.default)}\``;
  return [`\`${key}\``, typeOf(schema), required ? "required" : (plain ?? ""), schema.description ?? ""];
}

const HEAD = ["key", "type", "default", "description"];

/** All fields below an object, nested ones by dotted key, so that one table shows one kind of thing whole. */
function rows(schema: JsonSchema, prefix = ""): string[][] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const nested =
      field.type === "array" ? rows(field.items ?? {}, `${prefix}${key}[].`) : rows(field, `${prefix}${key}.`);
    return [row(`${prefix}${key}`, field, required.has(key)), ...nested];
  });
}

/** One section for each variant of an object whose `type` decides what else it has. */
function variants(key: string, schema: JsonSchema): string {
  return (schema.oneOf ?? [])
    .map((variant) => {
      const { const: type, description = "" } = variant.properties?.["type"] ?? {};
      return `\n### ${key} of type \`${String(type)}\`\n\n${description}\n\n${table(HEAD, rows(variant))}\n`;
    })
    .join("");
}

const valuesOf = (schema: JsonSchema): JsonSchema =>
  typeof schema.additionalProperties === "object" ? schema.additionalProperties : {};

/** What is deep inside has tables of its own. */
function terasliceTables(schema: JsonSchema): string {
  const { settings = {}, terafoundation = {}, jobs = {}, ...rest } = schema.properties ?? {};
  const { connectors = {}, ...foundation } = terafoundation.properties ?? {};
  const section = (title: string, fields: string[][]): string => `\n### ${title}\n\n${table(HEAD, fields)}\n`;
  return [
    `${table(HEAD, rows({ ...schema, properties: rest }))}\n`,
    section("Jobs of Teraslice", rows(valuesOf(jobs), "jobs.<name>.")),
    section("Settings of Teraslice", rows(settings, "settings.")),
    section("Terafoundation", rows({ ...terafoundation, properties: foundation }, "terafoundation.")),
    ...Object.entries(connectors.properties ?? {}).map(([type, connections]) =>
      section(
        `Connections of type \`${type}\``,
        rows(valuesOf(connections), `terafoundation.connectors.${type}.<name>.`),
      ),
    ),
  ].join("");
}

/** A table for the bundle, and one for each type of source. */
function bundleTables(schema: JsonSchema): string {
  const bundle = valuesOf(schema);
  const { versions = {}, ...rest } = bundle.properties ?? {};
  const { sources = {}, ...content } = valuesOf(versions).properties ?? {};
  const own = rows({ ...bundle, properties: rest }, "<name>.");
  const fields = rows({ ...valuesOf(versions), properties: content }, "<name>.versions.<version>.");
  return `${table(HEAD, [...own, ...fields])}\n${variants("Source", sources.items ?? {})}`;
}

/** The page `docs/config.md`. */
export function referencePage(): string {
  const keys = keySchemas();
  const required = new Set(requiredKeys());
  const overview = Object.entries(keys).map(([key, schema]) => row(`stackyard:${key}`, schema, required.has(key)));
  const { cluster = {}, dataAccess = {}, provisioners = {}, environments = {}, slot = {} } = keys;
  const { clickhouse = {}, charts = {}, clusterAutoscaler = {}, jupyterhub = {}, ray = {}, teraslice = {} } = keys;
  const { ingress = {}, gpuDevicePlugin = {}, metricsServer = {}, service = {} } = keys;
  const { bundleClasses = {}, bundles = {}, instances = {}, rayOperator = {}, images = {} } = keys;
  const rayFields = valuesOf(ray);
  const workerGroup = valuesOf(rayFields.properties?.["workerGroups"] ?? {});
  const outputs = OUTPUTS.map(({ name, secret, description }) => [`\`${name}\``, secret ? "yes" : "no", description]);
  return [
    `${INTRO}\n## Keys\n\n${table(HEAD, overview)}\n`,
    `\n## Cluster\n${variants("Cluster", cluster)}`,
    `\n## Data access\n\n[More about data access](data-access.md).\n\n${table(HEAD, rows(valuesOf(dataAccess), "<name>."))}\n`,
    `\n## Provisioners\n\nA name is a-z, 0-9 and inner \`-\`, 40 characters at most. A provisioner is \`{type, spec}\`.\n`,
    variants("Provisioner", valuesOf(provisioners)),
    `\n## Environments\n\n${table(HEAD, rows(valuesOf(environments), "<name>."))}\n`,
    `\n## Slot\n\n${table(HEAD, rows(slot))}\n`,
    `\n## ClickHouse\n\n[More about databases in ClickHouse](clickhouse.md). A name is that of a provisioner; \`default\` and \`none\` are taken.\n`,
    variants("ClickHouse", valuesOf(clickhouse)),
    `\n## Charts\n\n[More about charts](charts.md).\n\n${table(HEAD, rows(charts))}\n`,
    `\n## Images\n\n[More about mirrors](charts.md#mirrors).\n\n${table(HEAD, rows(images))}\n`,
    `\n## Cluster autoscaler\n\n[More about the cluster autoscaler](cluster-autoscaler.md).\n\n${table(HEAD, rows(clusterAutoscaler))}\n`,
    `\n## Ingress\n\n[More about what serves Ingresses](ingress.md).\n\n${table(HEAD, rows(ingress))}\n`,
    `\n## GPU device plugin\n\n[More about GPUs](ingress.md#gpus).\n\n${table(HEAD, rows(gpuDevicePlugin))}\n`,
    `\n## Metrics server\n\n[More about metrics](ingress.md#metrics).\n\n${table(HEAD, rows(metricsServer))}\n`,
    `\n## JupyterHub\n\n[More about JupyterHub](jupyterhub.md).\n\n${table(HEAD, rows(jupyterhub))}\n`,
    variants("Login (`auth`)", jupyterhub.properties?.["auth"] ?? {}),
    `\n### Profiles\n\n${table(HEAD, rows(valuesOf(jupyterhub.properties?.["profiles"] ?? {}), "profiles.<name>."))}\n`,
    `\n## Ray\n\n[More about Ray](ray.md). A name is a-z, 0-9 and inner \`-\`, a letter first, 49 characters at most.\n\n`,
    `${table(HEAD, rows(rayFields, "<name>."))}\n`,
    `\n### Worker groups\n\n${table(HEAD, rows(workerGroup, "<name>.workerGroups.<group>."))}\n`,
    `\n### Operator\n\nThe key \`rayOperator\`.\n\n${table(HEAD, rows(rayOperator))}\n`,
    `\n## Teraslice\n\n[More about Teraslice](teraslice.md).\n\n${terasliceTables(teraslice)}`,
    `\n### More clusters\n\nThe key \`terasliceClusters\` has clusters by name, each with the keys of \`teraslice\`.\n`,
    `\n## Provisioning service\n\n[More about the service on the platform](service-deployment.md).\n\n${table(HEAD, rows(service))}\n`,
    `\n## Bundle classes\n\n[More about bundles of a platform](bundle-instances.md).\n\n${table(HEAD, rows(valuesOf(bundleClasses), "<name>."))}\n`,
    `\n## Bundles\n\n${bundleTables(bundles)}`,
    `\n## Instances\n\n${table(HEAD, rows(valuesOf(instances), "<name>."))}\n`,
    `\n## Outputs\n\nWhat runtime stacks read through a stack reference, and people with \`pulumi stack output\`.\n\n`,
    `${table(["output", "secret", "description"], outputs)}\n`,
  ].join("");
}
