import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../../../kubernetes/connect/connect";
import { addressOfMachine, giveAddress } from "../../engine/runtime/behindService";
import { TerasliceMaster } from "./master";
import { Pods } from "./pods";

/** Labels of a master's pod. */
const MASTER = "app.kubernetes.io/name=teraslice,app.kubernetes.io/component=master";
const LOOK_EVERY_MS = 50;

/**
 * Simulates the Teraslice master of a local yard, whose pods are not real, with the tests' double at the address of the
 * master's pod, even when that is recreated. Arguments: the kubeconfig, the port of the master, and any text that
 * identifies the process.
 */
async function main([kubeconfig = "", port = ""]: readonly string[]): Promise<void> {
  const address = addressOfMachine();
  if (address === undefined)
    throw new Error("this machine has no address but the loopback one, which no API server reaches");
  const client = connect(readFileSync(kubeconfig, "utf8"), undefined, {});
  const double = new TerasliceMaster();
  await double.listen(Number(port), address);
  for (let first = true; ; first = false) {
    const pods = await client.list({ apiVersion: "v1", kind: "Pod" }, { label: MASTER });
    if (first && pods.length === 0) process.stdout.write("a double of a Teraslice master answers for the next one\n");
    for (const { metadata, status } of pods) {
      const { namespace = "", name } = metadata;
      double.pods ??= new Pods(client, namespace);
      const { phase, podIP } = (status ?? {}) as { phase?: string; podIP?: string };
      if (phase !== "Running" || podIP === address) continue;
      await giveAddress(client, namespace, name, address);
      process.stdout.write(`a double of a Teraslice master answers for ${namespace}/${name}\n`);
    }
    await sleep(LOOK_EVERY_MS);
  }
}

void main(process.argv.slice(2));
