import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const root = join(__dirname, "..", "..", "..");
const sources = (folder: string): string[] => globSync(`${folder}/**/*.ts`, { cwd: root }).sort();

/** Files of this checkout that `file` imports, relative to the root. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const relatives = [...text.matchAll(/(?:from|import|require)\s*\(?\s*["'](\.{1,2}\/[^"']*)["']/g)].map((m) => m[1]!);
  return relatives.map((path) => relative(root, join(root, dirname(file), path)));
}

describe("the house", () => {
  it("lets components import nothing from the CLI, the provider or the runtime project", () => {
    const strays = sources("components").flatMap((file) =>
      importsOf(file)
        .filter((path) => /^(cli|provider|runtime|service|toolchain|test)\//.test(path))
        .map((path) => `${file} imports ${path}`),
    );
    assert.deepEqual(strays, []);
  });

  it("lets the foundation, on which all others stand, import nothing but its own files", () => {
    const files = sources("foundation");
    assert.ok(files.length > 5);
    const strays = files.flatMap((file) =>
      importsOf(file)
        .filter((path) => !path.startsWith("foundation/"))
        .map((path) => `${file} imports ${path}`),
    );
    assert.deepEqual(strays, []);
  });

  it("lets the provider import nothing but its own files and the foundation", () => {
    const strays = sources("provider").flatMap((file) =>
      importsOf(file)
        .filter((path) => !/^(provider|foundation)\//.test(path))
        .map((path) => `${file} imports ${path}`),
    );
    assert.deepEqual(strays, []);
  });

  it("reads stack config in decoders only", () => {
    const readers = ["components", "runtime", "index.ts", "cli"]
      .flatMap((place) => (place.endsWith(".ts") ? [place] : sources(place)))
      .filter((file) => /new pulumi\.Config\(|new Config\(/.test(readFileSync(join(root, file), "utf8")));
    assert.deepEqual(
      readers.filter((file) => !/(^|\/)decode[A-Za-z]*\.ts$/.test(file)),
      [],
    );
  });

  it("keeps plans free of Pulumi", () => {
    const strays = sources("components")
      .filter((file) => /(^|\/)(plan|names)\.ts$/.test(file))
      .filter((file) => /from "@pulumi\//.test(readFileSync(join(root, file), "utf8")));
    assert.deepEqual(strays, []);
  });

  it("gives every component and resource a token of its own", () => {
    const tokens = sources("components").flatMap((file) => {
      const text = readFileSync(join(root, file), "utf8");
      return [...text.matchAll(/stackyard:index:([A-Za-z]+)"|component\("([A-Za-z]+)"\)/g)].map((m) => m[1] ?? m[2]!);
    });
    assert.ok(tokens.length >= 5, `found only ${tokens.join(", ")}`);
    assert.deepEqual(tokens.toSorted(), [...new Set(tokens)].toSorted());
  });
});
