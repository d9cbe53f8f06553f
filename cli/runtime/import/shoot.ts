import { readPlatform } from "../../../engine/stack/platformOutputs";
import { withStore } from "../../../engine/pulumi/state/store";
import { deploymentId, platformReference, RUNTIME_PROJECT } from "../../../engine/stack/names";
import { guard } from "../../../engine/process/interrupt";
import type { FoundShoot } from "../../../engine/importing/shoot";
import { UsageError } from "../../../foundation/errors";
import { count } from "../../../foundation/text/numbers";
import type { Context } from "../../context";
import type { RuntimeImportOptions } from "./options";
import { demandLocal } from "../target/choose";
import { defaultPlatform } from "../upOptions";
import { report } from "../text/report";
import { runtimeOptions } from "../target/local";

/** Imports one existing Shoot, or the runtimes of the original Runtime Provisioner. Changes nothing in a cluster. */
export async function importRuntimes(
  context: Context,
  id: string | undefined,
  options: RuntimeImportOptions,
): Promise<void> {
  const { shoot, fromProvisioner } = options;
  if (fromProvisioner !== undefined && shoot === undefined) {
    const { importFromProvisioner } = await import("./provisioner.js");
    return importFromProvisioner(context, id, { ...options, fromProvisioner });
  }
  if (id === undefined || shoot === undefined || fromProvisioner !== undefined) {
    throw new UsageError("expected ID --shoot NAME, or --from-provisioner URL with the id of one runtime or none");
  }
  return importShootAs(context, id, { ...options, shoot });
}

async function importShootAs(
  context: Context,
  id: string,
  options: RuntimeImportOptions & { readonly shoot: string },
): Promise<void> {
  await demandLocal(
    context,
    options,
    "import reads the Shoot with the platform's credentials, which a service does not open to callers",
  );
  const platform = options.platform === undefined ? defaultPlatform() : platformReference(options.platform);
  const { findShoot, gardenOf } = await import("../../../engine/importing/shoot.js");
  const { importShoot, mustBeNew } = await import("../../../engine/importing/import.js");
  const garden = gardenOf(await readPlatform(context.platforms, platform), options.provisioner);
  const found = await findShoot(deploymentId(id), options.shoot, garden);
  const place = { namespace: garden.spec.namespace, name: options.shoot, uid: found.uid };
  mustBeNew(id, place, await withStore(context.runtimes, (store) => store.list(RUNTIME_PROJECT)));
  if (options.dryRun === true && options.json === true) {
    return context.print(JSON.stringify({ id, ...place, ...found, dryRun: true }, null, 2));
  }
  context.live.line(differencesText(found));
  if (options.dryRun === true) return context.live.line("nothing was imported (--dry-run)");
  const result = await guard(() => importShoot(id, found, platform, runtimeOptions(context, options)));
  report(context, result, "is imported", "imported", options.json);
}

const shown = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value));

export function differencesText({ differences, notes }: Pick<FoundShoot, "differences" | "notes">): string {
  const lines = differences.map(
    ({ path, is, would }) => `  - ${path}: ${shown(is)}; the settings would make it ${shown(would)}`,
  );
  const head =
    lines.length === 0
      ? "the Shoot is as the settings would make it"
      : `${count(lines.length, "field")} of the Shoot differ from what the settings would make; they stay as they are until you ask for a change of them:`;
  return [head, ...lines, ...notes.map((note) => `note: ${note}`)].join("\n");
}
