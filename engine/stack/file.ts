import { rmSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Document, isMap, isNode, isScalar, parseDocument, Scalar, visit, YAMLMap } from "yaml";
import { Failure, messageOf, UsageError } from "../../foundation/errors";
import { isObject } from "../../foundation/json/isObject";
import { textIfThere, writeWhole } from "../../foundation/wholeFile";

/**
 * A Pulumi stack file (`Pulumi.<stack>.yaml`) that is changed key by key: comments, order and all keys that nobody
 * changed stay as the user wrote them.
 */
export class StackFile {
  private changed = false;

  private constructor(
    readonly file: string,
    readonly exists: boolean,
    private readonly document: Document,
    /** What was read. */
    private readonly original: string,
  ) {}

  static async read(folder: string, stack: string): Promise<StackFile> {
    // No file can be called so; Node would say that of a path nobody typed.
    if (stack.includes("\0")) {
      throw new UsageError(`stack: found ${JSON.stringify(stack)}; expected a name of A-Z a-z 0-9 . _ -`);
    }
    return StackFile.readFile(path.join(folder, `Pulumi.${stack}.yaml`));
  }

  static async readFile(file: string): Promise<StackFile> {
    const text = await textIfThere(file);
    if (text === undefined) return new StackFile(file, false, new Document({}), "");
    return new StackFile(file, true, parse(text, file), text);
  }

  /** Text of a stack file in memory, for tests and previews. */
  static of(text: string, file = "Pulumi.test.yaml"): StackFile {
    return new StackFile(file, true, parse(text, file), text);
  }

  /** A plain copy of a top-level key, such as `encryptionsalt`. */
  top(key: string): unknown {
    return this.plain(this.document.get(key));
  }

  /** A plain copy of the whole file. */
  whole(): Readonly<Record<string, unknown>> {
    return this.document.toJS() as Record<string, unknown>;
  }

  /** A plain copy of a config value; undefined when it is not set. */
  config(key: string): unknown {
    return this.plain(this.document.getIn(["config", key]));
  }

  /** Keys of the config, in their order. */
  configKeys(): string[] {
    const config = this.plain(this.document.get("config"));
    return isObject(config) ? Object.keys(config) : [];
  }

  setTop(key: string, value: unknown): void {
    this.assign([key], value);
  }

  /** Sets a config value, or removes it when it is undefined. Inside a map, keys that are equal stay untouched. */
  setConfig(key: string, value: unknown): void {
    if (value !== undefined && !isMap(this.document.get("config"))) this.document.set("config", new YAMLMap());
    this.assign(["config", key], value);
  }

  /** The file as it would be written. */
  text(): string {
    visit(this.document, { Scalar: (at, node) => quote(node, at === "key") });
    return this.document.toString({ lineWidth: 0 });
  }

  /** Writes the file as a whole or not at all, and only when something changed. Returns whether it was written. */
  async write(): Promise<boolean> {
    if (!this.changed) return false;
    await writeWhole(this.file, Buffer.from(this.text()));
    this.changed = false;
    return true;
  }

  /** Puts back what was read, unless another user changed the file since it was written. Returns whether it did. */
  async restore(): Promise<boolean> {
    if ((await readFile(this.file, "utf8").catch(() => undefined)) !== this.text()) return false;
    if (this.exists) await writeFile(this.file, this.original);
    else await rm(this.file);
    return true;
  }

  /** Whether the file is as it was when it was read. */
  async isAsRead(): Promise<boolean> {
    const text = await textIfThere(this.file);
    return text === undefined ? !this.exists : text === this.original;
  }

  /**
   * The file as it would be written, in a folder of its own; for commands that take a config file. The folder is removed
   * by `remove`, and at the latest when the process leaves.
   */
  async writeCopy(): Promise<{ file: string; remove: () => Promise<void> }> {
    const folder = await mkdtemp(path.join(tmpdir(), "stackyard-"));
    const leave = () => rmSync(folder, { recursive: true, force: true });
    process.once("exit", leave);
    const remove = async () => {
      await rm(folder, { recursive: true, force: true });
      process.off("exit", leave);
    };
    try {
      const file = path.join(folder, path.basename(this.file));
      await writeFile(file, this.text(), { mode: 0o600 });
      return { file, remove };
    } catch (error) {
      await remove();
      throw error;
    }
  }

  /** `get` gives nodes for collections and values for scalars; an alias is looked up in the document. */
  private plain(node: unknown): unknown {
    return isNode(node) ? (node.toJS(this.document) as unknown) : node;
  }

  private assign(at: readonly (string | number)[], value: unknown): void {
    const before = this.plain(this.document.getIn(at));
    if (isDeepStrictEqual(before, value)) return;
    this.changed = true;
    if (value === undefined) {
      this.document.deleteIn(at);
      return;
    }
    const node = this.document.getIn(at, true);
    if (isScalar(node) && (typeof value !== "object" || value === null)) {
      // In place, so that a comment beside it stays.
      Object.assign(node, { value, source: undefined, range: null, type: undefined });
      return;
    }
    if (Array.isArray(value) && Array.isArray(before) && value.length === before.length) {
      for (const [index, inner] of value.entries()) this.assign([...at, index], inner);
      return;
    }
    if (!isObject(value) || !isObject(before)) {
      this.document.setIn(at, this.document.createNode(value));
      return;
    }
    const kept = (key: string) => Object.hasOwn(value, key) && value[key] !== undefined;
    for (const key of Object.keys(before)) if (!kept(key)) this.document.deleteIn([...at, key]);
    for (const [key, inner] of Object.entries(value)) if (inner !== undefined) this.assign([...at, key], inner);
  }
}

function parse(text: string, file: string): Document {
  const document = parseDocument(text, { version: "1.1", schema: "core" });
  const [fault] = document.errors;
  if (fault) throw new Failure(`${file}: ${fault.message.split("\n")[0] ?? "is not YAML"}; correct the file by hand`);
  try {
    document.toJS();
  } catch (error) {
    // An alias of nothing, or one of too much.
    throw new Failure(`${file}: ${messageOf(error)}; correct the file by hand`);
  }
  if (document.contents === null) document.contents = document.createNode({}) as unknown as typeof document.contents;
  if (!isMap(document.contents)) {
    throw new Failure(`${file}: found something that is no map; expected a Pulumi stack file with the key "config"`);
  }
  return document;
}

/** Keys that every YAML reader takes as a text without quotes. */
const SAFE_KEY = /^(?!(?:y|n|yes|no|on|off|true|false|null)$)[a-z_][\w.:/-]*$/i;

/** Puts what we wrote (it has no place in the source) into quotes: readers differ in what else than a text it may be. */
function quote(node: Scalar, isKey: boolean): void {
  if (node.range || typeof node.value !== "string" || (isKey && SAFE_KEY.test(node.value))) return;
  node.type = Scalar.QUOTE_DOUBLE;
}
