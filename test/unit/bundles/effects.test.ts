import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import { lookAround } from "../../../bundles/permissions/around";
import { asks, more, NOTHING, type Asks } from "../../../bundles/permissions/asks";
import { asksText } from "../../../bundles/permissions/text";
import type { Client } from "../../../kubernetes/client/client";
import { identity, refOf, type KubeObject, type Ref } from "../../../kubernetes/objects/objects";

interface Content {
  readonly title: string;
  /** Regular expression of the request; contents without one request nothing. */
  readonly expects?: string;
  readonly objects: readonly KubeObject[];
  readonly cluster?: readonly KubeObject[];
  readonly before?: readonly KubeObject[];
  readonly approved?: readonly KubeObject[];
}

const corpus = (name: string): Content[] =>
  load(readFileSync(path.join(__dirname, `../../fixtures/effects/${name}.yaml`), "utf8")) as Content[];

/** A cluster with these objects, which accepts every object as it is. */
function clusterWith(objects: readonly KubeObject[]): Client {
  const isIn = (wanted: Omit<Ref, "name">, { apiVersion, kind, metadata }: KubeObject): boolean =>
    apiVersion === wanted.apiVersion &&
    kind === wanted.kind &&
    (wanted.namespace ?? metadata.namespace) === metadata.namespace;
  return {
    list: (wanted: Omit<Ref, "name">) => Promise.resolve(objects.filter((one) => isIn(wanted, one))),
    get: (ref: Ref) => Promise.resolve(objects.find((one) => identity(refOf(one)) === identity(ref))),
    apply: (object: KubeObject) => Promise.resolve(object),
    discovery: { resource: (_: string, kind: string) => Promise.resolve({ plural: `${kind.toLowerCase()}s` }) },
  } as unknown as Client;
}

async function requestsOf({ objects, cluster = [], before = [] }: Content): Promise<Asks> {
  const placed = objects.map((one) => ({ ...one, metadata: { namespace: "shop", ...one.metadata } }));
  const staying = new Set([...objects, ...placed].map((one) => identity(refOf(one))));
  const leaving = before.map(refOf).filter((ref) => !staying.has(identity(ref)));
  const around = await lookAround(clusterWith([...cluster, ...before]), objects, "shop", leaving);
  return asks(objects, "shop", undefined, around);
}

/** What goes beyond the approved objects. */
async function newRequestsOf(content: Content): Promise<Asks> {
  const { approved = [], cluster = [] } = content;
  return more(await requestsOf({ ...content, objects: approved, cluster, before: [] }), await requestsOf(content));
}

describe("the corpus of contents", () => {
  it("has at least 120 hostile and 120 ordinary ones, all different, of which every hostile one says what it requests", () => {
    const [hostile, harmless] = [corpus("hostile"), corpus("harmless")];
    for (const contents of [hostile, harmless]) {
      assert.ok(contents.length >= 120, `${contents.length}`);
      assert.equal(new Set(contents.map(({ title }) => title)).size, contents.length);
      assert.equal(
        new Set(contents.map(({ title, ...content }) => title && JSON.stringify(content))).size,
        contents.length,
      );
    }
    assert.ok(hostile.every(({ expects }) => expects !== undefined));
    assert.ok(harmless.every(({ expects }) => expects === undefined));
  });
});

describe("a hostile content", () => {
  for (const content of corpus("hostile")) {
    it(`needs an approval if it ${content.title}`, async () => {
      const requested = await newRequestsOf(content);
      assert.match(asksText(requested).join("\n"), new RegExp(content.expects ?? "never"));
      assert.deepEqual(more(requested, requested), NOTHING);
    });
  }
});

describe("an ordinary content", () => {
  for (const content of corpus("harmless")) {
    it(`needs no approval for ${content.title}`, async () => {
      assert.deepEqual(await newRequestsOf(content), NOTHING);
    });
  }
});

describe("the approval of an object", () => {
  const map = (name: string, value: string): KubeObject => ({
    ...{ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "kube-system" } },
    data: { value },
  });
  const release = (chart: string): KubeObject => ({
    ...{ apiVersion: "helm.toolkit.fluxcd.io/v2", kind: "HelmRelease", metadata: { name: "r" } },
    spec: { chart: { spec: { chart } } },
  });
  const beyond = (before: KubeObject, after: KubeObject): Asks => more(asks([before], "shop"), asks([after], "shop"));

  it("is not one of another object in the same namespace", () => {
    assert.match(
      asksText(beyond(map("settings", "a"), map("aws-auth", "a"))).join("\n"),
      /ConfigMap kube-system\/aws-auth/,
    );
  });

  it("is not one of another content, if others act upon the content", () => {
    assert.deepEqual(beyond(map("settings", "a"), map("settings", "a")), NOTHING);
    assert.match(asksText(beyond(map("settings", "a"), map("settings", "b"))).join("\n"), /kube-system\/settings/);
    assert.deepEqual(beyond(release("web"), release("web")), NOTHING);
    assert.match(asksText(beyond(release("web"), release("evil"))).join("\n"), /HelmRelease.* shop\/r .*\(evil\)/);
  });

  it("stays valid when only the version in its labels changes", () => {
    const labelled = (version: string): KubeObject => {
      const object = release("web");
      return { ...object, metadata: { ...object.metadata, labels: { "app.kubernetes.io/version": version } } };
    };
    assert.deepEqual(beyond(labelled("1"), labelled("2")), NOTHING);
  });
});
