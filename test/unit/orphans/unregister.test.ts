import assert from "node:assert/strict";
import type { GardenerProvisioner } from "../../../components/runtime/types/gardener/spec";
import { unregisterOrphans } from "../../../engine/adoption/remove";
import type { ShootOrphan } from "../../../engine/orphans/orphan";
import { DirectorDouble } from "../../doubles/director/director";

describe("the registration of a cluster without a state", () => {
  let double: DirectorDouble;
  beforeEach(async () => {
    double = new DirectorDouble();
    await double.listen();
  });
  afterEach(() => double.close());

  const register = (name: string, owner: string): void => {
    const rest = { tenant: "tenant-1", status: { condition: "CONNECTED" } };
    double.runtimes.set(name, { id: name, name, labels: { stackyard_owner: owner }, ...rest });
  };
  const orphan = (more: object = {}): ShootOrphan => {
    const metadata = { name: "acme", labels: { account: "tenant-1" } };
    const spec = { director: double.access } as unknown as GardenerProvisioner;
    const shoot = { apiVersion: "core.gardener.cloud/v1beta1", kind: "Shoot", metadata };
    const place = { id: "acme", platform: "dev", provisioner: "garden", owner: "1f" };
    return { type: "gardener", ...place, spec, garden: spec, shoot, ...more };
  };
  const remove = async (...orphans: ShootOrphan[]): Promise<string> => {
    const notes: string[] = [];
    await unregisterOrphans(orphans, (text) => notes.push(text));
    return notes.join("\n");
  };

  it("is removed with its cluster, and no other registration is removed", async () => {
    register("acme", "organization/stackyard/dev/acme");
    register("prod", "organization/stackyard/prod/acme");
    assert.match(await remove(orphan()), /the runtime acme of acme is removed from the Director/);
    assert.deepEqual([...double.runtimes.keys()], ["prod"]);
    assert.equal(await remove(orphan()), "");
  });

  it("is not searched for without a Director or a tenant", async () => {
    await remove(orphan({ spec: undefined }), orphan({ shoot: { ...orphan().shoot, metadata: { name: "acme" } } }));
    assert.deepEqual(double.asked, []);
  });

  it("is reported if the Director rejects the request", async () => {
    double.tenants.clear();
    assert.match(await remove(orphan()), /acme may still be registered in the Director http.*Tenant not found/);
  });
});
