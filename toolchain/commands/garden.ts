import * as path from "node:path";
import { withLock } from "../bootstrap/lock";
import { say } from "../bootstrap/progress";
import { GARDEN_TESTS } from "../tests/garden";
import { ensureTools } from "../tools/ensure";
import { askedExtensions, extensionOf } from "../tools/extensions";
import { GARDENER, gardenerServer, type GardenerRelease } from "../tools/gardener";
import { sideLock } from "../yard/sideYards";
import { run } from "./run";

/**
 * `make garden`: tests the Shoots of the product with Gardener's own API server on a separate yard; by the releases in
 * `GARDENER`, such as `newest`, else by all; with the validators of the clouds in `EXTENSIONS`, else of all.
 */
export function garden(root: string): Promise<number> {
  return withLock(
    sideLock(root, "garden"),
    () => everything(root, releasesIn(process.env["GARDENER"])),
    (holder) => say(`• Process ${holder} runs make garden in this checkout; waiting`),
  );
}

function releasesIn(asked: string | undefined): [string, GardenerRelease][] {
  const all = Object.entries(GARDENER);
  const chosen = asked === undefined ? all : all.filter(([name, { version }]) => [name, version].includes(asked));
  if (chosen.length > 0) return chosen;
  const known = all.flatMap(([name, { version }]) => [name, version]).join(", ");
  throw new Error(`GARDENER: found ${asked}; expected one of ${known}, or nothing for all releases`);
}

async function everything(root: string, releases: readonly [string, GardenerRelease][]): Promise<number> {
  const { path: folders } = await ensureTools(root);
  const failed: string[] = [];
  for (const [name, release] of releases) {
    await ensureTools(root, [gardenerServer(release), ...askedExtensions().map(extensionOf)]);
    const isOver = Date.parse(release.ends) < Date.now();
    say(`• Gardener ${release.version}, the ${name} release; support ${isOver ? "ended" : "ends"} on ${release.ends}`);
    const env = {
      ...process.env,
      PATH: [...folders, process.env["PATH"]].join(path.delimiter),
      GARDENER: release.version,
    };
    const mocha = path.join("node_modules", "mocha", "bin", "mocha.js");
    if ((await run(process.execPath, [mocha, ...GARDEN_TESTS], { cwd: root, env })) !== 0) failed.push(release.version);
  }
  say(failed.length === 0 ? "✓ make garden" : `✗ make garden: failed with Gardener ${failed.join(", ")}`);
  return failed.length === 0 ? 0 : 1;
}
