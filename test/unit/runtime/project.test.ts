import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { load } from "js-yaml";
import { parseRequests } from "../../../cli/fleet/requests";
import {
  decodeRuntimeConfig,
  RUNTIME_TEXT_KEYS,
  type RuntimeKey,
  runtimeShape,
} from "../../../components/runtime/deployment";
import { SCHEMA_FILE, schemaText } from "../../../components/runtime/generate";
import { checkTemplates } from "../../../components/runtime/templates/check";
import { KIND_BY_KEY, CLICKHOUSE, NAMES, VARIABLES } from "../../../components/runtime/templates/variables";

const root = join(__dirname, "../../..");
const text = (path: string): string => readFileSync(join(root, path), "utf8");

describe("the project of runtime stacks", () => {
  const { config } = load(text("runtime/Pulumi.yaml")) as {
    config: Record<RuntimeKey, { type: string; description: string; default?: unknown }>;
  };

  it("lists every key of the config with its type and description", () => {
    const expected = Object.entries(runtimeShape).map(([key, schema]) => [
      key,
      RUNTIME_TEXT_KEYS.has(key) ? "string" : "object",
      schema.description,
    ]);
    assert.deepEqual(
      Object.entries(config).map(([key, { type, description }]) => [key, type, description]),
      expected,
    );
  });

  it("has a default for exactly the optional keys, because Pulumi asks for the others", () => {
    const without = Object.entries(config).flatMap(([key, entry]) => (Object.hasOwn(entry, "default") ? [] : [key]));
    const required = Object.entries(runtimeShape).flatMap(([key, schema]) =>
      schema.safeParse(undefined).success ? [] : [key],
    );
    assert.deepEqual(without, required);
  });

  it("has the current schema of its stack files; npx tsx components/runtime/generate.ts writes it", () => {
    assert.equal(text(SCHEMA_FILE), schemaText());
  });

  it("has valid examples", () => {
    const requests = parseRequests(text("runtime/examples/dev.yaml"), "dev.yaml");
    assert.equal(requests.length, 3);
    for (const { id, change } of requests) {
      const { deployment } = decodeRuntimeConfig(
        { platform: "organization/stackyard/dev", deployment: change.deployment },
        id,
      );
      assert.equal(deployment.id, id);
    }
  });

  it("has valid example templates", () => {
    for (const names of [
      ["statefulset", "service", "http_ingress", "grpc_ingress"],
      ["alb/http_ingress", "alb/grpc_ingress"],
    ]) {
      const files = names.map((name) => {
        const file = `runtime/examples/templates/${name}.yaml.tmpl`;
        return { key: basename(name), file, text: text(file) };
      });
      assert.deepEqual(checkTemplates(files), []);
    }
  });
});

describe("the chart of runtimes", () => {
  it("has valid built-in templates", () => {
    const files = ["statefulset", "service", "http_ingress", "grpc_ingress"].map((key) => {
      const file = `charts/runtime/files/${key}.yaml`;
      return { key, file, text: text(file) };
    });
    assert.deepEqual(checkTemplates(files), []);
  });

  it("renders each template key from its own file", () => {
    for (const key of Object.keys(KIND_BY_KEY)) {
      assert.match(text(`charts/runtime/templates/${key}.yaml`), new RegExp(`"key" "${key}" "root" \\$`));
    }
  });

  it("sets exactly the variables that the template check knows", () => {
    const variables = text("charts/runtime/templates/_variables.tpl");
    for (const name of [...Object.keys(VARIABLES), ...NAMES, ...CLICKHOUSE])
      assert.match(variables, new RegExp(`"${name}"`), name);
    const words = [...variables.matchAll(/"([A-Z]\w+)"/g)].map(([, word]) => word ?? "");
    assert.deepEqual(
      [...new Set(words)].sort(),
      [...new Set([...Object.keys(VARIABLES), ...NAMES, ...CLICKHOUSE])].sort(),
    );
  });
});
