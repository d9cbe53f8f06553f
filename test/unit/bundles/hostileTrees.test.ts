import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { Refused, Unavailable } from "../../../bundles/errors";
import { readCommit } from "../../../bundles/git/commit";
import { applyLayer, readLayer } from "../../../bundles/image/layers";
import { TreeBuilder } from "../../../bundles/tree/builder";
import { contentDigest } from "../../../bundles/tree/tree";
import { tarOf, type Entry } from "./archives";

const builderOf = (image: boolean): TreeBuilder => new TreeBuilder({ directory: "", keep: ["manifests"], image });
const digestOf = (bytes: Buffer): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield bytes;
}

/** Names of what comes out of these layers, one upon the other. */
async function layered(...layers: readonly (readonly Entry[])[]): Promise<string[]> {
  const builder = builderOf(true);
  const room = { unpacked: 0 };
  for (const entries of layers) {
    const bytes = gzipSync(tarOf(entries));
    const wanted = { mediaType: "tar", digest: digestOf(bytes), size: bytes.length };
    applyLayer(await readLayer(once(bytes), wanted, undefined, builder, room), builder);
  }
  return [...builder.build().files.keys()];
}

const depth = fc.integer({ min: 1, max: 5 });
const up = depth.map((n) => "../".repeat(n));
const file = fc.constantFrom("a.yaml", "etc/passwd", "x");
const GOOD: Entry = { path: "manifests/good.yaml", content: "a: b" };

describe("hostile image layers", () => {
  const hostile: fc.Arbitrary<Entry> = fc.oneof(
    fc.tuple(fc.constantFrom("", "manifests/"), up, file).map(([p, u, f]) => ({ path: `${p}${u}${f}`, content: "x" })),
    fc.tuple(fc.constantFrom("/", "//manifests/"), file).map(([p, f]) => ({ path: `${p}${f}`, content: "x" })),
    fc
      .tuple(
        fc.oneof(
          up.map((u) => `../${u}`),
          fc.constantFrom("/", "../other/"),
        ),
        file,
      )
      .map(([u, f]) => ({ path: "manifests/link", type: "SymbolicLink", target: `${u}${f}` })),
    fc.constantFrom("CharacterDevice", "BlockDevice", "FIFO").map((type) => ({ path: "manifests/null", type })),
    fc.constantFrom("\\", "\u0007", "\u202e").map((c) => ({ path: `manifests/a${c}b`, content: "x" })),
    fc.constantFrom(".wh.", ".wh..", ".wh...").map((name) => ({ path: `manifests/${name}` })),
    fc.constantFrom("File", "SymbolicLink").map((type) => ({ path: "manifests", type, target: "etc" })),
    fc.tuple(up, file).map(([u, f]) => ({ path: "manifests/hard", type: "Link", target: `${u}${f}` })),
    file.map((f) => ({ path: "manifests/hard", type: "Link", target: `other/${f}` })),
    fc.constant({ path: "manifests/sparse", type: "SparseFile" }),
    fc.integer({ min: 65, max: 90 }).map((n) => ({ path: `manifests/${"d/".repeat(n)}f`, content: "x" })),
    fc.constant({ path: "manifests/large", size: 17 * 1024 * 1024 }),
  );

  it("are all rejected", async () => {
    let tried = 0;
    await fc.assert(
      fc.asyncProperty(hostile, fc.boolean(), async (entry, alone) => {
        tried++;
        await assert.rejects(alone ? layered([GOOD], [entry]) : layered([GOOD, entry]), (error) => {
          assert.ok(error instanceof Refused || error instanceof Unavailable, (error as Error).stack);
          return true;
        });
      }),
      { numRuns: 200 },
    );
    assert.ok(tried >= 200);
  });

  it("have no effect on the bundle from outside of its folder", async () => {
    const harmless = fc.oneof(
      fc.tuple(up, file).map(([u, f]) => ({ path: "etc/link", type: "SymbolicLink", target: `${u}manifests/${f}` })),
      fc.constantFrom("CharacterDevice", "FIFO").map((type) => ({ path: "dev/null", type })),
      fc
        .constantFrom("etc/.wh.manifests", "manifests2/.wh..wh..opq", ".wh..wh.plnk", "manifest", "etc/manifests/x")
        .map((path) => ({ path })),
      file.map((f) => ({ path: "etc/hard", type: "Link", target: `other/${f}` })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(harmless, { maxLength: 5 }), async (entries) => {
        assert.deepEqual(await layered([GOOD], entries), ["manifests/good.yaml"]);
      }),
    );
  });
});

describe("hostile git trees", () => {
  interface Item {
    readonly mode: string;
    readonly path: string;
    readonly content?: string;
    readonly size?: number;
  }
  const read = async (items: readonly Item[]): Promise<string> => {
    const idOf = ({ content = "" }: Item): string => createHash("sha1").update(content).digest("hex");
    const git = (args: readonly string[]): Promise<Buffer> => {
      if (args[0] === "cat-file") {
        const files = items.filter(({ mode }) => mode.startsWith("1") && mode !== "160000");
        return Promise.resolve(
          Buffer.concat(
            files.map((item) =>
              Buffer.from(`${idOf(item)} blob ${item.content?.length ?? 0}\n${item.content ?? ""}\n`),
            ),
          ),
        );
      }
      if (!args.includes("-r")) return Promise.resolve(Buffer.alloc(0));
      const lines = items.map(
        (item) => `${item.mode} blob ${idOf(item)} ${item.size ?? item.content?.length ?? 0}\t${item.path}\0`,
      );
      return Promise.resolve(Buffer.from(lines.join("")));
    };
    const builder = builderOf(false);
    await readCommit("0".repeat(40), builder, { git });
    return contentDigest(builder.build());
  };
  const good: Item = { mode: "100644", path: "manifests/good.yaml", content: "a: b" };
  const hostile: fc.Arbitrary<Item> = fc.oneof(
    fc.tuple(up, file).map(([u, f]) => ({ mode: "100644", path: `manifests/${u}${f}`, content: "x" })),
    fc
      .tuple(
        fc.oneof(
          up.map((u) => `../${u}`),
          fc.constantFrom("/", "nowhere/"),
        ),
        file,
      )
      .map(([u, f]) => ({ mode: "120000", path: "manifests/link", content: `${u}${f}` })),
    fc.constant({ mode: "160000", path: "manifests/module" }),
    fc
      .constantFrom("\\", "\u0007", "\u202e", "\n")
      .map((c) => ({ mode: "100644", path: `manifests/a${c}b`, content: "x" })),
    fc
      .integer({ min: 65, max: 90 })
      .map((n) => ({ mode: "100644", path: `manifests/${"d/".repeat(n)}f`, content: "x" })),
    fc
      .integer({ min: 256, max: 4000 })
      .map((n) => ({ mode: "100644", path: `manifests/${"n".repeat(n)}`, content: "x" })),
    fc.constant({ mode: "100644", path: "manifests/good.yaml/below", content: "x" }),
    fc.integer({ min: 17, max: 1e6 }).map((n) => ({ mode: "100644", path: "manifests/large", size: n * 1024 * 1024 })),
  );

  it("are all rejected", async () => {
    assert.match(await read([good]), /^sha256:/);
    await fc.assert(
      fc.asyncProperty(hostile, async (item) => {
        await assert.rejects(read([good, item]), (error) => {
          assert.ok(error instanceof Refused, (error as Error).stack);
          return true;
        });
      }),
      { numRuns: 200 },
    );
  });
});
