import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { readPlain } from "../../../bundles/format/plain";
import { openBundle } from "../../../bundles/bundle";
import { FormatError, Refused, Unavailable } from "../../../bundles/errors";
import { checkSource } from "../../../bundles/sources/fields";
import type { Source } from "../../../foundation/bundleSources";
import { cacheIn, configMap, temporaryFolder, write } from "./samples";
import { serve } from "./server";

describe("the check of a source", () => {
  const refused = (value: unknown, expected: RegExp): void => {
    assert.throws(
      () => checkSource(value),
      (error) => error instanceof Refused && expected.test(error.message),
    );
  };

  it("accepts only known fields of the right types", () => {
    const good: Source[] = [
      { type: "local", path: "x", directory: undefined },
      { type: "http", url: "https://x/", auth: { token: "t" }, insecureSkipTLSVerify: true },
      { type: "git", repository: "git@x:y", ref: { tag: "v1" } },
      { type: "image", ref: "x", mirrors: ["a", "b"] },
      { type: "catalog", path: "x", package: "p", version: ">=1 <2" },
      { type: "configMaps", namespace: "x", labels: { a: "" } },
    ];
    for (const source of good) assert.equal(checkSource(source), source);
    refused("x", /type: found nothing; expected one of local, http, git, image, catalog, configMaps/);
    refused({ type: "toString" }, /type: found the text "toString"/);
    refused({ type: "local" }, /path: found nothing; a source of type local needs it/);
    refused({ type: "http", url: 5 }, /url: found the value 5; expected a text that is not empty/);
    refused(
      { type: "http", url: "https://x", pasword: "secret" },
      /^pasword: found an unknown field; expected one of url/,
    );
    refused(
      { type: "http", url: "https://x", auth: { pasword: "secret" } },
      /^auth\.pasword: found an unknown field; did you mean password\?$/,
    );
    refused(
      { type: "http", url: "https://x", auth: { password: 12345 } },
      /^auth\.password: found something else \(it is a secret\); expected a text/,
    );
    refused(
      { type: "http", url: "https://x", auth: "hush" },
      /^auth: found something else \(it is a secret\); expected/,
    );
    refused(
      { type: "image", ref: "x", pullSecret: { namespace: "a" } },
      /^pullSecret\.name: found nothing; a source of type image needs it/,
    );
    refused({ type: "catalog", package: "a", version: "*" }, /^expected either ref or path$/);
    refused(
      {
        type: "catalog",
        ref: "x",
        package: "a",
        version: "*",
        dockerConfig: "{}",
        pullSecret: { namespace: "a", name: "b" },
      },
      /^expected either dockerConfig or pullSecret$/,
    );
    refused({ type: "git", repository: "x", ref: "main" }, /ref: found the text "main"; expected an object/);
    refused({ type: "image", ref: "x", mirrors: "a" }, /mirrors: found the text "a"; expected a list of texts/);
    refused({ type: "image", ref: "x", plainHttp: "yes" }, /plainHttp: found the text "yes"; expected true or false/);
    refused(
      { type: "configMaps", namespace: "x", labels: { a: 1 } },
      /labels: found an object with a; expected a map of texts/,
    );
  });

  it("accepts or rejects any input, and never fails otherwise", () => {
    const type = fc.constantFrom("local", "http", "git", "image", "catalog", "configMaps");
    const name = fc.constantFrom(
      "path",
      "url",
      "repository",
      "ref",
      "auth",
      "labels",
      "names",
      "__proto__",
      "constructor",
      "directory",
    );
    fc.assert(
      fc.property(type, fc.dictionary(name, fc.jsonValue()), (kind, fields) => {
        try {
          checkSource({ ...fields, type: kind });
        } catch (error) {
          assert.ok(error instanceof Refused, (error as Error).stack);
        }
      }),
    );
  });
});

describe("several sources", () => {
  const folder = temporaryFolder();
  const reader = () => ({ base: folder(), cache: cacheIn(join(folder(), "cache")) });

  it("fail at once if one of them is unavailable", async () => {
    const site = await serve({ "/slow": (_, response) => void response.writeHead(200).write("x") });
    try {
      const sources: Source[] = [
        { type: "http", url: `${site.url}/slow` },
        { type: "local", path: "nowhere" },
      ];
      await assert.rejects(openBundle(sources, reader()), Unavailable);
    } finally {
      site.close();
    }
  });

  it("may contain odd file names outside of the bundle's folders", async () => {
    await write(join(folder(), "odd"), { "manifests/a.yaml": configMap("a"), "back\\slash": "", "C:drive/x": "" });
    assert.equal((await openBundle([{ type: "local", path: "odd" }], reader())).tree.files.size, 1);
  });

  it("keep control characters out of the errors about them", async () => {
    await write(join(folder(), "evil"), {
      "manifests/a.yaml": 'kind: A\n"\\e[2J": 1\n',
      "manifests/b.yaml": "a: !%1b[2J x\n",
      "manifests/c.yaml": '"\\u009b2J\\u202e"\n',
    });
    await write(join(folder(), "names"), { "\u001b[2Jx": "" });
    for (const path of ["evil", "names", "\u001b[2J"]) {
      await assert.rejects(
        async () => {
          const bundle = await openBundle([{ type: "local", path }], reader());
          readPlain(bundle.tree);
        },
        (error) => {
          assert.ok(error instanceof FormatError || error instanceof Unavailable, (error as Error).stack);
          assert.doesNotMatch(error.message, /[^\P{C}\n]/u);
          return true;
        },
      );
    }
  });
});
