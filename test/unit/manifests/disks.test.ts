import assert from "node:assert/strict";
import type { Site } from "../../../kubernetes/apply/site";
import type { WantedObject } from "../../../kubernetes/apply/wanted";
import type { Client } from "../../../kubernetes/client/client";
import { refOf, type KubeObject, type Ref } from "../../../kubernetes/objects/objects";
import { allClaims, stillThere, uidsAmong, wantsClaims } from "../../../kubernetes/ready/disks";
import { claim, object, statefulSet } from "./samples";

/** A set's site in a cluster with these objects. */
function siteOf(live: readonly KubeObject[]): Site {
  const isAt = ({ kind, metadata }: KubeObject, ref: Omit<Ref, "name"> & { readonly name?: string }): boolean =>
    kind === ref.kind && metadata.namespace === ref.namespace && (ref.name ?? metadata.name) === metadata.name;
  const client = {
    get: (ref: Ref) => Promise.resolve(live.find((one) => isAt(one, ref))),
    list: (ref: Omit<Ref, "name">) => Promise.resolve(live.filter((one) => isAt(one, ref))),
  };
  return { client: client as unknown as Client } as Site;
}

const wanted = (...objects: readonly KubeObject[]): WantedObject[] =>
  objects.map((one) => ({ ref: refOf(one), object: one, given: one, needs: undefined }));

const names = (claims: readonly KubeObject[]): string[] => claims.map(({ metadata }) => metadata.name);

describe("the claims of a set", () => {
  const set = statefulSet("1Gi", { replicas: 1 });
  const own = claim("shared", "1Gi");
  const config = object("ConfigMap");

  it("include those of StatefulSets and those among its objects", async () => {
    const live = [set, claim("data-acme-0", "1Gi"), claim("data-other-0", "1Gi"), own, claim("foreign", "1Gi")];
    assert.deepEqual(names(await allClaims(siteOf(live), wanted(set, own, config))), ["data-acme-0", "shared"]);
  });

  it("include claims of a StatefulSet that does not exist yet, and no missing claim", async () => {
    const live = [claim("data-acme-0", "1Gi")];
    assert.deepEqual(names(await allClaims(siteOf(live), wanted(set, own))), ["data-acme-0"]);
  });

  it("are expected only with a claim or a StatefulSet with templates", () => {
    assert.equal(wantsClaims(wanted(config)), false);
    assert.equal(wantsClaims(wanted(statefulSet("1Gi", { volumeClaimTemplates: [] }))), false);
    assert.equal(wantsClaims(wanted(config, set)), true);
    assert.equal(wantsClaims(wanted(own)), true);
  });

  it("are recorded by UID: the ones that the set needs, in its namespace", () => {
    const elsewhere = { ...claim("data-acme-0", "1Gi"), metadata: { name: "data-acme-0", namespace: "b", uid: "b" } };
    const all = [claim("data-acme-0", "1Gi"), claim("data-acme-1", "1Gi"), own, claim("foreign", "1Gi"), elsewhere];
    assert.deepEqual(uidsAmong(wanted(set, own, config), all), {
      "ns/data-acme-0": "uid-data-acme-0",
      "ns/shared": "uid-shared",
    });
  });

  it("stay recorded while they exist", async () => {
    const site = siteOf([claim("data-acme-0", "1Gi")]);
    const recorded = { "ns/data-acme-0": "uid-data-acme-0", "ns/data-acme-1": "uid-data-acme-1" };
    assert.deepEqual(await stillThere(site, recorded), { "ns/data-acme-0": "uid-data-acme-0" });
    assert.deepEqual(await stillThere(site), {});
  });
});
