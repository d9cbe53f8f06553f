import { keySchemas, requiredKeys } from "./jsonSchema";
import { OUTPUTS } from "./outputs";
import { bundleTables, HEAD, row, rows, table, terasliceTables, valuesOf, variants } from "./tables";

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

/** Generates the page `docs/config.md`. */
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
