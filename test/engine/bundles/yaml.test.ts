import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { readPlain } from "../../../bundles/format/plain";
import { treeOf } from "../../unit/bundles/samples";

const run = promisify(execFile);

/** Scalars on which versions of YAML differ. */
const SCALARS = [
  ..."0644 08 0x1F 0o17 0b11 1_000 -1 +1 1. .5 -.5 1e3 1E-2 1.5e+3 0 00 1:30 190:20:30 2001-01-01 2001-12-14T21:59:43Z".split(
    " ",
  ),
  ..."y Y yes Yes YES n N no on On OFF off true True TRUE false ~ null Null NULL tRUE yES = << 1_ _1 0x 1e 0.1.2 1,000".split(
    " ",
  ),
  ...[
    '"yes"',
    "'0644'",
    "!!str 0644",
    "!!int 0644",
    "!!float 1",
    "|\n    a\n    b",
    ">-\n    a\n    b",
    "",
    "a b",
    "[1, y]",
    "{a: 0644}",
  ],
];

async function kubectl(text: string, output: string): Promise<string> {
  const running = run("kubectl", ["label", "--local", "--filename=-", `--output=${output}`, "--overwrite", "a=b"]);
  running.child.stdin?.end(text);
  return (await running).stdout;
}

describe("a manifest", () => {
  it("is parsed as kubectl parses it", async () => {
    const lines = SCALARS.map((text, index) => `  k${index}: ${text}\n`).join("");
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {a: b}}\ndata:\n${lines}  7: int\n  yes: bool\n  1.5: float\n`;
    const ours = readPlain(treeOf({ "manifests/a.yaml": text }))[0]?.object["data"];
    assert.deepEqual(ours, (JSON.parse(await kubectl(text, "json")) as { data: unknown }).data);
  });

  it("differs from kubectl as the documentation says", async () => {
    const map = (name: string, data = "") => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n${data}`;
    const json = (name: string) => JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
    const cases: [text: string, ours: string, theirs: string][] = [
      [`${map("a")}...\n${map("b")}`, "a b", "a"],
      [`${json("a")} ${json("b")}`, "a b", "a b"],
      [`${map("a")}---\n${json("b")} ${json("c")}`, "a b c", "a b"],
      [map("a", "data: {k: own, <<: {k: merged}}"), 'a{"k":"own"}', 'a{"k":"merged"}'],
      [map("a", "data: {-0.0: x}"), 'a{"0":"x"}', 'a{"-0":"x"}'],
    ];
    for (const [text, ours, theirs] of cases) {
      const read = readPlain(treeOf({ "manifests/a.yaml": text }));
      const shown = read.map(({ object: { metadata, data } }) => `${metadata.name}${JSON.stringify(data) ?? ""}`);
      assert.equal(shown.join(" "), ours, text);
      const output = await kubectl(text, "jsonpath={.metadata.name}{.data} ");
      assert.equal(output.trim(), theirs, text);
    }
  });
});
