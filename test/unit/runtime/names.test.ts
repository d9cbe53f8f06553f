import assert from "node:assert/strict";
import fc from "fast-check";
import { DIRECTOR_RULES } from "../../../foundation/directorRules";
import {
  DEPLOYMENT_ID,
  directorName,
  locationName,
  provisionId,
  runtimeNames,
} from "../../../components/runtime/names";

const LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: length, maxLength: length });

/** Ids that are likely to meet: short ones, UUIDs with and without dashes, ids that look like altered ones, long ones. */
const ids = fc.oneof(
  fc.stringMatching(/^[a-cA-C0-1._-]{1,4}$/),
  fc.uuid(),
  fc.uuid().map((id) => id.replaceAll("-", "")),
  fc.uuid().map((id) => id.toUpperCase()),
  fc.tuple(fc.stringMatching(/^[a-b]{0,2}$/), hex(16)).map(([prefix, hash]) => `${prefix}-${hash}`),
  fc.stringMatching(/^[a-zA-Z0-9._-]{38,100}$/),
);

describe("the provision id", () => {
  it("is a UUID without dashes, as in the original", () => {
    assert.equal(provisionId("0f0e1c9a-7d1f-4f0c-9a53-0a1b2c3d4e5f"), "0f0e1c9a7d1f4f0c9a530a1b2c3d4e5f");
  });

  it("is the id itself if that is a short valid label", () => {
    for (const id of ["acme", "acme-prod-2", "7", "a".repeat(40)]) assert.equal(provisionId(id), id);
  });

  it("is a valid label with a hash if the id is not a label", () => {
    assert.match(provisionId("Acme.Prod_1"), /^acme-prod-1-[0-9a-f]{16}$/);
    assert.match(provisionId("a".repeat(41)), /^a{23}-[0-9a-f]{16}$/);
    assert.match(provisionId("..."), /^x-[0-9a-f]{16}$/);
  });

  it("differs between a hexadecimal id and the UUID with the same digits", () => {
    const uuid = "0f0e1c9a-7d1f-4f0c-9a53-0a1b2c3d4e5f";
    assert.notEqual(provisionId(uuid.replaceAll("-", "")), provisionId(uuid));
    assert.notEqual(provisionId(uuid.toUpperCase()), provisionId(uuid));
  });

  it("is not the id itself if the id looks like a label with a hash", () => {
    const altered = provisionId("Acme");
    assert.notEqual(provisionId(altered), altered);
  });

  it("differs for different ids", () => {
    fc.assert(
      fc.property(fc.uniqueArray(ids, { minLength: 2, maxLength: 30 }), (all) => {
        assert.equal(new Set(all.map(provisionId)).size, all.length);
      }),
      { numRuns: 500 },
    );
  });

  it("gives valid object names for every valid deployment id", () => {
    fc.assert(
      fc.property(fc.oneof(ids, fc.stringMatching(/^[A-Za-z0-9._-]{1,100}$/)), (id) => {
        assert.match(id, DEPLOYMENT_ID);
        const provision = provisionId(id);
        assert.match(provision, LABEL);
        assert.ok(provision.length <= 40);
        const names = runtimeNames(provision);
        for (const name of Object.values<string>({ ...names })) {
          assert.match(name, LABEL);
          assert.ok(name.length <= 63);
        }
        assert.ok(names.StatefulSet.length <= 52);
      }),
    );
  });
});

describe("the names of a runtime's objects", () => {
  it("match the names of the original", () => {
    assert.deepEqual(runtimeNames("abc"), {
      HTTPIngress: "http-runtime-abc",
      GRPCIngress: "grpc-runtime-abc",
      Service: "runtime-abc",
      StatefulSet: "runtime-abc",
      Deployment: "runtime-abc",
      PVC: "runtime-abc",
    });
  });
});

describe("the name in a Director", () => {
  it("is the id where a Director accepts it, and otherwise a legal name of its own", () => {
    assert.equal(directorName("acme.dev"), "acme.dev");
    assert.match(directorName("2dbb7705-48f9-4162-ab15-846987da87db"), /^runtime-2dbb7705-48-[0-9a-f]{16}$/);
    fc.assert(fc.property(ids, (id) => DIRECTOR_RULES.name.accepts(directorName(id))));
    fc.assert(fc.property(ids, ids, (a, b) => a === b || directorName(a) !== directorName(b)));
  });
});

describe("the name of a location", () => {
  it("is the same for the same place, and differs if the parts are split differently", () => {
    assert.equal(locationName("kubernetes", "https://a", "b"), locationName("kubernetes", "https://a", "b"));
    assert.notEqual(locationName("kubernetes", "a", "bc"), locationName("kubernetes", "ab", "c"));
  });
});
