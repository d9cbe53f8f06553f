import { dependencies } from "../../package.json";
import { isOnAws, type Choices } from "./choices";

/** Variables and secrets that the workflow needs, as lines of a list. */
export const ciNeeds = (choices: Choices): readonly string[] => [
  ...(choices.state === undefined ? ["- the secret `PULUMI_BACKEND_URL`"] : []),
  ...(choices.secretsProvider === undefined ? ["- the secret `PULUMI_CONFIG_PASSPHRASE`"] : []),
  ...(choices.cluster.type === "existing" ? ["- the secret `KUBECONFIG_TEXT`, with the same context"] : []),
  ...(isOnAws(choices) ? ["- the variables `AWS_ROLE` and `AWS_REGION`; the role trusts the repository's tokens"] : []),
  "- the environment `platform`, whose reviewers approve a deployment",
];

/** Previews pull requests, and deploys the main branch. */
export function workflowText(choices: Choices): string {
  const { stack, cluster, state, secretsProvider } = choices;
  const env = [
    ...(state === undefined ? [ofSecret("PULUMI_BACKEND_URL")] : []),
    ...(secretsProvider === undefined ? [ofSecret("PULUMI_CONFIG_PASSPHRASE")] : []),
  ];
  const steps = [
    CHECKOUT,
    `      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0
        with: { node-version: 24 }
      - uses: pulumi/actions@8582a9e8cc630786854029b4e09281acd6794b58 # v6.6.1
        with: { pulumi-version: ^${dependencies["@pulumi/pulumi"]} }
      - run: npm install --ignore-scripts
`,
    isOnAws(choices) ? AWS : "",
    cluster.type === "existing" ? kubeconfig(cluster.kubeconfig) : "",
  ].join("");
  return `# Shows what a pull request would change, and deploys what is merged.
name: Platform

on:
  pull_request:
  push:
    branches: [main]

permissions:
  contents: read
${isOnAws(choices) ? "  id-token: write\n" : ""}
concurrency:
  # Of deployments that wait, only the newest remains.
  group: \${{ github.event_name }}-\${{ github.ref }}
${env.length === 0 ? "" : `\nenv:\n${env.map((line) => `  ${line}\n`).join("")}`}
jobs:
${job("preview", "github.event_name == 'pull_request' && !github.event.pull_request.head.repo.fork", `pulumi preview --stack ${stack}`, steps)}
${job("deploy", "github.event_name == 'push'", `pulumi up --stack ${stack} --yes`, steps)}`;
}

/** A variable with the value of the secret of its name. */
const ofSecret = (name: string): string => `${name}: \${{ secrets.${name} }}`;

const job = (name: string, when: string, command: string, steps: string): string => `  ${name}:
    if: \${{ ${when} }}
    runs-on: ubuntu-24.04
    environment: platform
    steps:
${steps}      - run: ${command}
`;

const CHECKOUT = `      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with: { persist-credentials: false }
`;

const AWS = `      - uses: aws-actions/configure-aws-credentials@b47578312673ae6fa5b5096b330d9fbac3d116df # v4.2.1
        with:
          role-to-assume: \${{ vars.AWS_ROLE }}
          aws-region: \${{ vars.AWS_REGION }}
`;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Writes the file that the stack file names. */
const kubeconfig = (file: string): string => `      - run: |
          file=${file.startsWith("~/") ? `"$HOME"${quoted(file.slice(1))}` : quoted(file)}
          mkdir -p "$(dirname "$file")"
          (umask 077 && printf %s "$KUBECONFIG_TEXT" > "$file")
        env: { KUBECONFIG_TEXT: "\${{ secrets.KUBECONFIG_TEXT }}" }
`;
