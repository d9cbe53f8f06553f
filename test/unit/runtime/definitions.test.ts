import assert from "node:assert/strict";
import { checkTemplates } from "../../../components/runtime/templates/check";
import { namedIn } from "../../../components/runtime/templates/definitions";
import { originOf, shareDefinitions } from "../../../components/runtime/templates/share";

const service = (text: string) => ({ key: "service", file: "templates/service.yaml", text });
const helper = (text: string, file = "files/_labels.tpl") => ({ file, text });
const LABELS = '{{ define "labels" }}a: b{{ end }}';

const check = (text: string, ...helpers: readonly string[]): string[] =>
  checkTemplates(
    [service(`kind: Service\n${text}\n`)],
    helpers.map((one, index) => helper(one, `files/_${index + 1}.tpl`)),
  ).map(({ file, line, message }) => `${file}:${line}: ${message}`);

describe("the shared definitions of templates", () => {
  it("are found in define and block, with their content", () => {
    const text =
      '{{- define "a" -}}\n{{ block "b" . -}}x{{ end }}{{ end }}\n{{ if .X }}{{ block `c` $ }}y{{ end }}{{ end }}\n{{ define "d" }}';
    const { definitions, rest } = namedIn(text);
    assert.deepEqual(
      definitions.map(({ name, line, names, inner }) => ({ name, line, names, inner })),
      [
        { name: "a", line: 1, names: ["a", "b"], inner: false },
        { name: "b", line: 2, names: ["b"], inner: true },
        { name: "c", line: 3, names: ["c"], inner: false },
      ],
    );
    assert.equal(definitions.at(-1)?.source, "{{ define `c` }}y{{ end }}");
    assert.equal(rest, '{{- /*\n*/}}\n{{ if .X }}{{ block `c` $ }}y{{ end }}{{ end }}\n{{ define "d" }}');
  });

  it("are appended to the template's text, and every line keeps its origin", () => {
    const [shared] = shareDefinitions(
      [service("a\nb\n")],
      [helper(`\n\n${LABELS}`), helper('{{ define "x" }}\ny{{ end }}{{ define "z" }}{{ end }}', "files/_2.tpl")],
    );
    assert.ok(shared);
    assert.ok(shared.text.startsWith("a\nb\n{{/*"));
    const where = (part: string) =>
      originOf(shared, shared.text.slice(0, shared.text.indexOf(part)).split("\n").length);
    assert.deepEqual(where("a\n"), { file: "templates/service.yaml", line: 1 });
    assert.deepEqual(where("b\n"), { file: "templates/service.yaml", line: 2 });
    assert.deepEqual(where("a: b"), { file: "files/_labels.tpl", line: 3 });
    assert.deepEqual(where("y{{"), { file: "files/_2.tpl", line: 2 });
    assert.deepEqual(where('{{ define "z"'), { file: "files/_2.tpl", line: 2 });
  });

  it("do not change a text if there are none", () => {
    const [shared] = shareDefinitions([service("a: {{ .Host }}\n")], []);
    assert.equal(shared?.text, "a: {{ .Host }}\n");
  });

  it("can be called by every template, also by the base name of a file or a computed name", () => {
    assert.deepEqual(check('{{ template "labels" . }}', LABELS), []);
    assert.deepEqual(check('{{ include "labels" . | nindent 2 }}{{ define "own" }}{{ end }}', LABELS), []);
    assert.deepEqual(check('{{ template "_1.tpl" . }}', "a: b"), []);
    assert.deepEqual(check('{{ include (printf "%s" .Host) . }}'), []);
    assert.deepEqual(check('a: {{ include "sanitizeLabel" .Host }}'), []);
    // The same twice is no contradiction.
    assert.deepEqual(check('{{ template "labels" . }}', LABELS, LABELS), []);
  });

  it("are reported as missing if a template calls an undefined name", () => {
    assert.deepEqual(check('a: b\nc: {{ include "label" . }}', LABELS), [
      'templates/service.yaml:3: found a call of "label"; expected a name that a template or a helper file defines: there is "labels"; did you mean "labels"?',
    ]);
    assert.match(check('{{ template "labels" . }}')[0] ?? "", /: there is none$/);
  });

  it("must not differ under the same name", () => {
    const other = '\n{{ define "labels" }}a: c{{ end }}';
    assert.deepEqual(check('{{ template "labels" . }}', LABELS, other), [
      'files/_2.tpl:2: found a second definition of "labels"; the first one is at files/_1.tpl:1; expected one for all templates of the provisioner',
    ]);
    assert.match(check(`${LABELS}${LABELS}a: b`)[0] ?? "", /service\.yaml:2: found a second definition of "labels"/);
    assert.match(check('{{ block "labels" . }}x{{ end }}', LABELS)[0] ?? "", /found a second definition of "labels"/);
  });

  it("must be at the top level, and each helper file must have one", () => {
    assert.match(check(`a: {{ if .Host }}${LABELS}{{ end }}`)[0] ?? "", /:2: found \{\{ define }} inside of another/);
    assert.deepEqual(check("a: b", "# nothing"), [
      'files/_1.tpl:1: found no {{ define }} in this helper file, and nothing calls "_1.tpl"; expected at least one',
    ]);
  });

  it("are checked like any template text", () => {
    assert.match(check("a: b", '{{ define "x" }}\n{{ if . }}')[0] ?? "", /^files\/_1\.tpl:1: \{\{ define }} has no/);
    assert.match(check("a: b", `${LABELS}\n{{ .Foo }}`)[0] ?? "", /^files\/_1\.tpl:2: found unknown variable \.Foo/);
    assert.match(check("a: b", `${LABELS}\n{{ env "X" }}`)[0] ?? "", /^files\/_1\.tpl:2: found the function env/);
  });
});
