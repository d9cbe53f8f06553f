import assert from "node:assert/strict";
import * as z from "zod";
import { fieldFaults } from "../../../engine/runtime/request/request";
import { terasliceSchema } from "../../../components/teraslice/config/schema";
import { platformSchema } from "../../../components/platform/config/schema";
import { runtimeShape } from "../../../components/runtime/deployment";
import { source as kymaSource } from "../../../components/runtime/types/gardener/kyma/settings";
import { renderPath, type Path } from "../../../foundation/schema/faults";
import { isSecretAt } from "../../../foundation/schema/secretValues";
import { goodWith, linesOf } from "./fixtures";
import { RESOURCES } from "../../../provider/resources/registry";

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** Paths of all fields of a schema, with one entry of each list and map. */
function* pathsOf(schema: Schema, at: Path = []): Generator<Path> {
  yield at;
  const { properties = {}, additionalProperties, items, anyOf = [], oneOf = [], allOf = [] } = schema;
  for (const [name, field] of Object.entries(properties)) yield* pathsOf(field, [...at, name]);
  if (typeof additionalProperties === "object") yield* pathsOf(additionalProperties, [...at, "entry"]);
  if (items) yield* pathsOf(items, [...at, 0]);
  for (const each of [...anyOf, ...oneOf, ...allOf]) yield* pathsOf(each, at);
}

const fieldsOf = (schema: z.ZodType): Path[] => [
  ...pathsOf(z.toJSONSchema(schema, { io: "input", unrepresentable: "any", reused: "inline" }) as Schema),
];

/** Fields that hold a secret in one of the schemas, by their names. */
const NAMES = [
  ...["accessKeyId", "clientSecret", "databaseUrl", "dockerConfig", "encryptionKeys", "kubeconfig", "passphrase"],
  ...["password", "privateKey", "secretAccessKey", "ssl_key_password", "stateBackend", "token", "webhookSecret"],
];

/** Whether the name or place of a field says that it is secret. The path of a kubeconfig is not. */
function isNamedSecret(path: Path): boolean {
  if (path[0] === "clickhouse" && path.at(-1) === "url") return true;
  if (path[0] === "ledger" || NAMES.includes(String(path.at(-1)))) return true;
  const kubeconfig = path.lastIndexOf("kubeconfig");
  return kubeconfig >= 0 && !["path", "inCluster"].includes(String(path[kubeconfig + 1]));
}

describe("secret fields", () => {
  const schemas: Record<string, z.ZodType> = {
    platform: platformSchema,
    runtime: z.object(runtimeShape),
    Teraslice: terasliceSchema,
    "bundle of Kyma": kymaSource,
  };
  for (const [name, schema] of Object.entries(schemas)) {
    it(`are marked in the schema of the ${name}`, () => {
      const paths = fieldsOf(schema);
      const shown = paths.filter((path) => isNamedSecret(path) && !isSecretAt(schema, path));
      assert.deepEqual([...new Set(shown.map(renderPath))], []);
    });
  }

  it("must be encrypted in the stack file, also deep in a provisioner", () => {
    const auth = { password: "hush", username: "reader" };
    const module = { namespace: "a", sources: [{ type: "http", url: "https://x/a.tgz", auth }] };
    const spec = {
      ...{ project: "acme", kubeconfig: { inCluster: true }, secretBindings: { gcp: "gcp" } },
      kyma: { versions: { "2.20.0": { modules: { one: module } } } },
      director: { url: "https://d", tokenUrl: "https://t", clientId: "id", clientSecret: "hush" },
    };
    const lines = linesOf(
      goodWith({ provisioners: { eu: { type: "gardener", spec } }, defaultProvisioner: "eu", environments: {} }),
    );
    const plain = (path: string): string =>
      `${path}: found a plain text; expected a secret; set it with: pulumi config set --secret --path '${path}'`;
    const source = 'provisioners.eu.spec.kyma.versions["2.20.0"].modules.one.sources[0]';
    assert.deepEqual(lines.toSorted(), [
      plain("provisioners.eu.spec.director.clientSecret"),
      plain(`${source}.auth.password`),
    ]);
  });

  it("of a deployment are in no message", () => {
    const kyma = { version: "2.20.0", configuration: [{ key: "a", value: 1234, secret: true }] };
    assert.match(JSON.stringify(fieldFaults({ kyma })), /value.*found a number; expected a text/);
  });

  it("are marked in the schemas of resources", () => {
    for (const [name, { schema }] of Object.entries(RESOURCES)) {
      const { inputs, outputs = {}, types = {} } = schema;
      const all = [inputs, outputs, ...Object.values(types).map(({ properties }) => properties)];
      for (const fields of all) {
        for (const [field, { secret }] of Object.entries(fields)) {
          if (NAMES.includes(field)) assert.equal(secret, true, `${name}: ${field}`);
        }
      }
    }
  });
});
