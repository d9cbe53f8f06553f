import { keptDiskName } from "../../engine/disks/disks";
import { EXIT, Failure } from "../../foundation/errors";
import type { KeptDisk } from "../../kubernetes/disks/kept";
import { ago, count } from "../../foundation/text/numbers";
import type { Context } from "../context";
import { structured, type OutputOptions } from "../options/output";
import { confirm } from "../terminal/ask";
import { numbers, table } from "../terminal/table";
import type { TargetOptions } from "./options";
import { runtimeTarget } from "./target/choose";
import type { Target } from "./target/target";

export interface DisksOptions extends OutputOptions, TargetOptions {
  readonly remove?: readonly string[];
  readonly yes?: boolean;
}

const GIB = 2 ** 30;

/** Lists kept disks, or deletes those that are named. Exit code 1 if a cluster could not be read. */
export async function disks(context: Context, options: DisksOptions): Promise<void> {
  const target = await runtimeTarget(context, options);
  if (options.remove !== undefined) return remove(context, target, options.remove, options.yes);
  const { disks: found, unseen } = await target.disks();
  for (const reason of unseen) context.live.line(`${context.colours.warn("warning:")} not looked at: ${reason}`);
  if (unseen.length > 0) process.exitCode = EXIT.failure;
  const printed = structured(found, options);
  if (printed !== undefined) return context.print(printed);
  if (found.length === 0) return context.print("no kept disks");
  const columns = ["DISK", "DEPLOYMENT", numbers("GIB"), "KEPT", "PROVISIONER", "PLATFORM"];
  context.print(table(columns, found.map(row)));
  context.live.line(context.colours.dim(`${count(found.length, "disk")}, ${gib(found)} in all`));
}

const gib = (found: readonly KeptDisk[]): string =>
  `${Number((found.reduce((sum, { bytes }) => sum + bytes, 0) / GIB).toFixed(1))} GiB`;

const ownerOf = ({ deployment, set }: KeptDisk): string => deployment ?? set;

const row = (disk: KeptDisk): string[] => [
  keptDiskName(disk),
  ownerOf(disk),
  String(Number((disk.bytes / GIB).toFixed(1))),
  disk.since === "" ? "-" : `${ago(new Date(disk.since), new Date())} ago`,
  disk.provisioner ?? "",
  disk.platform ?? "",
];

async function remove({ live }: Context, target: Target, names: readonly string[], isConfirmed = false): Promise<void> {
  const found = await target.disksNamed(names);
  const named = found.disks;
  const what = named.map((disk) => `${keptDiskName(disk)} of ${ownerOf(disk)}, ${gib([disk])}`).join("; ");
  if (!isConfirmed && !(await confirm(`Delete ${count(named.length, "disk")} with all data: ${what}?`))) {
    throw new Failure("nothing was deleted");
  }
  await found.remove();
  for (const disk of named) live.line(`${keptDiskName(disk)} of ${ownerOf(disk)} is deleted`);
}
