import { EXIT, messageOf } from "../../foundation/errors";
import { count } from "../../foundation/text/numbers";
import { clusterNeeds } from "../../components/platform/facts";
import type { Context } from "../context";
import type { OutputOptions } from "../options/output";
import { describedStack, type DescribedStack } from "../project/stacks";
import type { Colours } from "../terminal/colours";
import { backendFindings, configFindings } from "./backend";
import { clusterFindings } from "./cluster";
import { findingsOf, isFaulty, type Finding } from "./finding";
import { registryFindings } from "./registries";
import { toolFindings } from "./tools";
import type { ClusterConfig } from "../../components/cluster/clusterConfig";
import { AwsQuestions } from "../eks/awsQuestions";
import type { Workspaces } from "../../foundation/pulumi/backend";
import { distinctMessages } from "../../engine/pulumi/diagnostics";
import { previewStack } from "../delivery/preview";
import { summary } from "../delivery/report";

/** Checks what a platform needs before its first update. Exit code 1 if there are faults. */
export async function doctor(context: Context, stack: string, { json = false }: OutputOptions): Promise<void> {
  const findings: Finding[] = [];
  for await (const some of examine(context, stack)) {
    findings.push(...some);
    if (!json && some.length > 0) context.print(some.map((one) => textOf(one, context.colours)).join("\n"));
  }
  if (isFaulty(findings)) process.exitCode = EXIT.failure;
  if (json) return context.print(JSON.stringify({ stack, ok: !isFaulty(findings), findings }, null, 2));
  const number = (wanted: Finding["level"]): number => findings.filter(({ level }) => level === wanted).length;
  context.live.line(`${stack}: ${count(number("fault"), "fault")}, ${count(number("warning"), "warning")}`);
}

/** Runs the checks in their order. What an earlier fault makes impossible is skipped. */
async function* examine(context: Context, name: string): AsyncGenerator<readonly Finding[]> {
  const tools = await toolFindings();
  yield tools;
  if (isFaulty(tools)) return;
  let stack: DescribedStack;
  try {
    stack = await describedStack(context.root, name);
  } catch (error) {
    const remedy = `write Pulumi.${name}.yaml, or begin with: stackyard new DIR`;
    yield [findingsOf("config").fault(messageOf(error), remedy)];
    return;
  }
  const backend = await backendFindings(context.platforms, stack.name);
  yield backend;
  if (isFaulty(backend)) return;
  const { config, findings } = await configFindings(context.platforms, stack);
  yield findings;
  if (config === undefined) return;
  context.live.status("  asking the cluster");
  const [aws, cluster, registries] = await Promise.all([
    awsFindings(config.cluster),
    clusterFindings(config.cluster, clusterNeeds(config)),
    registryFindings(config),
  ]);
  const around = [...aws, ...cluster];
  yield [...around, ...registries];
  const isReached = !around.some(({ area, level }) => level === "fault" && area !== "rights");
  if (!isReached) return;
  context.live.status("  previewing the first update");
  yield await previewFindings(context, stack);
}

const MARKS = { ok: ["good", "✓"], warning: ["warn", "!"], fault: ["bad", "✗"] } as const;

function textOf({ area, level, text, remedy }: Finding, colours: Colours): string {
  const [style, mark] = MARKS[level];
  const lines = [`${colours[style](mark)} ${area}: ${text.replaceAll("\n", "\n    ")}`];
  return [...lines, ...(remedy === undefined ? [] : [`    → ${remedy}`])].join("\n");
}

/** Whether there are credentials of AWS, if the cluster is on EKS. The preview checks what they have to be. */
async function awsFindings(cluster: ClusterConfig | undefined): Promise<Finding[]> {
  if (cluster?.eks === undefined) return [];
  const { ok, fault } = findingsOf("aws");
  try {
    return [ok(`${cluster.eks.region}, as ${await new AwsQuestions(cluster.eks.region).caller()}`)];
  } catch (error) {
    return [fault(messageOf(error), "aws sso login, or set AWS_PROFILE; the account has to be that of the cluster")];
  }
}

/**
 * What a preview finds: owners of names, conflicts of releases, nodes for pods, charts and their lock, and whether the
 * cluster accepts the objects.
 */
async function previewFindings(workspaces: Workspaces, stack: DescribedStack): Promise<Finding[]> {
  const { ok, warning, fault } = findingsOf("preview");
  const { report } = await previewStack(workspaces, stack, { policy: "" });
  const remedy = `follow the message; pulumi preview --stack ${stack.name} repeats this check`;
  const found = [
    ...distinctMessages(report.errors).map((text) => fault(text, remedy)),
    ...distinctMessages(report.warnings).map((text) => warning(text, remedy)),
  ];
  return report.errors.length > 0 ? found : [ok(summary(report)), ...found];
}
