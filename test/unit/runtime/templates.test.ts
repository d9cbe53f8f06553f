import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { checkTemplates } from "../../../components/runtime/templates/check";
import { lex } from "../../../components/runtime/templates/lexer";
import { rewriteFunctions } from "../../../components/runtime/templates/render";

const check = (text: string, key = "service"): string[] =>
  checkTemplates([{ key, file: "t.yaml", text }]).map(({ file, line, message }) => `${file}:${line}: ${message}`);

/** A template whose only fault can be what is in the expression. */
const faultsOf = (expression: string): string[] => check(`kind: Service\nname: ${expression}\n`);

const accepts = (text: string): void => assert.deepEqual(check(text), []);

describe("the check of runtime templates", () => {
  it("accepts the templates of the original system", () => {
    const folder = path.join(__dirname, "../../fixtures/templates");
    const templates = ["statefulset", "service", "http_ingress", "grpc_ingress"].map((key) => ({
      key,
      file: `${key}.yaml`,
      text: readFileSync(path.join(folder, `${key}.yaml`), "utf8"),
    }));
    assert.deepEqual(checkTemplates(templates), []);
  });

  describe("the variables of a template", () => {
    it("rejects an unknown variable with file, line and the closest match", () => {
      assert.match(
        faultsOf("{{ .StorageByte }}")[0] ?? "",
        /^t\.yaml:2: found unknown variable \.StorageByte; expected one of \.Image .*; did you mean \.StorageBytes\?$/,
      );
    });

    it("suggests nothing if no variable is similar", () => {
      assert.doesNotMatch(faultsOf("{{ .Quux }}")[0] ?? "", /did you mean/);
    });

    it("finds unknown variables after $, in pipes, parentheses, conditions and arguments", () => {
      for (const expression of [
        "{{ $.Foo }}",
        "{{ .Host | default .Foo }}",
        "{{ (printf `%s` .Foo) }}",
        "{{ if .Foo }}x{{ end }}",
        "{{ if .Host }}x{{ else if .Foo }}y{{ end }}",
        '{{ template "x" .Foo }}{{ define "x" }}{{ end }}',
        "{{ with .Foo }}x{{ end }}",
        "{{ range .Foo }}x{{ end }}",
      ]) {
        assert.match(faultsOf(expression)[0] ?? "", /unknown variable \$?\.Foo/, expression);
      }
    });

    it("checks the fields of .Names", () => {
      assert.match(faultsOf("{{ .Names.Statefulset }}")[0] ?? "", /did you mean \.Names\.StatefulSet\?/);
      assert.match(faultsOf("{{ $.Names.Servic }}")[0] ?? "", /did you mean \$\.Names\.Service\?/);
      assert.match(faultsOf("{{ with .Names }}{{ .Servic }}{{ end }}")[0] ?? "", /did you mean \.Service\?/);
      accepts("a: {{ .Names.HTTPIngress }} {{ .Names.GRPCIngress }} {{ .Names.PVC }} {{ .Names.Deployment }}");
    });

    it("rejects fields of a text", () => {
      assert.deepEqual(faultsOf("{{ .Image.Name }}"), [
        "t.yaml:2: found .Image.Name, but .Image is a text and has no fields",
      ]);
    });

    it("accepts any key of .Annotations", () => {
      accepts("a: {{ .Annotations.organization_plan | default `none` | quote }}");
    });

    it("respects the meaning of . inside with, range, define and block", () => {
      accepts("a: {{ with .Annotations }}{{ .anything }}{{ end }}");
      accepts("a: {{ range $k, $v := .Annotations }}{{ $k }}: {{ $v.Foo }} {{ .Bar }}{{ end }}");
      accepts('a: {{ define "x" }}{{ .Foo }}{{ $.Foo }}{{ end }}');
      accepts('a: {{ block "x" .Annotations }}{{ .Foo }}{{ $.Foo }}{{ end }}');
      accepts("a: {{ with dict `x` 1 }}{{ .x }}{{ else }}{{ .Host }}{{ end }}");
      accepts("a: {{ (dict `x` 1).x }}");
    });

    it("returns to the root after a block, in its else branch, and for $ inside it", () => {
      for (const expression of [
        "{{ with .Annotations }}{{ .x }}{{ end }}{{ .Foo }}",
        "{{ with .Annotations }}{{ .x }}{{ else }}{{ .Foo }}{{ end }}",
        "{{ with .Annotations }}{{ $.Foo }}{{ end }}",
        '{{ block "x" . }}{{ .Foo }}{{ end }}',
        "{{ with $ }}{{ .Foo }}{{ end }}",
        "{{ $root := . }}{{ with .Annotations }}{{ $root.Foo }}{{ end }}",
      ]) {
        assert.match(faultsOf(expression)[0] ?? "", /unknown variable (\$|\$root)?\.Foo/, expression);
      }
    });

    it("does not check a variable that was reassigned", () => {
      accepts("a: {{ $x := . }}{{ if .Host }}{{ $x = dict `Foo` 1 }}{{ end }}{{ $x.Foo }}");
    });

    it("does not treat texts, comments and words as variables", () => {
      accepts('a: {{ printf "{{ .Foo }}" }}{{/* .Foo */}}{{ `.Foo` }}{{ list "a\\".Foo" }} .Foo');
    });
  });

  describe("the blocks of a template", () => {
    it("reports where a block without an end begins", () => {
      assert.deepEqual(check("a: 1\n{{ if .Host }}\nb: 2\n"), ["t.yaml:2: {{ if }} has no {{ end }}"]);
    });

    it("reports an end and an else without a block", () => {
      assert.match(check("a: 1\n{{ end }}")[0] ?? "", /t\.yaml:2: \{\{ end }} closes nothing/);
      assert.match(check("a: 1\n{{ else }}")[0] ?? "", /t\.yaml:2: \{\{ else }} belongs to no/);
    });

    it("reports an action, a text and a comment that are not closed", () => {
      assert.deepEqual(check("a: 1\nb: {{ .Host }\nc: 3"), ["t.yaml:2: an action {{ is not closed with }}"]);
      assert.deepEqual(check("a: 1\nb: {{ .Host\nc: {{ .Host }}"), ["t.yaml:2: an action {{ is not closed with }}"]);
      assert.deepEqual(check('a: {{ "x }}'), ['t.yaml:1: a text that begins with " is not closed']);
      assert.deepEqual(check("a: {{/* x }}"), ["t.yaml:1: a comment {{/* is not closed with */}}"]);
    });

    it("rejects env and expandenv, but not fields and texts of that name", () => {
      assert.match(faultsOf('{{ env "HOME" }}')[0] ?? "", /found the function env; templates must not read/);
      assert.match(faultsOf('{{ "$HOME" | expandenv }}')[0] ?? "", /found the function expandenv/);
      accepts('a: {{ .Annotations.env }}{{ "env" }} env');
    });

    it("reports all faults of all templates with their files", () => {
      const faults = checkTemplates([
        { key: "service", file: "a.yaml", text: "x: {{ .A }}\ny: {{ .B }}" },
        { key: "pvc", file: "b.yaml", text: "{{ end }}" },
      ]);
      assert.deepEqual(
        faults.map(({ file, line }) => `${file}:${line}`),
        ["a.yaml:1", "a.yaml:2", "b.yaml:1", "b.yaml:1"],
      );
    });
  });

  describe("the documents of a template", () => {
    it("rejects a second document and names the separator's line", () => {
      assert.match(check("a: 1\n---\nb: 2\n")[0] ?? "", /^t\.yaml:2: found a second YAML document/);
      assert.match(check("a: 1\n--- # two\n{{ .Host }}\n")[0] ?? "", /^t\.yaml:2: found a second/);
      assert.match(check("a: 1\n{{- if .Host }}\n---\nb: 2\n{{- end }}\n")[0] ?? "", /^t\.yaml:3: found a second/);
    });

    it("accepts a separator before, after, and inside a text", () => {
      accepts("---\na: 1\n");
      accepts("# comment\n{{/* comment */}}\n---\n{{ $x := 1 }}\na: 1\n---\n");
      accepts("a: 1\nb: |\n  x\n  ---\n  y\n");
      accepts("a: ---\n");
    });

    it("rejects an empty template", () => {
      for (const text of ["", " \n", "# only a comment\n---\n", "{{/* nothing */}}", '{{ define "x" }}a: 1{{ end }}']) {
        assert.match(check(text)[0] ?? "", /t\.yaml:1: the template is empty/, JSON.stringify(text));
      }
    });

    it("accepts a template whose text is conditional", () => {
      accepts('{{- if eq .Environment "prod" }}\nkind: Service\n{{- end }}');
    });
  });

  it("rejects an unknown key and a duplicate key", () => {
    assert.match(
      check("a: 1", "stateful_set")[0] ?? "",
      /found template key "stateful_set"; expected one of .*did you mean statefulset\?/,
    );
    const twice = checkTemplates([
      { key: "pvc", file: "a.yaml", text: "a: 1" },
      { key: "pvc", file: "b.yaml", text: "a: 1" },
    ]);
    assert.deepEqual(twice, [
      { file: "b.yaml", line: 1, message: 'found a second template "pvc"; expected one for each key' },
    ]);
  });

  it("returns a result for any text", () => {
    const piece = fc.constantFrom(
      "{{",
      "}}",
      "{{-",
      "-}}",
      " ",
      "\n",
      "if",
      "end",
      "else",
      ".Host",
      "$",
      ".",
      "(",
      ")",
      '"',
      "`",
      "---",
      "|",
      ":=",
      "a: 1",
      "/*",
      "*/",
      "é",
      "range",
      "with",
    );
    fc.assert(fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => Array.isArray(check(pieces.join("")))));
  });

  it("loses no part of a text that it can split", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const { parts, fault } = lex(text);
        if (fault !== undefined || text.includes("{{")) return;
        assert.equal(parts.map((part) => (part.kind === "text" ? part.text : "")).join(""), text);
      }),
    );
  });
});

describe("the rewriting of sanitizeLabel", () => {
  it("turns calls and pipes into the chart's named template and keeps everything else", () => {
    assert.equal(
      rewriteFunctions(
        'a: {{ sanitizeLabel .Host }} sanitizeLabel\nb: {{ .Host | sanitizeLabel | quote }} {{ "sanitizeLabel" }}',
      ),
      'a: {{ include "sanitizeLabel" .Host }} sanitizeLabel\nb: {{ .Host | include "sanitizeLabel" | quote }} {{ "sanitizeLabel" }}',
    );
  });
});
