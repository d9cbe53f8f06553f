import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import { RULES } from "../../../policy/rules/rules";

interface Entry {
  readonly title: string;
  /** The rule that stops it. Default: none does. */
  readonly rule?: string;
  readonly type: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

const folder = path.join(__dirname, "../../fixtures/policy");
const entriesOf = (file: string) => load(readFileSync(path.join(folder, `${file}.yaml`), "utf8")) as readonly Entry[];
/** Rules about resources, not about how much of them there is. */
const JUDGED = RULES.filter(({ name }) => !["pinned-images", "limits", "encrypted"].includes(name));

/** The rules that stop a resource of a stack for development, with their messages. */
const stops = ({ type, inputs }: Entry): string[] =>
  JUDGED.flatMap(({ name, check }) =>
    check({ type, props: inputs, name: "it", stack: "dev", isProtected: true }).map((one) => `${name}: ${one.message}`),
  );

describe("the policy pack with resources of the field", () => {
  for (const [file, least] of [
    ["described-bad", 118],
    ["further-bad", 121],
  ] as const) {
    it(`stops bad ones by the expected rule: ${file}`, () => {
      const entries = entriesOf(file);
      const passed = entries.filter((entry) => !stops(entry).some((one) => one.startsWith(`${entry.rule}: `)));
      console.log(`      ${entries.length - passed.length} of ${entries.length} stopped`);
      assert.deepEqual([entries.length, passed.map(({ title }) => title)], [least, []]);
    });
  }

  for (const file of ["described-good", "further-good"]) {
    it(`stops no good one: ${file}`, () => {
      const entries = entriesOf(file);
      const stopped = entries.flatMap((entry) => stops(entry).map((one) => `${entry.title}: ${one}`));
      console.log(`      ${stopped.length} of ${entries.length} stopped`);
      assert.deepEqual([entries.length, stopped], [56, []]);
    });
  }

  it("says of each what was found and what is expected", () => {
    for (const entry of [...entriesOf("described-bad"), ...entriesOf("further-bad")])
      for (const message of stops(entry))
        assert.match(message, /: (container [^:]+: )?found .+; expected .+|found .+, because/, entry.title);
  });
});
