#!/usr/bin/env node
// A double of podman, buildah, docker and nerdctl, selected by its own name: `info`, `build`, `push`, `image inspect`.
// It rejects what they reject, with their messages, and builds nothing. See README.md.
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/** @typedef {{ readonly id: string, readonly digests: readonly string[] }} Image */

const name = basename(process.argv[1] ?? "");
const store = process.env.BUILDER_STORE ?? ".";
const daemon = name === "docker" || name === "nerdctl";
/** @type {(text: string, code?: number) => never} */
const fail = (text, code = daemon ? 1 : 125) => {
  process.stderr.write(`${daemon ? "" : "Error: "}${text}\n`);
  process.exit(code);
};
const list = join(store, "images.json");
/** By tag. */
const images = () =>
  /** @type {Record<string, Image>} */ (existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : {});
/** @param {Record<string, Image>} all */
const keep = (all) => writeFileSync(list, JSON.stringify(all));
/** @param {string} text */
const sha = (text) => `sha256:${createHash("sha256").update(text).digest("hex")}`;

/** @type {Record<"build" | "push" | "inspect" | "info", string[]>} */
const TAKES = {
  build: ["--tag", "-t", "--file", "-f", "--iidfile", "--platform", "--build-arg"],
  push: daemon ? [] : ["--digestfile"],
  inspect: ["--format"],
  info: [],
};

/**
 * Splits arguments into options by name, and the rest.
 * @param {keyof typeof TAKES} command @param {readonly string[]} words
 */
function parsed(command, words) {
  /** @type {Record<string, string[]>} */
  const options = {};
  const rest = [];
  const left = [...words];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (!word.startsWith("-")) rest.push(word);
    else if (!TAKES[command].includes(word)) fail(`unknown flag: ${word}`, 125);
    else (options[word] ??= []).push(left.shift() ?? fail(`flag needs an argument: ${word}`, 125));
  }
  return { options, rest };
}

/** @param {string} tag */
function tagged(tag) {
  const legal = /^(?:[a-zA-Z0-9.-]+(?::\d+)?\/)?[^/]+(?:\/[^/]+)*$/.test(tag);
  const [, repository = ""] = /^(.*?)(?::[\w][\w.-]*)?$/.exec(tag) ?? [];
  if (!legal || /[A-Z]/.test(repository.replace(/^[^/]*\//, ""))) {
    fail(
      daemon
        ? `invalid argument "${tag}" for "-t, --tag" flag: invalid reference format: repository name must be lowercase`
        : `tag ${tag}: invalid reference format: repository name must be lowercase`,
      125,
    );
  }
  return tag;
}

/** @type {Record<string, (words: string[]) => void>} */
const COMMANDS = {
  info() {
    if (process.env.BUILDER_DAEMON === "off") fail(`Cannot connect to the ${name} daemon. Is it running?`, 1);
    process.stdout.write("host: a double\n");
  },
  build(words) {
    const { options, rest } = parsed("build", words);
    if (rest.length !== 1)
      fail(daemon ? `'${name} build' requires 1 argument` : `accepts at most 1 arg(s), received ${rest.length}`);
    const [context = ""] = rest;
    if (!existsSync(context) || !statSync(context).isDirectory()) fail(`stat ${context}: no such file or directory`);
    const file = options["--file"]?.[0] ?? options["-f"]?.[0] ?? join(context, daemon ? "Dockerfile" : "Containerfile");
    if (!existsSync(file)) fail(`stat ${file}: no such file or directory`);
    const lines = readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line.trim() !== "" && !line.startsWith("#"));
    if (!lines.some((line) => /^FROM\s+\S/i.test(line))) fail("no FROM statement found");
    const known = lines.flatMap((line) => /^ARG\s+(\w+)/i.exec(line)?.[1] ?? []);
    for (const argument of options["--build-arg"] ?? []) {
      const [key = ""] = argument.split("=");
      if (!known.includes(key)) process.stderr.write(`[Warning] one or more build args were not consumed: [${key}]\n`);
    }
    for (const [at, line] of lines.entries()) {
      const [, from] = /^COPY\s+(?!--from)(\S+)\s+\S+/i.exec(line) ?? [];
      if (from !== undefined && !existsSync(join(context, from))) {
        fail(
          `building at STEP "${line}": checking on sources under "${context}": copier: stat: "/${from}": no such file or directory`,
        );
      }
      process.stdout.write(`STEP ${at + 1}/${lines.length}: ${line}\n`);
    }
    const tags = [...(options["--tag"] ?? []), ...(options["-t"] ?? [])].map(tagged);
    const id = sha(JSON.stringify([lines, options["--build-arg"] ?? [], options["--platform"] ?? []]));
    keep({ ...images(), ...Object.fromEntries(tags.map((tag) => [tag, { id, digests: [] }])) });
    const [idFile] = options["--iidfile"] ?? [];
    if (idFile !== undefined) writeFileSync(idFile, id);
  },
  push(words) {
    const { options, rest } = parsed("push", words);
    const [tag = ""] = rest;
    const image =
      images()[tag] ??
      fail(
        daemon
          ? `An image does not exist locally with the tag: ${tag}`
          : `pushing image "${tag}" to "docker://${tag}": ${tag}: image not known`,
      );
    if (process.env.BUILDER_REGISTRY === "denied") fail("denied: requested access to the resource is denied", 1);
    const digest = sha(`manifest of ${image.id}`);
    keep({ ...images(), [tag]: { ...image, digests: [`${tag.replace(/:[^:/]*$/, "")}@${digest}`] } });
    const [digestFile] = options["--digestfile"] ?? [];
    if (digestFile !== undefined) writeFileSync(digestFile, digest);
    process.stdout.write(`digest: ${digest} size: 1\n`);
  },
  image([what, ...words]) {
    if (what !== "inspect") fail(`unknown command: ${name} image ${what}`);
    const { options, rest } = parsed("inspect", words);
    const [tag = ""] = rest;
    const image = images()[tag] ?? fail(`No such image: ${tag}`);
    if (options["--format"]?.[0] !== "{{json .RepoDigests}}") fail("template parsing error");
    process.stdout.write(`${JSON.stringify(image.digests)}\n`);
  },
};

const [command = "", ...words] = process.argv.slice(2);
appendFileSync(join(store, "calls"), `${name} ${process.argv.slice(2).join(" ")}\n`);
const run = COMMANDS[command] ?? fail(`unknown command "${command}" for "${name}"`, 125);
run(words);
