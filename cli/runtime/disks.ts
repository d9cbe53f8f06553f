import { protectedText } from "../../components/runtime/protection";
import {
  disksNamed,
  findDisks,
  keptDiskName,
  protectedAmong,
  removeDisks,
  type DiskPlace,
  type FoundDisk,
} from "../../engine/disks/disks";
import { EXIT, Failure } from "../../foundation/errors";
import { ago, count } from "../../foundation/text/numbers";
import type { Context } from "../context";
import { structured, type OutputOptions } from "../options/output";
import { confirm } from "../terminal/ask";
import { table, type Column } from "../terminal/table";

export interface DisksOptions extends OutputOptions {
  readonly remove?: readonly string[];
  readonly yes?: boolean;
}

const GIB = 2 ** 30;

/** Lists kept disks, or deletes those that are named. Exit code 1 if a cluster could not be read. */
export async function disks(context: Context, options: DisksOptions): Promise<void> {
  const place = { root: context.root, folder: context.runtimeFolder };
  const { disks: found, unseen } = await findDisks(place);
  if (options.remove !== undefined) return remove(context, place, { found, unseen }, options);
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
  context.live.line(context.colours.dim(`${count(found.length, "disk")}, ${gib(found)} in all`));
}

const gib = (found: readonly FoundDisk[]): string =>
  `${Number((found.reduce((sum, { bytes }) => sum + bytes, 0) / GIB).toFixed(1))} GiB`;

const ownerOf = ({ deployment, set }: FoundDisk): string => deployment ?? set;

const row = (disk: FoundDisk): string[] => [
  keptDiskName(disk),
  ownerOf(disk),
  String(Number((disk.bytes / GIB).toFixed(1))),
  disk.since === "" ? "-" : `${ago(new Date(disk.since), new Date())} ago`,
  disk.provisioner ?? "",
  disk.platform ?? "",
];

interface Search {
  readonly found: readonly FoundDisk[];
  readonly unseen: readonly string[];
}

async function remove(
  { live }: Context,
  place: DiskPlace,
  { found, unseen }: Search,
  { remove: names = [], yes: isConfirmed = false }: DisksOptions,
): Promise<void> {
  const { named, faults } = disksNamed(found, names);
  if (faults.length > 0) {
    const where = unseen.length > 0 ? `; not looked at: ${unseen.join("; ")}` : "";
    throw new Failure(`${faults.join("\n")}${where}. "stackyard runtime disks" lists them`, "input");
  }
  const [one] = await protectedAmong(named, place);
  if (one !== undefined) throw new Failure(protectedText(one, "a disk of it would be deleted"), "protected");
  const what = named.map((disk) => `${keptDiskName(disk)} of ${ownerOf(disk)}, ${gib([disk])}`).join("; ");
  if (!isConfirmed && !(await confirm(`Delete ${count(named.length, "disk")} with all data: ${what}?`))) {
    throw new Failure("nothing was deleted");
  }
  await removeDisks(named);
  for (const disk of named) live.line(`${keptDiskName(disk)} of ${ownerOf(disk)} is deleted`);
}
