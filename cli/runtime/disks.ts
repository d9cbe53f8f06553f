import { findDisks, nameOf, removeDisks, type FoundDisk } from "../../engine/disks/disks";
import { EXIT, Failure } from "../../foundation/errors";
import { ago, count } from "../../foundation/text/numbers";
import type { Context } from "../context";
import { structured, type OutputOptions } from "../program/output";
import { confirm } from "../terminal/ask";
import { table, type Column } from "../terminal/table";

export interface DisksOptions extends OutputOptions {
  readonly remove?: readonly string[];
  readonly yes?: boolean;
}

const GIB = 2 ** 30;

/** Lists kept disks, or deletes those that are named. Exit code 1 if a cluster could not be read. */
export async function disks(context: Context, options: DisksOptions): Promise<void> {
  if (options.remove !== undefined) return remove(context, options.remove, options.yes === true);
  const { disks: found, unseen } = await findDisks(context.root);
  for (const reason of unseen) context.live.line(`${context.colours.warn("warning:")} not looked at: ${reason}`);
  if (unseen.length > 0) process.exitCode = EXIT.failure;
  const printed = structured(found, options);
  if (printed !== undefined) return context.print(printed);
  if (found.length === 0) return context.print("no kept disks");
  const columns: Column[] = [
    { title: "DISK" },
    { title: "DEPLOYMENT" },
    { title: "GIB", align: "right" },
    { title: "KEPT" },
    { title: "PROVISIONER" },
    { title: "PLATFORM" },
  ];
  context.print(table(columns, found.map(row)));
  const total = found.reduce((sum, { bytes }) => sum + bytes, 0) / GIB;
  context.live.line(context.colours.dim(`${count(found.length, "disk")}, ${Number(total.toFixed(1))} GiB in all`));
}

const row = (disk: FoundDisk): string[] => [
  nameOf(disk),
  disk.deployment ?? disk.set,
  String(Number((disk.bytes / GIB).toFixed(1))),
  disk.since === "" ? "-" : `${ago(new Date(disk.since), new Date())} ago`,
  disk.provisioner ?? "",
  disk.platform ?? "",
];

async function remove(context: Context, names: readonly string[], isConfirmed: boolean): Promise<void> {
  const what = `${count(names.length, "disk")} with all data: ${names.join(", ")}`;
  if (!isConfirmed && !(await confirm(`Delete ${what}?`))) throw new Failure("nothing was deleted");
  const removed = await removeDisks(context.root, names);
  for (const disk of removed) context.live.line(`${nameOf(disk)} of ${disk.deployment ?? disk.set} is deleted`);
}
