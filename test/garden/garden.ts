/** A yard with Gardener's own API server and a project in it. `make garden` says which release it is. */

import { readFileSync } from "node:fs";
import type { Client } from "../../kubernetes/client/client";
import { connect } from "../../kubernetes/connect/connect";
import { messageOf } from "../../foundation/errors";
import { projectRoot } from "../../toolchain/root";
import { ensureTools } from "../../toolchain/tools/ensure";
import { builtExtensions, extensionOf } from "../../toolchain/tools/extensions";
import { GARDENER, gardenerServer } from "../../toolchain/tools/gardener";
import { say } from "../../toolchain/bootstrap/progress";
import { startExtension } from "./server/extensions";
import { startGardenerServer } from "./server/server";
import { sideYard } from "../../toolchain/yard/sideYards";
import { startYard, stopYard, type Yard } from "../../toolchain/yard/yard";
import { gardenWorld } from "./world";

export const PROJECT = "dev";
export const NAMESPACE = `garden-${PROJECT}`;

export interface Garden {
  readonly release: string;
  readonly client: Client;
  readonly kubeconfig: string;
  /** The clouds whose extensions validate. */
  readonly extensions: readonly string[];
}

let yard: Yard | undefined;
let begun: Promise<Garden> | undefined;

/** The same one for all test files of a process. */
export const garden = (): Promise<Garden> => (begun ??= begin());

async function begin(): Promise<Garden> {
  const { version } =
    Object.values(GARDENER).find(({ version }) => version === process.env["GARDENER"]) ?? GARDENER.newest;
  const extensions = builtExtensions(projectRoot());
  const { programs } = await ensureTools(projectRoot(), [gardenerServer({ version }), ...extensions.map(extensionOf)]);
  const directory = sideYard(projectRoot(), "garden");
  await stopYard({ directory });
  yard = await startYard({ directory });
  const kubeconfig = readFileSync(yard.kubeconfig, "utf8");
  const client = connect(kubeconfig, undefined, {});
  await startGardenerServer(yard, client, programs["gardener-apiserver"] ?? "");
  for (const cloud of extensions)
    await startExtension(yard, client, cloud, programs[`gardener-extension-admission-${cloud}`] ?? "");
  say(`• Validators of the extensions: ${extensions.join(", ") || "none"}`);
  const faults: string[] = [];
  for (const object of gardenWorld(PROJECT))
    await client.apply(object).catch((error: unknown) => faults.push(messageOf(error)));
  if (faults.length > 0) throw new Error(faults.join("\n"));
  return { release: version, client, kubeconfig, extensions };
}

export const mochaHooks = {
  async beforeAll(this: Mocha.Context): Promise<void> {
    this.timeout(300_000);
    await garden();
  },
  async afterAll(): Promise<void> {
    await yard?.stop();
  },
};
