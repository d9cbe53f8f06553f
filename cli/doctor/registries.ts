import { messageOf } from "../../foundation/errors";
import { DOCKER_HUB, parseReference } from "../../foundation/registry/reference";
import type { PlatformConfig } from "../../components/platform/config/platformConfig";
import { imagesOf } from "../../components/platform/facts";
import { findingsOf, type Finding } from "./finding";

const PATIENCE_MS = 3_000;

/**
 * Whether the registries of the platform's images answer. A warning at most: nodes may reach what this machine can't.
 * The preview fetches charts and compares them with their lock.
 */
export async function registryFindings(config: PlatformConfig): Promise<Finding[]> {
  const { ok, warning } = findingsOf("registries");
  const images = imagesOf(config).map(({ image }) => image.replace(/:<.*$/, ""));
  const registries = [...new Set(images.map((image) => parseReference(image).registry))].sort();
  return Promise.all(
    registries.map(async (registry) => {
      const host = registry === DOCKER_HUB ? "registry-1.docker.io" : registry;
      try {
        const { body } = await fetch(`https://${host}/v2/`, { signal: AbortSignal.timeout(PATIENCE_MS) });
        await body?.cancel();
        return ok(`${registry} answers`);
      } catch (error) {
        const why = messageOf((error as Error).cause ?? error);
        const remedy = "check that the nodes reach it, or set images.mirror to a registry that they reach";
        return warning(`${registry}, which images come from, does not answer this machine: ${why}`, remedy);
      }
    }),
  );
}
