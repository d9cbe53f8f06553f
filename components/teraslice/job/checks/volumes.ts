import { didYouMean } from "../../../../foundation/text/nearest";
import { ASSETS_VOLUME, mounts } from "../footprint/pod";
import type { Findings } from "./findings";

const KNOWN = ["name", "path"];

/** Checks that volumes and mount paths are unique, and different from those of all pods. */
export function checkVolumes(findings: Findings): void {
  const { job, settings } = findings;
  const names = new Map<string, string>();
  const places = new Map<string, string>();
  for (const { name, mountPath } of mounts({ ephemeral_storage: job.ephemeral_storage === true }, settings)) {
    // Older masters have no volume for assets unless a claim is configured.
    if (settings.teraslice.assets_volume === undefined && name === ASSETS_VOLUME) continue;
    names.set(name, "pods of jobs have a volume of that name already");
    places.set(mountPath, `the volume ${name} exists already`);
  }
  for (const [index, volume] of (job.volumes ?? []).entries()) {
    const at = ["volumes", index];
    for (const key of Object.keys(volume).filter((each) => !KNOWN.includes(each))) {
      const found = "an unknown key, of which a master takes no notice";
      findings.warning([...at, key], found, `one of ${KNOWN.join(", ")}`, didYouMean(key, KNOWN));
    }
    const path = volume.path.replace(/(?<=.)\/+$/, "");
    const named = names.get(volume.name);
    if (named !== undefined) findings.error([...at, "name"], `another, because ${named}`);
    const placed = places.get(path);
    if (placed !== undefined) findings.error([...at, "path"], `another, because ${placed}`);
    if (settings.teraslice.assets_volume === undefined) checkAssets(findings, at, volume.name, path);
    names.set(volume.name, `volumes[${index}] has it already`);
    places.set(path, `volumes[${index}] exists already`);
  }
}

/** A volume for assets works only with older masters. */
function checkAssets(findings: Findings, at: readonly (string | number)[], name: string, path: string): void {
  const { assets_directory: directory } = findings.settings.teraslice;
  if (name !== ASSETS_VOLUME && path !== directory) return;
  const expected = `another, because masters of today have a volume ${ASSETS_VOLUME} at ${directory}`;
  const key = name === ASSETS_VOLUME ? "name" : "path";
  const found = JSON.stringify(key === "name" ? name : path);
  findings.warning([...at, key], found, expected, "for a claim there, set teraslice.settings.assets_volume");
}
