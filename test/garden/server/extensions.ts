import * as path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../../../kubernetes/client/client";
import { tail } from "../../../toolchain/yard/files";
import { portsToBind } from "../../../toolchain/yard/ports";
import type { Yard } from "../../../toolchain/yard/yard";
import { startOn } from "./start";

const PREFIX = "gardener-extension-admission-";
const NAMESPACE = "garden";
const PATIENCE_MS = 60_000;
const PAUSE_MS = 200;

/** Starts the validators of an extension on a yard with Gardener's API server. They end with the yard. */
export async function startExtension(yard: Yard, client: Client, cloud: string, program: string): Promise<void> {
  const [server, health] = await portsToBind(2);
  const args = Object.entries({
    kubeconfig: yard.kubeconfig,
    "webhook-config-mode": "url",
    "webhook-config-url": `127.0.0.1:${server}`,
    "webhook-config-namespace": NAMESPACE,
    "webhook-config-server-host": "127.0.0.1",
    "webhook-config-server-port": server,
    "webhook-config-cert-dir": path.join(yard.directory, `${PREFIX}${cloud}-certificate`),
    "health-bind-address": `127.0.0.1:${health}`,
    "metrics-bind-address": "0",
    "leader-election": false,
  }).map(([flag, value]) => `--${flag}=${value}`);
  const start = () => startOn(yard, `${PREFIX}${cloud}`, program, args, { LEADER_ELECTION_NAMESPACE: NAMESPACE });
  let { child, log } = await start();
  const webhook = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    name: `${PREFIX}${cloud}`,
  };
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await client.get(webhook)) || !(await isReady(`http://127.0.0.1:${health}/readyz`))) {
    // It ends where it does not find Gardener's kinds yet, and is started again in a cluster, too.
    if (child.exitCode !== null) ({ child, log } = await start());
    if (Date.now() > deadline)
      throw new Error(`the validators for ${cloud} do not answer; last lines of ${log}:\n${tail(log, 10)}`);
    await sleep(PAUSE_MS);
  }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
