import { rmSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Document, isMap, isNode, isScalar, parseDocument, Scalar, visit, YAMLMap } from "yaml";
import { Failure, messageOf, UsageError } from "../../foundation/errors";
import { isObject } from "../../foundation/json/isObject";
import { unlessUnwritable } from "../../foundation/unwritable";
import { textIfThere, writeWhole } from "../../foundation/wholeFile";

/**
 * A Pulumi stack file (`Pulumi.<stack>.yaml`) that is edited key by key. Comments, the order, and all other keys stay
 * as the user wrote them.
 */
export class StackFile {
  private changed = false;

  private constructor(
    readonly file: string,
    readonly exists: boolean,
    private readonly document: Document,
    /** The text that was read. */
    private readonly original: string,
  ) {}

  static async read(folder: string, stack: string): Promise<StackFile> {
    // File names can't contain it; Node's error would show an internal path.
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

  /** Parses the text of a stack file, for tests and previews. */
  static of(text: string, file = "Pulumi.test.yaml"): StackFile {
    return new StackFile(file, true, parse(text, file), text);
  }

  /** Returns a plain copy of a top-level key, such as `encryptionsalt`. */
  top(key: string): unknown {
    return this.plain(this.document.get(key));
  }

  /** Returns a plain copy of the whole file. */
  whole(): Readonly<Record<string, unknown>> {
    return this.document.toJS() as Record<string, unknown>;
  }

  /** Returns a plain copy of a config value; undefined if it is not set. */
  config(key: string): unknown {
    return this.plain(this.document.getIn(["config", key]));
  }

  /** Keys of the config, in file order. */
  configKeys(): string[] {
    const config = this.plain(this.document.get("config"));
    return isObject(config) ? Object.keys(config) : [];
  }

  setTop(key: string, value: unknown): void {
    this.assign([key], value);
  }

  /** Sets a config value, or removes it if undefined. Inside a map, unchanged keys keep their formatting. */
  setConfig(key: string, value: unknown): void {
    if (value !== undefined && !isMap(this.document.get("config"))) this.document.set("config", new YAMLMap());
    this.assign(["config", key], value);
  }

  /** Returns the text that would be written. */
  text(): string {
    visit(this.document, { Scalar: (at, node) => quote(node, at === "key") });
    return this.document.toString({ lineWidth: 0 });
  }

  /** Writes the file atomically if it changed. Returns whether it was written. */
  async write(): Promise<boolean> {
    if (!this.changed) return false;
    await writeWhole(this.file, Buffer.from(this.text()));
    this.changed = false;
    return true;
  }

  /**
   * Restores the text that was read, unless the file was changed by others since it was written. Returns whether it
   * did.
   */
  async restore(): Promise<boolean> {
    if ((await readFile(this.file, "utf8").catch(() => undefined)) !== this.text()) return false;
    if (this.exists) await writeFile(this.file, this.original);
    else await rm(this.file);
    return true;
  }

  /** Whether the file is unchanged since it was read. */
  async isAsRead(): Promise<boolean> {
    const text = await textIfThere(this.file);
    return text === undefined ? !this.exists : text === this.original;
  }

  /**
   * Writes a copy to a temporary folder, for commands that take a config file. `remove` deletes the folder; the exit of
   * the process does too.
   */
  async writeCopy(): Promise<{ file: string; remove: () => Promise<void> }> {
    const folder = await unlessUnwritable(tmpdir(), () => mkdtemp(path.join(tmpdir(), "stackyard-")));
    const leave = () => rmSync(folder, { recursive: true, force: true });
    process.once("exit", leave);
    const remove = async () => {
      await rm(folder, { recursive: true, force: true });
      process.off("exit", leave);
    };
    try {
      const file = path.join(folder, path.basename(this.file));
      await unlessUnwritable(file, () => writeFile(file, this.text(), { mode: 0o600 }));
      return { file, remove };
    } catch (error) {
      await remove();
      throw error;
    }
  }

  /** `get` returns nodes for collections and values for scalars; aliases are resolved in the document. */
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
      // Updated in place, so that a comment beside it stays.
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
    // An alias without an anchor, or one that expands too far.
    throw new Failure(`${file}: ${messageOf(error)}; correct the file by hand`);
  }
  if (document.contents === null) document.contents = document.createNode({}) as unknown as typeof document.contents;
  if (!isMap(document.contents)) {
    throw new Failure(`${file}: found something that is no map; expected a Pulumi stack file with the key "config"`);
  }
  return document;
}

/** Keys that every YAML parser reads as a string without quotes. */
const SAFE_KEY = /^(?!(?:y|n|yes|no|on|off|true|false|null)$)[a-z_][\w.:/-]*$/i;

/**
 * Quotes strings that we wrote (they have no position in the source), because YAML parsers differ in how they read
 * plain ones.
 */
function quote(node: Scalar, isKey: boolean): void {
  if (node.range || typeof node.value !== "string" || (isKey && SAFE_KEY.test(node.value))) return;
  node.type = Scalar.QUOTE_DOUBLE;
}
