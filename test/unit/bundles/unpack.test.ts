import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { constants, gzipSync, zstdCompressSync } from "node:zlib";
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from "@zip.js/zip.js";
import fc from "fast-check";
import { create } from "tar";
import { unpack } from "../../../bundles/archive/unpack";
import { Refused } from "../../../bundles/errors";
import { LIMITS, type ReadLimits } from "../../../bundles/limits";
import { TreeBuilder } from "../../../bundles/tree/builder";
import { tarOf, tgzOf, zipOf, type Entry } from "./archives";
import { temporaryFolder, write } from "./samples";

/** In pieces of this size, as a network would deliver it. */
async function* piecesOf(bytes: Buffer, size = 700): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) {
    await Promise.resolve();
    yield bytes.subarray(at, at + size);
  }
}

async function read(
  bytes: Buffer,
  limits: ReadLimits = LIMITS,
  directory = "",
  size = 700,
): Promise<Record<string, string>> {
  const builder = new TreeBuilder({ directory, keep: ["manifests"], image: false }, limits);
  await unpack(piecesOf(bytes, size), builder);
  return Object.fromEntries([...builder.build().files].map(([path, content]) => [path, content.toString()]));
}

const refused = (bytes: Buffer, expected: RegExp, limits?: ReadLimits): Promise<void> =>
  assert.rejects(read(bytes, limits), (error) => {
    assert.ok(error instanceof Refused, (error as Error).stack);
    assert.match(error.message, expected);
    return true;
  });

const GOOD: readonly Entry[] = [
  { path: "./", type: "Directory" },
  { path: "./manifests/", type: "Directory" },
  { path: "./manifests/a.yaml", content: "a" },
  { path: "README", content: "r" },
  { path: `manifests/${"l".repeat(150)}.yaml`, content: "b".repeat(2000) },
];
const FILES = { "manifests/a.yaml": "a", [`manifests/${"l".repeat(150)}.yaml`]: "b".repeat(2000) };

describe("an archive", () => {
  const folder = temporaryFolder();

  it("has the same files for any compression and chunk size", async () => {
    const tar = tarOf(GOOD);
    const archives = [tar, gzipSync(tar), zstdCompressSync(tar), await zipOf(GOOD)];
    // Members of gzip one after the other are one file.
    archives.push(Buffer.concat([gzipSync(tar.subarray(0, 1000)), gzipSync(tar.subarray(1000))]));
    // So are frames of zstd, as programs with several threads and those that make images write them.
    const frames = [tar.subarray(0, 1000), tar.subarray(1000, 1001), Buffer.alloc(0), tar.subarray(1001)].map((part) =>
      zstdCompressSync(part, { params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
    );
    const notes = Buffer.from("502a4d180400000061626364", "hex");
    archives.push(Buffer.concat([notes, ...frames, notes]));
    for (const archive of archives) {
      for (const size of [1, 511, 100_000]) assert.deepEqual(await read(archive, LIMITS, "", size), FILES);
    }
  });

  it("is read as tar programs write it", async () => {
    const long = `manifests/${"x".repeat(120)}.yaml`;
    const umlaut = "manifests/grün.yaml";
    const files = { "manifests/a.yaml": "a", [long]: "long", [umlaut]: "u", "manifests/b": "-> a.yaml" };
    await write(join(folder(), "real"), files);
    const expected = { "manifests/a.yaml": "a", [long]: "long", [umlaut]: "u", "manifests/b": "a" };
    const node = join(folder(), "node.tgz");
    await create({ file: node, cwd: join(folder(), "real"), gzip: true }, ["manifests"]);
    assert.deepEqual(await read(readFileSync(node)), expected);
    for (const format of ["gnu", "pax"]) {
      const gnu = join(folder(), `${format}.tar`);
      execFileSync("tar", [`--format=${format}`, "-cf", gnu, "-C", join(folder(), "real"), "."]);
      assert.deepEqual(await read(readFileSync(gnu)), expected);
    }
  });

  it("may be empty", async () => {
    for (const zeros of [tarOf([]), Buffer.alloc(10_240), gzipSync(tarOf([]))]) assert.deepEqual(await read(zeros), {});
  });

  it("may contain its bundle in a folder", async () => {
    const entries = [
      { path: "repo-1/manifests/a", content: "1" },
      { path: "manifests/b", content: "2" },
    ];
    assert.deepEqual(await read(tgzOf(entries), LIMITS, "repo-1"), { "manifests/a": "1" });
  });

  it("is rejected if it is no archive, with the actual type", async () => {
    await refused(Buffer.alloc(0), /it is empty/);
    await refused(Buffer.from("<html>Not found</html>".repeat(50)), /it is a page of HTML or XML/);
    await refused(Buffer.from("BZh91AY&SY"), /found bzip2; expected tar, tar\.gz, tar\.zst or zip/);
    await refused(Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), /found xz/);
    await refused(gzipSync(tgzOf(GOOD)), /it is packed twice/);
    await refused(Buffer.from("PK\u0003\u0004 and nothing"), /no zip archive, or damaged/);
  });

  it("is rejected if it is truncated or damaged anywhere", async () => {
    for (const archive of [
      tarOf(GOOD, { end: false }),
      tgzOf(GOOD),
      await zipOf(GOOD),
      zstdCompressSync(tarOf(GOOD)),
    ]) {
      for (const part of [0.3, 0.6, 0.9]) {
        await refused(archive.subarray(0, Math.floor(archive.length * part)), /damaged/);
      }
    }
    await refused(Buffer.concat([zstdCompressSync(tarOf(GOOD)), Buffer.from("and more")]), /damaged/);
    const wrong = tgzOf(GOOD);
    wrong[wrong.length - 6] = (wrong.at(-6) ?? 0) ^ 0xff;
    await refused(wrong, /damaged/);
    const zip = await zipOf([{ path: "manifests/a", content: "content that is stored as it is" }]);
    const at = zip.indexOf("manifests/a") + 20;
    zip[at] = (zip.at(at) ?? 0) ^ 0x01;
    await refused(zip, /damaged/);
  });

  it("is rejected if it is encrypted, with the name of the file", async () => {
    const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false });
    await writer.add("manifests/a.yaml", new Uint8ArrayReader(Buffer.from("a: 1")), { password: "secret" });
    const archive = Buffer.from(await writer.close());
    await refused(archive, /"manifests\/a\.yaml" is encrypted/);
  });

  it("is read or rejected for any bytes, and never fails otherwise", async () => {
    const good = [tarOf(GOOD), tgzOf(GOOD), zstdCompressSync(tarOf(GOOD)), await zipOf(GOOD)];
    const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...good), damage, async (archive, changes) => {
        const bytes = Buffer.from(archive);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        try {
          await read(bytes, LIMITS, "", 5000);
        } catch (error) {
          assert.ok(error instanceof Refused, (error as Error).stack);
        }
      }),
      { numRuns: 400 },
    );
  });
});

describe("a decompression bomb", () => {
  const limits = {
    ...LIMITS,
    unpackedBytes: 10_000_000,
    ratio: 100,
    ratioFrom: 1_000_000,
    fileBytes: 1_000_000,
    entries: 500,
    zipBytes: 2_000_000,
  };
  const zeros = Buffer.alloc(9_000_000);

  it("is refused", async function () {
    // Packing the bombs takes longer than refusing them.
    this.timeout(60_000);
    const noise = randomBytes(12_000_000);
    const bombs: [Buffer, RegExp][] = [
      [tgzOf([{ path: "other", content: zeros }]), /more than 100 times its size/],
      [zstdCompressSync(tarOf([{ path: "other", content: zeros }])), /more than 100 times its size/],
      [tgzOf([{ path: "manifests/a", content: zeros }]), /"manifests\/a" has more than/],
      [await zipOf([{ path: "manifests/a", content: zeros }]), /"manifests\/a" has more than/],
      [gzipSync(Buffer.alloc(60_000_000)), /more than 100 times|no tar archive/],
      [tarOf([{ path: "other", content: noise }]), /it unpacks to more than/],
      [await zipOf([{ path: "other", content: noise.subarray(0, 3_000_000) }]), /the zip archive has more than/],
    ];
    for (const [bomb, expected] of bombs) await refused(bomb, expected, limits);
  });

  it("is rejected at a limit if it has no end", async () => {
    const endOfArchive = 1024;
    const endless = (content: Buffer): Buffer => tarOf([{ path: "other", content }]).subarray(0, -endOfArchive);
    const bombs: [Buffer, RegExp, number][] = [
      [gzipSync(endless(zeros)), /more than 100 times its size/, 100_000],
      [zstdCompressSync(endless(zeros)), /more than 100 times its size/, 100_000],
      [endless(randomBytes(100_000)), /it unpacks to more than/, 11_000_000],
    ];
    for (const [member, expected, most] of bombs) {
      let taken = 0;
      async function* withoutEnd(): AsyncGenerator<Uint8Array> {
        for (;;) {
          for await (const piece of piecesOf(member)) {
            taken += piece.length;
            yield piece;
          }
        }
      }
      const builder = new TreeBuilder({ directory: "", keep: ["manifests"], image: false }, limits);
      await assert.rejects(unpack(withoutEnd(), builder), expected);
      assert.ok(taken <= most, `${expected}: ${taken} bytes were read`);
    }
  });

  it("is rejected if it has too many entries", async () => {
    const many = Array.from({ length: 600 }, (_, i) => ({ path: `other/${i}` }));
    await refused(tgzOf(many), /it has more than 500 entries/, limits);
    await refused(await zipOf(many), /it has more than 500 entries/, limits);
    await refused(
      tgzOf([{ path: "x", type: "ExtendedHeader", content: `70000 comment=${"c".repeat(70_000)}\n` }]),
      /of a kind that is not for/,
      limits,
    );
  });

  it("is rejected if its zip entries share their content", async () => {
    const zip = await zipOf([
      { path: "manifests/a", content: randomBytes(900) },
      { path: "manifests/b", content: randomBytes(900) },
    ]);
    // The second entry of the directory at the end points to the content of the first.
    const second = zip.indexOf("PK\u0001\u0002", zip.indexOf("PK\u0001\u0002") + 1);
    zip.writeUInt32LE(0, second + 42);
    await refused(zip, /damaged/);
  });
});

describe("hostile archives", () => {
  const depth = fc.integer({ min: 1, max: 5 });
  const up = depth.map((n) => "../".repeat(n));
  const place = fc.constantFrom("", "manifests/", "other/", "manifests/sub/");
  const file = fc.constantFrom("a.yaml", "etc/passwd", "x");
  /** Each builds one entry that no bundle may have. */
  const hostile: fc.Arbitrary<Entry> = fc.oneof(
    fc
      .tuple(place, up, file)
      .map(([p, u, f]) => ({ path: `${p}${"x/".repeat(p === "" ? 0 : 1)}${u}${f}`, content: "x" })),
    fc.tuple(place, file).map(([p, f]) => ({ path: `/${p}${f}`, content: "x" })),
    fc.tuple(place, up, file).map(([p, u, f]) => ({
      path: `${p}link`,
      type: "SymbolicLink",
      target: `${u}../../../${f}`,
      content: `${u}../../../${f}`,
    })),
    fc
      .tuple(place, file)
      .map(([p, f]) => ({ path: `${p}link`, type: "SymbolicLink", target: `/${f}`, content: `/${f}` })),
    fc.tuple(place, fc.constantFrom("CharacterDevice", "FIFO")).map(([p, type]) => ({ path: `${p}null`, type })),
    fc.tuple(place, fc.constantFrom("\\", "\u0007", "\u202e")).map(([p, c]) => ({ path: `${p}a${c}b`, content: "x" })),
    fc
      .tuple(place, fc.integer({ min: 65, max: 90 }))
      .map(([p, n]) => ({ path: `${p}${"d/".repeat(n)}f`, content: "x" })),
    fc.constant({ path: "manifests/good.yaml", content: "a second time" }),
    fc.constant({ path: "manifests/good.yaml/below", content: "x" }),
    fc.constant({ path: "manifests/sparse", type: "SparseFile" }),
    fc.tuple(up, file).map(([u, f]) => ({ path: "manifests/hard", type: "Link", target: `${u}${f}` })),
  );
  /** Zip has no hard links and no sparse files. */
  const inZip = ({ type = "File" }: Entry): boolean => !["Link", "SparseFile"].includes(type);
  const around = fc.array(
    fc.nat(99).map((n) => ({ path: `other/${n}.txt`, content: "x" })),
    { maxLength: 4 },
  );

  it("are all rejected", async () => {
    let tried = 0;
    await fc.assert(
      fc.asyncProperty(hostile, around, around, fc.boolean(), async (entry, before, after, zip) => {
        const good = { path: "manifests/good.yaml", content: "a: b" };
        const entries = [good, ...new Map([...before, ...after].map((each) => [each.path, each])).values(), entry];
        const bytes = zip && inZip(entry) ? await zipOf(entries).catch(() => tgzOf(entries)) : tgzOf(entries);
        tried++;
        await refused(bytes, /./);
      }),
      { numRuns: 200 },
    );
    assert.ok(tried >= 200);
  });
});
