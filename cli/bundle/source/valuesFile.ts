import { readFile } from "node:fs/promises";
import { settleNumbers } from "../../../bundles/format/numbers";
import { parseYaml, YamlFault } from "../../../bundles/format/yaml";
import { mergeValues } from "../../../foundation/json/merge";
import { Failure, messageOf } from "../../../foundation/errors";
import { isObject, type Json } from "../../../foundation/json/isObject";

/** Merges values from YAML or JSON files; later files win. Messages never quote them, because they may be secret. */
export async function readValues(files: readonly string[] = []): Promise<Json> {
  return mergeValues(...(await Promise.all(files.map(readOne))));
}

async function readOne(file: string): Promise<Json> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new Failure(`${file} can't be read: ${messageOf(cause)}`);
  });
  const documents = parsed(text, file);
  const [values = {}] = documents;
  if (documents.length > 1) throw new Failure(`${file}: found ${documents.length} documents; expected one with values`);
  if (values === null) return {};
  if (!isObject(values)) throw new Failure(`${file}: found no object; expected values by their names`);
  // The detailed message would quote it.
  if (settleNumbers(values) !== undefined)
    throw new Failure(`${file}: found a number that is too large to be kept exactly; put it in quotes if it is a text`);
  return values;
}

function parsed(text: string, file: string): unknown[] {
  try {
    return parseYaml(text);
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    const place = error.line === undefined ? file : `${file}:${error.line + 1}`;
    throw new Failure(`${place}: found what is no YAML; expected values by their names`);
  }
}
