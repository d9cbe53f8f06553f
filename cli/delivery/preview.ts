import type { Workspaces } from "../../foundation/pulumi/backend";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { parseEvent } from "../../engine/pulumi/events";
import { PulumiProcess } from "../../engine/pulumi/pulumi";
import { reportOf, type PreviewReport } from "./report";
import { workspaceOf, type DescribedStack } from "../project/stacks";

interface PreviewOptions {
  /** Read the actual resources first. */
  readonly refresh?: boolean;
  /** Folder of a policy pack; empty for none. */
  readonly policy: string;
  /** File for the plan, for `pulumi up --plan`. */
  readonly savePlan?: string;
}

interface Previewed {
  readonly ok: boolean;
  /** Output of the CLI, with colours if requested. */
  readonly text: string;
  readonly report: PreviewReport;
}

/** Previews a stack with its policies, and parses the planned changes. */
export async function previewStack(
  workspaces: Workspaces,
  stack: DescribedStack,
  { refresh, policy, savePlan }: PreviewOptions,
): Promise<Previewed> {
  const folder = await mkdtemp(path.join(tmpdir(), "stackyard-preview-"));
  const log = path.join(folder, "events.json");
  const args = ["preview", "--stack", stack.name, "--diff", "--suppress-progress", "--event-log", log];
  if (refresh) args.push("--refresh");
  if (policy !== "") args.push("--policy-pack", path.resolve(workspaces.platforms.folder, policy));
  if (savePlan !== undefined) args.push("--save-plan", path.resolve(savePlan));
  try {
    const { code, stdout, stderr } = await new PulumiProcess(args, workspaceOf(workspaces, stack)).finished;
    const lines = (await readFile(log, "utf8").catch(() => "")).split("\n");
    const report = reportOf(lines.flatMap((line) => parseEvent(line) ?? []));
    const silent = code !== 0 && report.errors.length === 0 && report.violations.length === 0;
    const errors = silent ? [stderr.trim() || `pulumi preview ended with ${code}`] : report.errors;
    return { ok: code === 0, text: stdout + stderr, report: { ...report, errors } };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
