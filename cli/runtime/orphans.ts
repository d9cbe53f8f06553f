import type { Context } from "../context";
import { EXIT, Failure, UsageError } from "../../foundation/errors";
import { guard } from "../../engine/process/interrupt";
import { unprotectCommand } from "../../components/runtime/protection";
import { findOrphans, orphansOf, type Orphans } from "../../engine/orphans/find";
import { diskName, isOfDatabase, type Orphan, type RuntimeOrphan } from "../../engine/orphans/orphan";
import {
  adoptedParts,
  dataOf,
  foreignOwners,
  isProtected,
  partsOf,
  refuseForeign,
  structuredOrphan,
} from "../../engine/orphans/kinds";
import { backendName } from "../../foundation/pulumi/backend";
import { checkFlags } from "../fleet/requests";
import { deploymentId, platformReference, RUNTIME_PROJECT } from "../../engine/stack/names";
import { recordInState } from "../../engine/runtime/request/recorded";
import { withStore } from "../../engine/pulumi/state/store";
import { confirm } from "../terminal/ask";
import { table } from "../terminal/table";
import type { CommonOptions, TargetOptions } from "./options";
import { demandLocal } from "./target/choose";
import { structured, type OutputOptions } from "../options/output";
import { changeOf, type UpOptions } from "./upOptions";
import { report } from "./text/report";
import { runtimeOptions } from "./target/local";

export interface RemoveOptions extends CommonOptions {
  readonly provisioner?: string;
  readonly allowDataLoss?: readonly string[];
  readonly yes?: boolean;
}

export type AdoptRuntimeOptions = UpOptions & CommonOptions & { readonly yes?: boolean; readonly dryRun?: boolean };

/** Lists the orphans of all platforms. Exit code 1 if a location could not be read. */
export async function listOrphans(context: Context, options: OutputOptions & TargetOptions): Promise<void> {
  await demandLocal(context, options, "--orphans: the service lists orphans with its query orphans");
  const found = await look(context);
  if (found.unseen.length > 0) process.exitCode = EXIT.failure;
  const { orphans } = found;
  const printed =
    options.output === "id"
      ? [...new Set(orphans.map(({ id }) => id))].join("\n")
      : structured(orphans.map(structuredOrphan), options);
  if (printed !== undefined) {
    if (printed !== "") context.print(printed);
    return;
  }
  if (orphans.length === 0) return context.print(found.unseen.length > 0 ? "no orphans found" : "no orphans");
  const rows = orphans.map((orphan) => [orphan.id, orphan.platform, orphan.provisioner, summary(orphan)]);
  const columns = ["ORPHAN", "PLATFORM", "PROVISIONER", "HAS"];
  context.print(table(columns, rows));
  context.live.line(
    context.colours.dim(
      '"stackyard runtime adopt ID" creates a stack for one, "stackyard runtime remove-orphan ID" deletes it',
    ),
  );
}

function summary(orphan: Orphan): string {
  if (orphan.type !== "kubernetes") return partsOf(orphan).join();
  const disks = orphan.disks.map((disk) => `disk ${diskName(disk)}`);
  const owners = orphan.record ? [`owner ${orphan.record.stack} in ${orphan.record.backend}`] : [];
  const [first = "", ...more] = partsOf({ ...orphan, disks: [] });
  const others = more.length > 0 ? [`${more.length} more`] : [];
  return [...(first === "" ? [] : [first]), ...others, ...disks, ...owners].join(", ");
}

/** Creates a new stack for an orphan. */
export async function adoptOrphan(context: Context, id: string, options: AdoptRuntimeOptions): Promise<void> {
  await demandLocal(context, options, "adopt works on clusters and ledgers; a service has adoptDeployment for a stack");
  const all = await toAdopt(context, deploymentId(id), options);
  const { provisioner } = options;
  const [orphan, ...others] = all
    .filter((one): one is RuntimeOrphan => !isOfDatabase(one))
    .filter((one) => (provisioner ?? one.provisioner) === one.provisioner);
  if (orphan === undefined) throw new Failure(withoutRuntime(id, all, provisioner));
  if (others.length > 0) {
    const places = [orphan, ...others];
    throw new Failure(`${id} exists ${places.length} times, and a runtime has one place; ${choiceOf(places)}`);
  }
  const { deployment } = changeOf({ ...options, provisioner: undefined }, undefined);
  checkFlags({ deployment });
  const parts = all.filter(isOfDatabase);
  const { adopt, planAdoption } = await import("../../engine/adoption/adopt.js");
  const plan = await guard(() => planAdoption(orphan, parts, deployment, runtimeOptions(context, options)));
  const { differences } = plan;
  const orphans = [orphan, ...parts];
  if (options.dryRun === true && options.json === true) {
    const taken = orphans.map(structuredOrphan);
    return context.print(JSON.stringify({ id, dryRun: true, parts: taken, differences }, null, 2));
  }
  context.live.end();
  const owners = foreignOwners(orphans, backendName(context.runtimes));
  context.live.line(adoptionText(id, owners, orphans.flatMap(adoptedParts), differences));
  if (options.dryRun === true) return context.live.line("nothing was adopted (--dry-run)");
  if (options.yes !== true && !(await confirm(`Take over ${id}?`))) throw new Failure(`${id} was left as it is`);
  report(context, await guard(() => adopt(plan)), "is adopted", "adopted", options.json);
}

/** Parts that no stack has, or else those of another backend's platform, for the platform that is named. */
async function toAdopt(context: Context, id: string, { platform }: AdoptRuntimeOptions): Promise<readonly Orphan[]> {
  const all = await look(context);
  const ofOwn = orphansOf(all, id);
  const anywhere = ofOwn.length > 0 ? ofOwn : orphansOf(await look(context, id), id);
  const chosen = platform === undefined ? undefined : platformReference(platform);
  const orphans = anywhere.filter((one) => chosen === undefined || platformReference(one.platform) === chosen);
  return orphans.length > 0 ? orphans : notFound(context, id);
}

function choiceOf(orphans: readonly Orphan[]): string {
  for (const key of ["platform", "provisioner"] as const) {
    const names = new Set(orphans.map((one) => one[key]));
    if (names.size > 1) return `choose one with --${key} (${[...names].join(", ")})`;
  }
  return "remove it by hand first";
}

function adoptionText(
  id: string,
  owners: readonly string[],
  parts: readonly string[],
  differences: readonly string[],
): string {
  const whose =
    owners.length === 0
      ? `${id} has no stack.`
      : `${id} belongs to ${owners.join("; and to ")}. That stack can't change or delete it afterwards.`;
  const list = (lines: readonly string[]): string[] => lines.map((line) => `  - ${line}`);
  const then =
    differences.length === 0
      ? ["It is what the next update would apply."]
      : ["The next update would change:", ...list(differences)];
  return [`${whose} It is taken over as it is:`, ...list(parts), ...then].join("\n");
}

/** Shows an orphan, asks for confirmation, and deletes it. Disks that would be deleted must be named. */
export async function removeOrphan(context: Context, id: string, options: RemoveOptions): Promise<void> {
  await demandLocal(
    context,
    options,
    "remove-orphan works on clusters and ledgers, which a service does not open to callers",
  );
  const orphans = await found(context, deploymentId(id), options.provisioner);
  const parts = orphans.flatMap(partsOf).map((part) => `  - ${part}`);
  context.live.line([`${id} has no stack, and has:`, ...parts].join("\n"));
  refuseForeign(id, orphans, backendName(context.runtimes));
  if (orphans.some(isProtected)) {
    throw new Failure(
      `${id} is protected, so nothing was deleted. Restore its stack with "stackyard runtime adopt ${id}", then remove the protection with "${unprotectCommand(id)}"`,
    );
  }
  refuseLoss(id, orphans, options.allowDataLoss ?? []);
  if (options.yes !== true && !(await confirm(`Remove all of this of ${id}?`))) {
    throw new Failure(`${id} was left as it is`);
  }
  const { removeOrphans } = await import("../../engine/adoption/remove.js");
  const result = await guard(() => removeOrphans(id, orphans, runtimeOptions(context, options)));
  report(context, { ...result, outputs: {} }, "is gone", "removed", options.json);
}

function withoutRuntime(id: string, all: readonly Orphan[], provisioner: string | undefined): string {
  const there = all.flatMap(partsOf).map((part) => `  - ${part}`);
  const where = provisioner === undefined ? "" : ` with provisioner ${provisioner}`;
  return (
    `there is no runtime of ${id}${where} without a stack, only:\n${there.join("\n")}\n` +
    `A database goes back to a runtime that has a stack by its comment, see docs/clickhouse.md; remove it with: stackyard runtime remove-orphan ${id}`
  );
}

/**
 * Throws unless each disk and database that would be deleted is named, as `namespace/claim`, `provisioner/database` or
 * `namespace/*`.
 */
function refuseLoss(id: string, orphans: readonly Orphan[], allowed: readonly string[]): void {
  const data = orphans.flatMap(dataOf);
  const isNamed = (name: string) => allowed.includes(name) || allowed.includes(`${name.split("/")[0]}/*`);
  const refused = data
    .filter(({ lost }) => lost)
    .map(({ name }) => name)
    .filter((name) => !isNamed(name));
  if (refused.length > 0) {
    const flags = refused.map((name) => ` --allow-data-loss ${name}`).join("");
    throw new Failure(
      `removing ${id} would delete ${whatOf(orphans)} with their data, so nothing was deleted: ${refused.join(", ")}\n` +
        `To keep them, adopt it: stackyard runtime adopt ${id}. To let them go, name them: stackyard runtime remove-orphan ${id}${flags}`,
    );
  }
  const idle = allowed.filter(
    (entry) => !data.some(({ name }) => entry === name || entry === `${name.split("/")[0]}/*`),
  );
  if (idle.length > 0) throw new UsageError(`--allow-data-loss: ${idle.join(", ")} is no disk or database of ${id}`);
}

function whatOf(orphans: readonly Orphan[]): string {
  if (orphans.some(({ type }) => type === "gardener")) return "whole clusters";
  return orphans.some(({ type }) => type === "clickhouse") ? "claims or databases" : "claims";
}

async function found(context: Context, id: string, provisioner: string | undefined): Promise<[Orphan, ...Orphan[]]> {
  const all = await look(context);
  const [first, ...others] = orphansOf(all, id, provisioner);
  return first ? [first, ...others] : notFound(context, id, provisioner);
}

async function notFound(context: Context, id: string, provisioner?: string): Promise<never> {
  const states = await withStore(context.runtimes, (store) => store.list(RUNTIME_PROJECT));
  const owner = states.find((state) => recordInState(state)?.deployment.id === id)?.name;
  if (owner !== undefined) {
    throw new Failure(
      `${id} is no orphan: stack ${owner} in this state backend owns it. Change it with: stackyard runtime up ${owner}. ` +
        `To give it another stack, rename that one: pulumi stack rename NAME --stack ${owner}`,
    );
  }
  const where = provisioner === undefined ? "" : ` with provisioner ${provisioner}`;
  throw new Failure(`there is no orphan ${id}${where}; "stackyard runtime list --orphans" shows those there are`);
}

async function look({ live, colours, ...workspaces }: Context, everywhere?: string): Promise<Orphans> {
  live.status(`  ${colours.dim("looking through ledgers, clusters and databases")}`);
  const orphans = await findOrphans(workspaces, everywhere);
  live.end();
  for (const reason of orphans.unseen) live.line(`${colours.warn("warning:")} not looked at: ${reason}`);
  return orphans;
}
