import assert from "node:assert/strict";
import type { ResourceTransformationArgs } from "@pulumi/pulumi";
import {
  CLICKHOUSE_DATABASE,
  DIRECTOR_RUNTIME,
  MANIFEST_SET,
  SHOOT,
  SLOT_ALLOCATION,
} from "../../../components/resources/tokens";
import { dataOptions, hasData, protectedText } from "../../../components/runtime/protection";
import { originOf, withOrigin } from "../../../components/runtime/record/origin";
import { originOn } from "../../../kubernetes/identity/origin";
import { DEPLOYMENT } from "./platform";

const PROTECTED = { ...DEPLOYMENT, protected: true };

describe("the protection of a deployment", () => {
  it("covers only the resources that have its data", () => {
    for (const type of [SLOT_ALLOCATION, SHOOT, CLICKHOUSE_DATABASE]) assert.equal(hasData(type, "a"), true, type);
    assert.equal(hasData(MANIFEST_SET, "kubernetes-1234-objects"), true);
    assert.equal(hasData(MANIFEST_SET, "clickhouse-secret"), false);
    assert.equal(hasData(DIRECTOR_RUNTIME, "a-registration"), false);
  });

  it("makes the engine and the set reject a deletion", () => {
    const [transform] = dataOptions(PROTECTED).transformations ?? [];
    const of = (type: string, name: string) =>
      transform?.({ type, name, props: { a: 1 }, opts: { version: "1" } } as unknown as ResourceTransformationArgs);
    assert.deepEqual(of(SHOOT, "a"), { props: { a: 1 }, opts: { version: "1", protect: true } });
    assert.deepEqual(of(MANIFEST_SET, "a-objects"), {
      props: { a: 1, protectData: true },
      opts: { version: "1", protect: true },
    });
    assert.equal(of(MANIFEST_SET, "clickhouse-secret"), undefined);
  });

  it("changes nothing if the deployment is not protected", () => {
    assert.deepEqual(dataOptions(DEPLOYMENT), {});
    assert.deepEqual(dataOptions({ ...DEPLOYMENT, protected: false }), {});
  });

  it("is written to the objects, so that it outlives the state", () => {
    const marked = (deployment: typeof DEPLOYMENT) => {
      const origin = originOf({ deployment, provisioner: "eu" }, "organization/stackyard/dev");
      const [object] = withOrigin([{ metadata: { name: "a" } }], origin);
      return originOn(object as unknown as Parameters<typeof originOn>[0]).protected;
    };
    assert.equal(marked(PROTECTED), "true");
    assert.equal(marked(DEPLOYMENT), undefined);
  });

  it("reports what would be deleted, and the command that removes the protection", () => {
    assert.equal(
      protectedText("acme", "destroy deletes its disk"),
      'deployment "acme" is protected, so nothing was changed: destroy deletes its disk. An administrator removes the protection with: stackyard runtime unprotect acme',
    );
  });
});
