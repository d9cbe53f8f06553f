import assert from "node:assert/strict";
import { lifetime } from "../../../cli/options/parse";
import { issuedFor } from "../../../cli/runtime/target/kubeconfig";
import type { Runtime } from "../../../cli/fleet/read";
import { SHOOT } from "../../../components/resources/tokens";
import { set } from "../fleet/fixtures";
import { PLATFORM } from "../runtime/platform";
import { Garden } from "./garden";

describe("a kubeconfig for the cluster of a runtime", () => {
  let garden: Garden;
  beforeEach(async () => (garden = await new Garden().start()));
  afterEach(() => garden.stop());

  const runtime = (type = SHOOT, provisioner = "garden"): Runtime => {
    const inputs = { shoot: { metadata: { namespace: "garden-dev", name: "acme" } } };
    return {
      stack: { resources: [set({ type, inputs })] },
      summary: { id: "acme", provisioner },
    } as unknown as Runtime;
  };
  const issue = (asked: Runtime, role: "admin" | "viewer" = "viewer") => {
    const spec = { type: "gardener", kubeconfig: garden.kubeconfig() };
    const provisioners = { ...PLATFORM.provisioners, garden: spec } as unknown as typeof PLATFORM.provisioners;
    return issuedFor(asked, { provisioners }, { role, expires: 600 });
  };

  it("is issued by Gardener for the requested role and lifetime", async () => {
    garden.add("acme", {});
    assert.deepEqual(await issue(runtime()), {
      kubeconfig: "viewer for 600 s",
      expires: Date.parse("2026-01-01T01:00Z"),
    });
    assert.equal((await issue(runtime(), "admin")).kubeconfig, "admin for 600 s");
  });

  it("is not issued if the runtime has no cluster of its own or Gardener fails", async () => {
    await assert.rejects(issue(runtime("stackyard:index:ManifestSet")), /acme: found no cluster of a provisioner/);
    await assert.rejects(issue(runtime(SHOOT, "other")), /acme: found no cluster of a provisioner/);
    await assert.rejects(issue(runtime()), /Gardener issues no kubeconfig for Shoot garden-dev\/acme: .*no \/apis/);
  });

  it("is valid for ten minutes to a day", () => {
    assert.deepEqual(["600s", "10m", "24h"].map(lifetime), [600, 600, 86_400]);
    for (const text of ["9m", "25h", "1d", "soon", ""]) assert.throws(() => lifetime(text), /Expected 10m to 24h/);
  });
});
