import assert from "node:assert/strict";
import { explainRenderError } from "../../../components/runtime/templates/render";

const templates = [
  { key: "service", file: "templates/service.yaml", text: "", origins: [] },
  { key: "statefulset", file: "templates/sts.yaml", text: "", origins: [] },
];
const HEAD =
  "invocation of kubernetes:helm:template returned an error: failed to generate YAML for specified Helm chart: failed to create chart from template: ";
const CALL = `${HEAD}template: runtime/templates/statefulset.yaml:1:3: executing "runtime/templates/statefulset.yaml" at <include "runtime.object" (dict "key" "statefulset" "root" $)>: error calling include: template: runtime/templates/_object.tpl:12:13: executing "runtime.object" at <tpl .text $variables>: error calling tpl: `;
const explain = (message: string): string => explainRenderError(message, templates);

describe("the error of a template that cannot be rendered", () => {
  it("contains file, line and reason, without the chart's call stack and the template's text", () => {
    const text = String.raw`a: 1\n# template: gotpl:9: a trap\nb: {{ foo }}\n`;
    assert.equal(
      explain(`${CALL}cannot parse template "${text}": template: gotpl:7: function "foo" not defined`),
      'templates/sts.yaml:7: function "foo" not defined',
    );
  });

  it("names the expression that failed", () => {
    assert.equal(
      explain(
        `${CALL}error during tpl function execution for "x": template: gotpl:3:9: executing "gotpl" at <index .Annotations 1>: error calling index: value has type int; should be string`,
      ),
      "templates/sts.yaml:3: value has type int; should be string (at {{ index .Annotations 1 }})",
    );
  });

  it("keeps the messages of the chart's own checks", () => {
    assert.equal(
      explain(
        `${HEAD}execution error at (runtime/templates/service.yaml:1:3): templates/service.yaml:4: found no YAML: x`,
      ),
      "templates/service.yaml:4: found no YAML: x",
    );
  });

  it("puts the file before a message of the template itself", () => {
    assert.equal(
      explain(`${HEAD}execution error at (runtime/templates/service.yaml:1:3): plan is missing`),
      "templates/service.yaml: the template says: plan is missing",
    );
  });

  it("keeps an unknown reason", () => {
    assert.equal(explain(`${HEAD}values don't meet`), "The runtime's templates cannot be rendered: values don't meet");
    assert.equal(explain("no plugin"), "The runtime's templates cannot be rendered: no plugin");
  });
});
