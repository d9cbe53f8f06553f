import { stringify } from "yaml";
import { dependencies, engines, version } from "../../package.json";
import { PLATFORM_PROJECT, RUNTIME_PROJECT } from "../../engine/stack/names";
import { FEATURES_TO_CHOOSE, isLocal, type Choices } from "./choices";
import { stackFileText } from "./stackFile";
import { ciNeeds, workflowText } from "./workflow";

/** The npm package of this version. */
export const PACKAGE = `^${version}`;

/** The files of a new repository by path. `name`: that of its folder. */
export function repositoryFiles(name: string, choices: Choices): Readonly<Record<string, string>> {
  const { stack, features, state } = choices;
  return {
    ".gitignore": "node_modules/\n*.log\n*kubeconfig*\n",
    "README.md": readme(name, choices),
    "Pulumi.yaml": projectText(PLATFORM_PROJECT, "The platform", state, { main: "index.js", modules: "." }),
    [`Pulumi.${stack}.yaml`]: stackFileText(choices),
    "index.js": '// The stack file says what the platform has.\nmodule.exports = require("stackyard").platform;\n',
    "package.json": packageText(name, choices),
    ...(isLocal(state) ? {} : { ".github/workflows/platform.yaml": workflowText(choices) }),
    ...(features.includes("bundle") && { "bundles/welcome/manifests/config.yaml": WELCOME }),
    ...(features.includes("runtimes") && {
      "runtime/Pulumi.yaml": projectText(RUNTIME_PROJECT, "Runtimes, which stackyard deploys", state, {
        modules: "..",
      }),
    }),
  };
}

const WELCOME = `apiVersion: v1
kind: ConfigMap
metadata:
  name: welcome
data:
  text: A bundle may have manifests of any kind.
`;

interface Place {
  readonly main?: string;
  /** The folder of node_modules. */
  readonly modules: string;
}

function projectText(name: string, description: string, state: string | undefined, { main, modules }: Place): string {
  const provider = { name: "stackyard", path: `${modules}/node_modules/stackyard/provider` };
  return stringify({
    ...{ name, description, runtime: { name: "nodejs", options: { typescript: false } } },
    ...(main !== undefined && { main }),
    ...(state !== undefined && { backend: { url: state } }),
    plugins: { providers: [provider] },
  });
}

/** Pulumi's packages are those of the program, so that there is one copy of each. */
function packageText(name: string, { cluster, packageSource }: Choices): string {
  const onAws = cluster.type === "eks" ? (["@pulumi/aws"] as const) : [];
  const own = [...onAws, "@pulumi/kubernetes", "@pulumi/pulumi"] as const;
  const ranges = Object.fromEntries(own.map((each) => [each, `^${dependencies[each]}`]));
  const manifest = {
    ...{ name: name.toLowerCase().replace(/[^a-z0-9-]+/g, "-"), private: true, engines },
    dependencies: { ...ranges, stackyard: packageSource },
    ...(!isFile(packageSource) && { devDependencies: { "stackyard-cli": packageSource } }),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Without a registry, the command line is that of a checkout. */
const isFile = (packageSource: string): boolean => packageSource.startsWith("file:");

/** The commands from the folder to a running platform. */
export const firstCommands = ({ stack, secretsProvider, packageSource }: Choices): readonly string[] => [
  "npm install",
  `pulumi stack init ${stack}${secretsProvider === undefined ? "" : ` --secrets-provider ${JSON.stringify(secretsProvider)}`}`,
  `${isFile(packageSource) ? 'STACKYARD_PROJECT="$PWD" stackyard' : "npx stackyard"} doctor ${stack}`,
  `pulumi up --stack ${stack}`,
];

function readme(name: string, choices: Choices): string {
  const { cluster, features, state, secretsProvider, stack } = choices;
  const where =
    cluster.type === "eks" ? `EKS, cluster ${cluster.name} in ${cluster.region}` : `context ${cluster.context}`;
  const rows = [
    ["cluster", where],
    ["features", features.map((each) => `${FEATURES_TO_CHOOSE[each]} (\`${each}\`)`).join(", ") || "none yet"],
    ["state", state ?? "the backend in PULUMI_BACKEND_URL"],
    ["secrets", secretsProvider ?? "a passphrase in PULUMI_CONFIG_PASSPHRASE"],
  ];
  return `# ${name}

A Stackyard platform.

| what | where |
| --- | --- |
${rows.map(([what, which]) => `| ${what} | ${which} |`).join("\n")}

\`\`\`sh
${firstCommands(choices).join("\n")}
\`\`\`

\`Pulumi.${stack}.yaml\` says what the platform has. To add, change or remove a feature, edit it and run \`pulumi up\` again.

${isLocal(state) ? LOCAL : `\`.github/workflows/platform.yaml\` previews pull requests and deploys \`main\`. It needs:\n\n${ciNeeds(choices).join("\n")}\n`}`;
}

const LOCAL = "The state is a folder of one machine, so there is no workflow for CI. Move it before others deploy.\n";
