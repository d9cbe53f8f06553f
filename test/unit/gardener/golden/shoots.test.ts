import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalJson } from "../../../../foundation/json/canonicalJson";
import { renderPath, type Path } from "../../../../foundation/schema/faults";
import type { GardenerProvisioner } from "../../../../components/runtime/types/gardener/spec";
import { shootOfPlan } from "../../../../components/runtime/types/gardener/create";
import { planGardener } from "../../../../components/runtime/types/gardener/plan";
import type { ProvisionRuntimeInput } from "../../../../service/api/schema.types";
import { deploymentOf } from "../../../../service/api/runtimes/request";
import { REQUESTS } from "./requests";
import { SOURCES } from "./sources";

const SPEC: GardenerProvisioner = {
  type: "gardener",
  cluster: "https://gardener.example.com",
  project: "rill",
  namespace: "garden-rill",
  secretBindings: {},
  cloudProfiles: {},
  defaults: {},
  maintenanceWindows: { "europe-west3": { begin: "170000+0000", end: "180000+0000" } },
  auditLogs: {},
  timeouts: {},
  allowForceDeletion: false,
};

/** The Shoot of a request, by the way that it takes through the service and the program. */
function shootFor(name: string, request: ProvisionRuntimeInput): object {
  const asked = deploymentOf(request, { tenant: "account-1", subAccount: "sub-1" });
  const deployment = {
    ...{
      id: "0190d6a0-runtime",
      slots: 1,
      version: "",
      environment: "prod",
      annotations: {},
      state: "running" as const,
    },
    ...(asked.cluster && { cluster: asked.cluster }),
  };
  const size = { cpu: 0, memoryGb: 0, storageBytes: 0 };
  const spec = name === "gcp" ? { ...SPEC, auditLogs: { policyConfigMap: "audit-policy" } } : SPEC;
  return shootOfPlan(planGardener({ provisioner: "garden", deployment, ...size }, spec));
}

const file = (name: string): unknown =>
  JSON.parse(readFileSync(join(__dirname, "../../../fixtures/shoots", `${name}.json`), "utf8"));

function leaves(value: unknown, path: Path = []): [Path, unknown][] {
  if (typeof value !== "object" || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) =>
    leaves(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

const isIn = (path: string, key: string): boolean =>
  path === key || path.startsWith(`${key}.`) || path.startsWith(`${key}[`);

/** What stands at `request.a.b[0]` or `block.a`. */
function valueOf(source: string, { clusterConfig: { gardenerConfig } }: ProvisionRuntimeInput): unknown {
  const [root, ...keys] = source.match(/\w+/g) ?? [];
  const [block] = Object.values(gardenerConfig.providerSpecificConfig);
  return keys.reduce<unknown>(
    (inner, key) => (inner as Record<string, unknown> | undefined)?.[key],
    root === "block" ? block : gardenerConfig,
  );
}

const valueAt = (shoot: unknown, key: string): unknown =>
  [...key.matchAll(/\["([^"]+)"\]|([\w-]+)/g)].reduce<unknown>(
    (inner, [, quoted, plain]) => (inner as Record<string, unknown> | undefined)?.[quoted ?? plain ?? ""],
    shoot,
  );

describe("the Shoot of a request to the original's API", () => {
  for (const [name, request] of Object.entries(REQUESTS)) {
    it(`equals test/fixtures/shoots/${name}.json byte for byte`, () => {
      assert.equal(canonicalJson(shootFor(name, request)), canonicalJson(file(name)));
    });

    it(`has a source for every field of ${name}, with the value of that source`, () => {
      const shoot = file(name);
      const keys = Object.keys(SOURCES);
      for (const [path] of leaves(shoot)) {
        const rendered = renderPath(path);
        assert.ok(
          keys.some((key) => isIn(rendered, key)),
          `${rendered} has no source`,
        );
      }
      for (const [key, source] of Object.entries(SOURCES)) {
        const value = valueAt(shoot, key);
        if (value === undefined) continue;
        if (source.startsWith("= "))
          assert.equal(typeof value === "string" ? value : JSON.stringify(value), source.slice(2), key);
        const exact = /^(request|block)\.[\w.[\]]+$/.test(source) ? valueOf(source, request) : undefined;
        // What the request does not say is a default; a switch of a block has another form in the Shoot.
        if (exact !== undefined && !source.startsWith("block.enable")) assert.deepEqual(value, exact, key);
      }
    });
  }

  it("has no source for a field that no Shoot has", () => {
    const all = Object.keys(REQUESTS).map(file);
    const unused = Object.keys(SOURCES).filter((key) => all.every((shoot) => valueAt(shoot, key) === undefined));
    assert.deepEqual(unused, []);
  });
});
