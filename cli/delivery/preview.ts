import type { Workspaces } from "../../foundation/pulumi/backend";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { UNKNOWN_TO_USER } from "../../foundation/text/unknown";
import { nameOfUrn, parseEvent, type EngineEvent } from "../../engine/pulumi/events";
import { HELM_RELEASE } from "../../components/resources/tokens";
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

/**
 * Previews a stack with its policies, and parses the planned changes. A user who may not read Secrets, where Helm keeps
 * its releases, sees all but the drift of releases.
 */
export async function previewStack(
  workspaces: Workspaces,
  stack: DescribedStack,
  options: PreviewOptions,
): Promise<Previewed> {
  const unknown: string[] = [];
  for (;;) {
    const found = await previewOnce(workspaces, stack, options, unknown);
    const more = options.refresh === true ? found.unreadable.filter((urn) => !unknown.includes(urn)) : [];
    unknown.push(...more);
    if (more.length > 0) continue;
    const { warnings } = found.report;
    const notes = unknown.map(
      (urn) => `${nameOfUrn(urn)}: whether the Helm release has drift is ${UNKNOWN_TO_USER} not list its Secrets`,
    );
    return { ...found, report: { ...found.report, warnings: [...warnings, ...notes] } };
  }
}

async function previewOnce(
  workspaces: Workspaces,
  stack: DescribedStack,
  { refresh, policy, savePlan }: PreviewOptions,
  without: readonly string[],
): Promise<Previewed & { readonly unreadable: readonly string[] }> {
  const folder = await mkdtemp(path.join(tmpdir(), "stackyard-preview-"));
  const log = path.join(folder, "events.json");
  const args = ["preview", "--stack", stack.name, "--diff", "--suppress-progress", "--event-log", log];
  if (refresh) args.push("--refresh", ...without.flatMap((urn) => ["--exclude", urn]));
  if (policy !== "") args.push("--policy-pack", path.resolve(workspaces.platforms.folder, policy));
  if (savePlan !== undefined) args.push("--save-plan", path.resolve(savePlan));
  try {
    const { code, stdout, stderr } = await new PulumiProcess(args, workspaceOf(workspaces, stack)).finished;
    const lines = (await readFile(log, "utf8").catch(() => "")).split("\n");
    const events = lines.flatMap((line) => parseEvent(line) ?? []);
    const report = reportOf(events);
    const silent = code !== 0 && report.errors.length === 0 && report.violations.length === 0;
    const errors = silent ? [stderr.trim() || `pulumi preview ended with ${code}`] : report.errors;
    const text = stdout + stderr;
    return { ok: code === 0, text, report: { ...report, errors }, unreadable: unreadableReleases(events) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** URNs of the Helm releases whose Secrets the user may not read. */
const unreadableReleases = (events: readonly EngineEvent[]): string[] =>
  events.flatMap(({ diagnosticEvent: event }) =>
    event?.severity === "error" && event.urn?.includes(HELM_RELEASE) && /secrets? .*is forbidden/.test(event.message)
      ? [event.urn]
      : [],
  );
