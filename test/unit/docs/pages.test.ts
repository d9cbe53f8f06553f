import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import { load } from "js-yaml";
import type { Context } from "../../../cli/context";
import { program } from "../../../cli/program";
import { decodeConfig } from "../../../components/platform/config/decodeConfig";
import { decodeRuntimeConfig } from "../../../components/runtime/deployment";
import { anchorsOf, blocksOf, pages, pageText } from "../../fixtures/pages";
import { KUBECONFIG, LEDGER, WORKLOAD } from "../config/fixtures";

const root = join(__dirname, "../../..");

/** Whatever a page names is there. */
const anyFiles = {
  read: (path: string) => Buffer.from(contents.find(([pattern]) => pattern.test(path))?.[1] ?? WORKLOAD),
  list: () => ["job.py"],
};
const contents: readonly (readonly [RegExp, string])[] = [
  [/kube/, KUBECONFIG.replace("current-context: main", "current-context: other")],
  [/ledger/, LEDGER],
  [/lock\.yaml$/, "charts: {}"],
  [/^jobs\//, "{name: events, workers: 1, operations: [{_op: reader}, {_op: noop}]}"],
  [/\.zip$/, "PK\u0003\u0004"],
];

/** Encrypted values as the engine would hand them over. */
const decrypted = (values: object): Record<string, unknown> =>
  JSON.parse(JSON.stringify(values), (key, value: unknown) =>
    typeof value === "object" && value !== null && "secure" in value
      ? key.endsWith("ledger")
        ? LEDGER
        : key === "databaseUrl"
          ? "postgres://service:a-secret-text@db.example.com/service"
          : key === "encryptionKeys"
            ? `k1:${Buffer.alloc(32).toString("base64")}`
            : key === "url"
              ? "https://admin:a-secret-text@ch.example.com"
              : "a-secret-text"
      : value,
  ) as Record<string, unknown>;

/** Keys of the platform that hold an encrypted value somewhere. */
const encryptedKeys = (config: object): Set<string> =>
  new Set(
    Object.entries(inNamespace(config, "stackyard")).flatMap(([key, value]) =>
      JSON.stringify(value).includes('"secure":') ? [key] : [],
    ),
  );

/** Keys of one namespace, without it. */
const inNamespace = (config: object, namespace: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(config)
      .filter(([key]) => key.startsWith(`${namespace}:`))
      .map(([key, value]) => [key.slice(namespace.length + 1), value as unknown]),
  );

/** The lines of our command in a page's shell examples, as arguments. */
const commandsOf = (page: string): string[][] =>
  blocksOf(page)
    .filter(({ language }) => language === "" || language === "sh")
    .flatMap(({ text }) => text.replaceAll("\\\n", " ").split("\n"))
    .map((line) => line.replace(/^\$ /, "").replace(/\s#\s.*$/, ""))
    .filter((line) => /^stackyard [a-z]/.test(line))
    .map((line) => line.replace(/ [|<>].*$/, "").match(/"[^"]*"|'[^']*'|\S+/g) ?? [])
    .map(([, ...args]) => args.map((arg) => arg.replace(/^["'](.*)["']$/, "$1")));

/** The counterparts of the commands of Teraslice's own command line, as arguments. */
const counterparts = (page: string): string[][] =>
  pageText(page)
    .split("\n")
    .filter((line) => line.startsWith("| `earl "))
    .flatMap((line) => [...line.matchAll(/`stackyard ([^`]+)`/g)].map(([, args = ""]) => args.split(" ")));

/** Our command line, which understands everything and does nothing. */
function idle(): Command {
  const command = program({} as Context);
  const still = (each: Command): void => {
    if (each.commands.length === 0) each.action(() => undefined);
    each.configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
    each.commands.forEach(still);
  };
  still(command);
  return command;
}

describe("the pages of the documentation", () => {
  for (const page of pages()) {
    it(`have only valid links: ${page}`, () => {
      const links = [...pageText(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, target = ""]) => target);
      const gone = links.filter((link) => {
        const [target = "", anchor] = link.split("#");
        const file = target === "" ? page : join(dirname(page), target);
        if (!existsSync(join(root, file))) return true;
        return anchor !== undefined && file.endsWith(".md") && !anchorsOf(pageText(file)).includes(anchor);
      });
      assert.deepEqual(gone, []);
    });
  }

  for (const page of pages()) {
    const files = blocksOf(page).filter(({ language, text }) => language === "yaml" && /^config:$/m.test(text));
    for (const [index, { text }] of files.entries()) {
      it(`show valid stack files: ${page}, ${index + 1}`, () => {
        const { config } = load(text) as { config: Record<string, unknown> };
        const values = decrypted(config);
        const runtime = inNamespace(values, "stackyard-runtime");
        const platform = inNamespace(values, "stackyard");
        assert.equal(Object.keys(runtime).length + Object.keys(platform).length, Object.keys(values).length);
        if (Object.keys(runtime).length > 0) decodeRuntimeConfig(runtime, "acme");
        else decodeConfig({ values: platform, secretKeys: encryptedKeys(config) }, anyFiles);
      });
    }
  }

  for (const page of pages()) {
    for (const args of [...commandsOf(page), ...counterparts(page)]) {
      it(`show valid commands: stackyard ${args.join(" ")} (${page})`, async () => {
        await idle().parseAsync(args, { from: "user" });
      });
    }
  }

  it("have all decisions in their list", () => {
    const decisions = pages().filter((page) => /^docs\/decisions\/\d/.test(page));
    assert.ok(decisions.length >= 20);
    const contents = pageText("docs/decisions/README.md");
    assert.deepEqual(
      decisions.filter((page) => !contents.includes(`(${page.replace("docs/decisions/", "")})`)),
      [],
    );
  });
});
