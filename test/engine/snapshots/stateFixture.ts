import { readFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import type { World } from "../runtime/world";

const root = path.join(__dirname, "../../..");

/** Of the release whose program made the state. */
export const STATE_FILE = path.join(root, "test/fixtures/states/0.1.0-staging.json");

/** What differs from one run to the next, with the word that stands for it in the file. */
function places(world: World): [string, string][] {
  const { clusters } = load(readFileSync(world.place.kubeconfig, "utf8")) as {
    clusters: { cluster: { server: string; "certificate-authority-data": string } }[];
  };
  const { server, "certificate-authority-data": authority } = clusters[0]!.cluster;
  return [
    [world.place.kubeconfig, "@KUBECONFIG@"],
    [world.folder, "@FOLDER@"],
    [root, "@CHECKOUT@"],
    [server, "@SERVER@"],
    [authority, "@AUTHORITY@"],
    [world.tag, "@TAG@"],
  ];
}

/** A state as it is kept in the repository: of no machine and no passphrase, its secrets in plain text, all made up. */
export function toFixture(state: string, world: World): string {
  const parsed = JSON.parse(state) as { deployment: { secrets_providers?: unknown; resources: unknown[] } };
  delete parsed.deployment.secrets_providers;
  const { resources, ...rest } = parsed.deployment;
  // A line for each resource: short, and a diff still shows which one changed.
  const lines = resources.map((resource) => JSON.stringify(resource)).join(",\n");
  const head = JSON.stringify({ ...parsed, deployment: { ...rest, resources: [] } });
  const text = head.replace(/"resources":\[\]\}\}$/, () => `"resources":[\n${lines}\n]}}\n`);
  return places(world).reduce((all, [found, word]) => all.replaceAll(found, word), text);
}

/** The state of the file as this world would have made it, its secrets under the passphrase of the world's own stack. */
export function fromFixture(world: World): string {
  const file = path.join(world.folder, "platform", `Pulumi.${world.tag}.yaml`);
  const { encryptionsalt: salt } = load(readFileSync(file, "utf8")) as { encryptionsalt: string };
  const text = places(world).reduce(
    (all, [found, word]) => all.replaceAll(word, found),
    readFileSync(STATE_FILE, "utf8"),
  );
  const state = JSON.parse(text) as { deployment: object };
  const secrets_providers = { type: "passphrase", state: { salt } };
  return JSON.stringify({ ...state, deployment: { ...state.deployment, secrets_providers } });
}
