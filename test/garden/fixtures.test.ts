import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { clusterRequestOf } from "../../engine/adoption/gardener/seen";
import type { Context } from "../../foundation/pulumi/resource";
import { messageOf } from "../../foundation/errors";
import { textAt, type KubeObject } from "../../kubernetes/objects/objects";
import { shoot as handler } from "../../provider/resources/shoot/shoot";
import { secretBinding, credentialsBinding } from "../doubles/gardener/world";
import { contextOf } from "../unit/provider/context";
import { VERSIONS } from "./cases";
import { garden, NAMESPACE, type Garden } from "./garden";
import { ACCOUNTS } from "./accounts";
import { inputsOf, shootFor } from "./product";
import { secret } from "./world";

const FOLDER = join(__dirname, "../fixtures/shoots");
const context = (more: Partial<Context> = {}): Context => contextOf(() => undefined, more);

describe("Shoots of the original", () => {
  let real: Garden;
  before(async () => {
    real = await garden();
    for (const cloud of ["aws", "azure", "gcp", "openstack"]) {
      const name = `account-of-${cloud}`;
      await real.client.apply(secret(NAMESPACE, name, ACCOUNTS[cloud]));
      for (const binding of [secretBinding, credentialsBinding])
        await real.client.apply(binding(NAMESPACE, name, cloud));
    }
    await real.client.apply(secret(NAMESPACE, "dns", ACCOUNTS["aws"]));
  });

  for (const file of readdirSync(FOLDER)) {
    it(`are taken with each version of Kubernetes (${file})`, async () => {
      const live = JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as KubeObject;
      const refused: string[] = [];
      for (const kubernetesVersion of VERSIONS) {
        const name = `${textAt(live, "metadata", "name")}-${kubernetesVersion.split(".")[1]}`;
        try {
          const inputs = inputsOf(real, shootFor(name, { cluster: { ...clusterRequestOf(live), kubernetesVersion } }));
          await handler.create(context({ preview: true }), inputs);
          const { id, state } = await handler.create(context(), inputs);
          await handler.update(context(), id, { inputs, state }, inputs);
        } catch (error) {
          refused.push(messageOf(error));
        }
      }
      assert.deepEqual(refused, []);
    });
  }
});
