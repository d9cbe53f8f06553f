import path from "node:path";
import { nearest } from "../../../foundation/text/nearest";
import type { HelperFile } from "../template";
import type { TemplateFault } from "./fault";
import { namedIn, type Definition, type Named } from "./definitions";

interface NamedFile extends Named {
  readonly file: string;
  /** Whether it is a helper file. */
  readonly helps: boolean;
}

/** Definitions that the chart provides. */
const BUILT_IN = ["sanitizeLabel"];

/**
 * Faults in the names that templates and helpers share: different definitions of one name, calls of undefined names,
 * and helpers that define nothing and are not called. Without all files (`complete`), only the first can be found.
 */
export function nameFaults(
  templates: readonly HelperFile[],
  helpers: readonly HelperFile[],
  complete: boolean,
): TemplateFault[] {
  const all = new Map<string, NamedFile>();
  for (const { file, text } of templates) all.set(file, { file, helps: false, ...namedIn(text) });
  for (const { file, text } of helpers) all.set(file, { file, helps: true, ...namedIn(text) });
  const files = [...all.values()].sort((a, b) => Number(b.helps) - Number(a.helps));
  return complete
    ? [...conflictingDefinitions(files), ...undefinedCalls(files), ...uselessHelpers(files)]
    : conflictingDefinitions(files);
}

/**
 * Finds conflicting definitions of one name. Identical ones are allowed in different files; within one file, Go rejects
 * them.
 */
function conflictingDefinitions(files: readonly NamedFile[]): TemplateFault[] {
  const first = new Map<string, { readonly file: string; readonly definition: Definition }>();
  return files.flatMap(({ file, definitions }) =>
    definitions.flatMap((definition) => {
      const { name, line } = definition;
      const other = first.get(name);
      if (other === undefined) {
        first.set(name, { file, definition });
        return [];
      }
      if (other.file !== file && bodyOf(other.definition) === bodyOf(definition)) return [];
      const where = `${other.file}:${other.definition.line}`;
      const message = `found a second definition of ${JSON.stringify(name)}; the first one is at ${where}; expected one for all templates of the provisioner`;
      return [{ file, line, message }];
    }),
  );
}

const bodyOf = ({ source }: Definition): string => source.replace(/^\{\{-? *define/, "");

function undefinedCalls(files: readonly NamedFile[]): TemplateFault[] {
  const defined = [...new Set(files.flatMap(({ definitions }) => definitions.map(({ name }) => name)))];
  const bases = files.map(({ file }) => path.basename(file));
  return files.flatMap(({ file, calls }) =>
    calls.flatMap(({ name, line }) => {
      const sharers = files.filter((other) => path.basename(other.file) === name);
      if (defined.includes(name) || BUILT_IN.includes(name) || sharers.length === 1) return [];
      if (sharers.length > 1) {
        const message = `found a call of ${JSON.stringify(name)}, which is the name of ${sharers.map((other) => other.file).join(" and of ")}; expected one file of that name`;
        return [{ file, line, message }];
      }
      const near = nearest(name, [...defined, ...bases]);
      const known =
        defined.length === 0 ? "there is none" : `there is ${defined.map((one) => JSON.stringify(one)).join(", ")}`;
      const meant = near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
      const message = `found a call of ${JSON.stringify(name)}; expected a name that a template or a helper file defines: ${known}${meant}`;
      return [{ file, line, message }];
    }),
  );
}

function uselessHelpers(files: readonly NamedFile[]): TemplateFault[] {
  const called = new Set(files.flatMap(({ calls }) => calls.map(({ name }) => name)));
  return files.flatMap(({ file, helps, definitions }) => {
    if (!helps || definitions.length > 0 || called.has(path.basename(file))) return [];
    const message = `found no {{ define }} in this helper file, and nothing calls ${JSON.stringify(path.basename(file))}; expected at least one`;
    return [{ file, line: 1, message }];
  });
}
