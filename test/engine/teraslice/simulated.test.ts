import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/connect/connect";
import { portToBind } from "../../../toolchain/yard/ports";
import { addressOfMachine } from "../runtime/behindService";
import { testYard } from "../runtime/yard";

const program = path.join(__dirname, "../../doubles/teraslice/serve.ts");

describe("the simulated Teraslice master of the yard", () => {
  const namespace = `simulated-${randomBytes(3).toString("hex")}`;
  let client: Client;
  let child: ChildProcess | undefined;

  after(async () => {
    child?.kill();
    await client?.remove({ apiVersion: "v1", kind: "Namespace", name: namespace });
  });

  it("answers for the master's pod through its Service", async function () {
    if (addressOfMachine() === undefined) return this.skip();
    const { kubeconfig } = await testYard();
    client = connect(readFileSync(kubeconfig, "utf8"), undefined, {});
    const port = await portToBind();
    child = spawn(process.execPath, ["--import", "tsx", program, kubeconfig, String(port), "test"], {
      stdio: "ignore",
    });
    const labels = { "app.kubernetes.io/name": "teraslice", "app.kubernetes.io/component": "master" };
    const metadata = { namespace, name: "acme-master", labels };
    await client.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    const spec = { containers: [{ name: "master", image: "example/teraslice:1" }] };
    await client.apply({ apiVersion: "v1", kind: "Pod", metadata, spec });
    await client.apply({ apiVersion: "v1", kind: "Service", metadata, spec: { selector: labels, ports: [{ port }] } });
    const service = { namespace, name: "acme-master", port };
    const once = client.with({ patienceMs: 0 });
    let answer: string | undefined;
    while (answer === undefined) {
      answer = await once.ask("list jobs", service, { method: "GET", path: "/v1/jobs" }).catch(() => undefined);
      if (answer === undefined) await sleep(100);
    }
    assert.deepEqual(JSON.parse(answer), []);
  });
});
