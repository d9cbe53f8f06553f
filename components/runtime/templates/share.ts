import path from "node:path";
import type { HelperFile, Template } from "../template";
import { namedIn, type Definition } from "./definitions";

/** A template with the definitions of the other files, because the engine processes one text at a time. */
export interface SharedTemplate extends Template {
  /** Source of each range of lines, in the order of the text. */
  readonly origins: readonly Origin[];
}

interface Origin {
  /** First line in `text`. */
  readonly from: number;
  readonly file: string;
  /** Corresponding line in `file`. */
  readonly line: number;
}

/** A line break that prints nothing. */
const LINE_BREAK = "{{/*\n*/}}";

/**
 * Appends the definitions of all other templates and of the helpers to each template. The line numbers of its own text
 * do not change. As with Go's ParseFiles, a whole file can also be called by its base name.
 */
export function shareDefinitions(templates: readonly Template[], helpers: readonly HelperFile[]): SharedTemplate[] {
  const files = [...helpers, ...templates].map((file) => ({ ...file, named: namedIn(file.text) }));
  const own = files.flatMap(({ file, named }) =>
    named.definitions.filter(({ inner }) => !inner).map((definition) => ({ file, definition })),
  );
  const defined = new Set(files.flatMap(({ named }) => named.definitions.map(({ name }) => name)));
  const called = new Set(files.flatMap(({ named }) => named.calls.map(({ name }) => name)));
  const whole = files
    .filter(({ file }) => called.has(path.basename(file)) && !defined.has(path.basename(file)))
    .map(({ file, named }) => ({ file, definition: wholeFile(file, named.rest) }));
  return templates.map((template) => withDefinitions(template, [...whole, ...own]));
}

function wholeFile(file: string, rest: string): Definition {
  const name = path.basename(file);
  const names = [name, ...namedIn(rest).definitions.map((block) => block.name)];
  return { name, line: 1, source: `{{ define ${JSON.stringify(name)} }}${rest}{{ end }}`, names, inner: false };
}

interface Offered {
  readonly file: string;
  readonly definition: Definition;
}

function withDefinitions(template: Template, offered: readonly Offered[]): SharedTemplate {
  const has = new Set(namedIn(template.text).definitions.map(({ name }) => name));
  const origins: Origin[] = [{ from: 1, file: template.file, line: 1 }];
  let text = template.text;
  for (const { file, definition } of offered) {
    if (has.has(definition.name)) continue;
    for (const name of definition.names) has.add(name);
    text += LINE_BREAK;
    origins.push({ from: text.split("\n").length, file, line: definition.line });
    text += definition.source;
  }
  return { ...template, text, origins };
}

/** Source file and line of a line in the text. */
export function originOf({ origins, file }: SharedTemplate, line: number): { file: string; line: number } {
  const origin = origins.findLast(({ from }) => from <= line) ?? { from: 1, file, line: 1 };
  return { file: origin.file, line: origin.line + line - origin.from };
}
