import type { Node } from "jsonc-parser";
import * as z from "zod";
import { crossChecks } from "../../../components/provisioners/config/crossChecks";
import { provisionerSchema, type ProvisionerInput } from "../../../components/runtime/types/registry";
import { renderPath, type Path, type Fault } from "../../../foundation/schema/faults";
import { faultsOf, type FaultContext } from "../../../foundation/schema/issues";
import { Converter } from "./converter";
import { positionAt, parseJson, type Position } from "./tree";

const schema = z.object({ provisioners: z.record(z.string(), provisionerSchema) });

/** Checks a converted set against the schema of the stack's config, without the files that it names. */
function checkSet(provisioners: Readonly<Record<string, unknown>>): Fault[] {
  const place: FaultContext = { root: { provisioners }, schema, secretKeys: new Set() };
  const faults: Fault[] = [];
  const good: [string, ProvisionerInput][] = [];
  for (const [name, entry] of Object.entries(provisioners)) {
    const result = provisionerSchema.safeParse(entry);
    if (result.success) good.push([name, result.data]);
    else faults.push(...faultsOf(result.error.issues, ["provisioners", name], place));
  }
  const pieces = {
    provisionerNames: new Set(Object.keys(provisioners)),
    clusterGiven: true,
    provisioners: Object.fromEntries(good),
    defaultProvisioner: undefined,
    environments: {},
  };
  return [...faults, ...crossChecks(pieces, place)];
}

/** A note or a fault with its position in the imported text. */
export interface ImportNote extends Position {
  readonly message: string;
}

interface SetImportOptions {
  /** Value of the original's RILL_ADMIN_DEFAULT_PROVISIONER. */
  readonly defaultProvisioner?: string;
}

export interface ImportResult {
  /**
   * Stack config by full key: `stackyard:provisioners` and, if needed, `stackyard:clickhouse` and
   * `stackyard:defaultProvisioner`.
   */
  readonly config: Readonly<Record<string, unknown>>;
  /** What was changed or skipped, and why, in the order of the text. */
  readonly notes: readonly ImportNote[];
}

/** The set can't be imported; contains every reason. */
export class ImportError extends Error {
  constructor(readonly faults: readonly ImportNote[]) {
    const lines = faults.map(({ line, column, message }) => `  ${line}:${column}: ${message}`);
    super(`The provisioner set can't be imported:\n${lines.join("\n")}`);
    this.name = "ImportError";
  }
}

/**
 * Converts the original system's RILL_ADMIN_PROVISIONER_SET_JSON (comments allowed) to stack config. `stackyard
 * provisioners import FILE|-` writes `config` to the stack's config and prints `notes`. Throws an {@link ImportError}
 * with every fault.
 */
export function importProvisionerSet(text: string, options: SetImportOptions = {}): ImportResult {
  const placed = (offset: number, message: string): ImportNote => ({ ...positionAt(text, offset), message });
  const { root, errors } = parseJson(text);
  if (errors.length > 0)
    throw new ImportError(errors.map(({ offset, message }) => placed(offset, `no JSON: ${message}`)));
  if (root?.type !== "object") {
    const found = root === undefined ? "nothing" : `a JSON ${root.type}`;
    throw new ImportError([placed(0, `found ${found}; expected an object of provisioners by name`)]);
  }

  const converter = new Converter();
  const provisioners = converter.set(root);
  const defaultProvisioner = converter.chooseDefault(root, options.defaultProvisioner);
  const nodeOf = (path: Path): Node => converter.nodeAt(path) ?? root;
  const faults = [
    ...converter.faults,
    ...checkSet(provisioners).map(({ path, message }) => ({
      node: nodeOf(path),
      message: `${inSet(path)}: ${message}`,
    })),
  ];
  const sorted = (list: readonly { node: Node; message: string }[]): ImportNote[] =>
    [...list].sort((a, b) => a.node.offset - b.node.offset).map(({ node, message }) => placed(node.offset, message));
  if (faults.length > 0) throw new ImportError(sorted(faults));
  return {
    config: {
      "stackyard:provisioners": provisioners,
      ...(Object.keys(converter.clickhouse).length === 0 ? {} : { "stackyard:clickhouse": converter.clickhouse }),
      ...(defaultProvisioner === undefined ? {} : { "stackyard:defaultProvisioner": defaultProvisioner }),
    },
    notes: sorted(converter.notes),
  };
}

/** A path relative to `provisioners`. */
const inSet = (path: Path): string => renderPath(path).replace("provisioners.", "");
