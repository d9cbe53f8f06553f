import type { HelperFile, Template } from "../template";
import { checkTemplates } from "./check";
import { mismatch, type Path } from "../../../foundation/schema/faults";
import { utf8Text, tryRead } from "../../../foundation/schema/files";
import { foundAt } from "../../../foundation/schema/issues";
import type { Resolver } from "../../../foundation/schema/resolver";

/** Config keys and their template keys, in the order of application: dependencies come first. */
const TEMPLATE_KEYS = [
  ["configMap", "configmap"],
  ["pvc", "pvc"],
  ["statefulset", "statefulset"],
  ["deployment", "deployment"],
  ["service", "service"],
  ["httpIngress", "http_ingress"],
  ["grpcIngress", "grpc_ingress"],
] as const;

/** Paths of templates by key, and of helper files. */
type TemplateFiles = { readonly [Key in (typeof TEMPLATE_KEYS)[number][0]]?: string | undefined } & {
  readonly helpers: readonly string[];
};

interface TemplateTexts {
  readonly templates: Template[];
  readonly helpers?: HelperFile[];
}

/** Reads and checks the templates. Adds faults to the resolver. */
export function readTemplates({ files, place, faults }: Resolver, base: Path, config: TemplateFiles): TemplateTexts {
  const pathOf = new Map<string, Path>();
  const read = (file: string, path: Path): HelperFile[] => {
    if (!pathOf.has(file)) pathOf.set(file, path);
    const found = tryRead(files, file);
    const text = "bytes" in found ? utf8Text(found.bytes) : undefined;
    if (text !== undefined) return [{ file, text }];
    const [trouble, expected] =
      "trouble" in found ? [found.trouble, "a template file"] : ["a binary file", "a template, which is text in UTF-8"];
    faults.push(mismatch(path, `${foundAt(place, path)}, ${trouble}`, expected));
    return [];
  };
  const templates = TEMPLATE_KEYS.flatMap(([configKey, key]) => {
    const file = config[configKey];
    return file === undefined ? [] : read(file, [...base, configKey]).map((text) => ({ key, ...text }));
  });
  const helpers = config.helpers.flatMap((file, index) => read(file, [...base, "helpers", index]));
  const complete = pathOf.size === new Set([...templates, ...helpers].map(({ file }) => file)).size;
  for (const { file, line, message } of checkTemplates(templates, helpers, complete)) {
    faults.push({ path: pathOf.get(file) ?? base, message: `${file}:${line}: ${message}` });
  }
  return { templates, ...(helpers.length === 0 ? {} : { helpers }) };
}
