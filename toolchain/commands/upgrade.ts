import { readFileSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { say } from "../bootstrap/progress";
import { baseImages, pinned, withDigests } from "../upgrade/baseImages";
import { commitOf, goGet, goVersions, isServed, npmInstall, npmVersions, outdated } from "../upgrade/registries";
import { compatible, filesOf, newer, newest, withVersion } from "../upgrade/versions";
import { TOOLS } from "../tools/table";
import { run } from "./run";

const CLI = "github.com/pulumi/pulumi/pkg/v3";
const SDK = "github.com/pulumi/pulumi/sdk/v3";
const PROVIDER = "github.com/pulumi/pulumi-kubernetes/provider/v4";

/** Their versions follow the engine and the Kubernetes provider. */
const WITH_TOOLS = new Set(["@pulumi/pulumi", "@pulumi/kubernetes"]);

/**
 * `make upgrade`: sets the newest Pulumi, Kubernetes provider and npm packages that the registries serve and that
 * promise the same interface, and the digests of base images, then generates and checks. What stays is printed with the
 * reason.
 */
export async function upgrade(root: string): Promise<number> {
  const version = (name: string): string => TOOLS.find((tool) => tool.name === name)?.version ?? "";
  await upgradeEngine(version("pulumi"), root);
  await upgradeProvider(version("pulumi-resource-kubernetes"), root);
  await upgradePackages(root);
  await pinBaseImages(path.join(root, "service", "Containerfile"));
  const generated = await run("npm", ["run", "--silent", "generate"], { cwd: root });
  if (generated !== 0) return generated;
  const checked = await run("npm", ["run", "--silent", "check"], { cwd: root });
  say("What to look at before it is merged: engine/pulumi/README.md");
  return checked;
}

async function upgradeEngine(from: string, root: string): Promise<void> {
  let to = from;
  for (const version of newer(from, await goVersions(CLI, root), await goVersions(SDK, root))) {
    if (!(await isServed([`${CLI}@v${version}`, `${SDK}@v${version}`], root))) continue;
    to = version;
    break;
  }
  if (to !== from) {
    await goGet("pulumi", [`${CLI}@v${to}`, `${SDK}@v${to}`], root);
    writeVersion("engine", from, to, root);
  }
  // The engine must know all that the SDK requests of it.
  const sdk = newest(await npmVersions("@pulumi/pulumi", root), to) ?? to;
  await npmInstall([`@pulumi/pulumi@${sdk}`], root);
  say(`• Pulumi: engine ${from} → ${to}, SDK ${sdk}`);
}

async function upgradeProvider(from: string, root: string): Promise<void> {
  const to = newest(await npmVersions("@pulumi/kubernetes", root)) ?? from;
  if (to === from) return;
  try {
    // The module has no tags of its own: it is pinned by the commit of the release.
    const commit = await commitOf("pulumi/pulumi-kubernetes", `v${to}`, root);
    if (commit === undefined) throw new Error(`its repository has no tag v${to}`);
    await goGet("provider-kubernetes", [`${PROVIDER}@${commit}`], root);
    await npmInstall([`@pulumi/kubernetes@${to}`], root);
    writeVersion("kubernetes", from, to, root);
    say(`• Kubernetes provider: ${from} → ${to}`);
  } catch (error) {
    say(`• Kubernetes provider: stays at ${from}, because ${to} can't be had: ${reasonOf(error)}`);
  }
}

/**
 * One package at a time, so that one that conflicts with others leaves those as they are. Those that fail are tried again
 * after the others, because some only go together.
 */
async function upgradePackages(root: string): Promise<void> {
  let waiting: { readonly name: string; readonly from: string; readonly to: string; readonly reason?: string }[] = [];
  for (const [name, { current: from, latest }] of Object.entries(await outdated(root))) {
    if (WITH_TOOLS.has(name)) continue;
    const to = compatible(from, await npmVersions(name, root));
    if (to !== undefined) waiting.push({ name, from, to });
    else say(`• ${name}: stays at ${from}; ${latest} may change its interface`);
  }
  for (let before = Infinity; waiting.length < before;) {
    before = waiting.length;
    const failed: typeof waiting = [];
    for (const { name, from, to } of waiting) {
      try {
        await npmInstall([`${name}@${to}`], root);
        say(`• ${name}: ${from} → ${to}`);
      } catch (error) {
        failed.push({ name, from, to, reason: reasonOf(error) });
      }
    }
    waiting = failed;
  }
  for (const { name, from, to, reason } of waiting) say(`• ${name}: stays at ${from}, because of ${to}: ${reason}`);
}

async function pinBaseImages(file: string): Promise<void> {
  const text = readFileSync(file, "utf8");
  const images = await Promise.all(baseImages(text).map(pinned));
  writeFileSync(file, withDigests(text, images));
  for (const { image, digest, reason } of images)
    if (digest === undefined) say(`• ${image}: not pinned, because its digest can't be had: ${reason}`);
    else if (!text.includes(`${image}@${digest}`)) say(`• ${image}: ${digest}`);
}

function writeVersion(part: "engine" | "kubernetes", from: string, to: string, root: string): void {
  for (const name of filesOf(part)) {
    const file = path.join(root, name);
    writeFileSync(file, withVersion(part, name, readFileSync(file, "utf8"), { from, to }));
  }
}

/** The first lines of what a client reported as an error; it may print hundreds. */
function reasonOf(error: unknown): string {
  const { stderr = "", message } = error as { readonly stderr?: string; readonly message: string };
  const lines = stderr.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("npm warn"));
  return (lines.length > 0 ? lines : [message]).slice(0, 3).join(" ");
}
