import { toolsFolder } from "../bootstrap/paths";
import { complete, toolFolder } from "../tools/folder";
import { GARDENER, gardenerServer } from "../tools/gardener";

/** Arguments of mocha for the tests that need Gardener's own API server. */
export const GARDEN_TESTS = ["--config", ".mocharc.garden.yaml", "test/garden/**/*.test.ts"];

/** Whether `make garden` has built the newest one before. */
export function hasGardener(root: string): boolean {
  const tool = gardenerServer(GARDENER.newest);
  return complete(toolFolder(toolsFolder(), tool, root), tool);
}
