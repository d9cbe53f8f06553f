import path from "node:path";
import type { HelperFile, Template } from "../platform/template";
import { namedIn, type Definition } from "./definitions";

/** A template together with what its fellows define, so that the engine, which sees one text at a time, knows it. */
export interface SharedTemplate extends Template {
  /** Where the text's lines come from, in the order of the text. */
  readonly origins: readonly Origin[];
}

interface Origin {
  /** First line of `text` that comes from there. */
  readonly from: number;
  readonly file: string;
  /** The line of `file` that it is. */
  readonly line: number;
}

/** Ends a line without printing anything. */
const LINE_BREAK = "{{/*\n*/}}";

/**
 * Gives each template the definitions of all the others and of the helpers, behind its own text, whose lines stay what
 * they were. As with Go's ParseFiles, a file as a whole can be called by its base name too.
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

/** File and line that a line of the text comes from. */
export function originOf({ origins, file }: SharedTemplate, line: number): { file: string; line: number } {
  const origin = origins.findLast(({ from }) => from <= line) ?? { from: 1, file, line: 1 };
  return { file: origin.file, line: origin.line + line - origin.from };
}
