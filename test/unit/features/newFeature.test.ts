import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { BUCKET_SOURCE, FIXED_TYPE, GUEST_LOGIN, NOTE_SCHEMA } from "../../fixtures/newFeature/files";
import { KEY, type Answer } from "../../fixtures/newFeature/known";

const ROOT = path.join(__dirname, "..", "..", "..");
const FOLDERS = ["components", "foundation", "kubernetes", "bundles", "provider", "engine", "cli", "runtime", "policy"];
/** Prints what the platform knows of the feature. */
const PROGRAM = "test/fixtures/newFeature/known.ts";
const run = promisify(execFile);

/** The files of the example in CONTRIBUTING.md, by path. */
function exampleFiles(): [string, string][] {
  const text = readFileSync(path.join(ROOT, "CONTRIBUTING.md"), "utf8");
  return [...text.matchAll(/`(components\/spark\/\w+\.ts)`[^`]*(?:`[^`]+`[^`]*)*?\n\n```ts\n([^]*?)```/g)].map(
    ([, file = "", code = ""]) => [file, code],
  );
}

/** Adds one line after another one. */
function addLine(file: string, after: string, line: string): void {
  const text = readFileSync(file, "utf8");
  assert.ok(text.includes(after), `${file} has no ${after}`);
  writeFileSync(file, text.replace(after, `${after}\n${line}`));
}

describe("a feature of one folder and one line", function () {
  this.timeout(120_000);
  const copy = mkdtempSync(path.join(tmpdir(), "stackyard-feature-"));
  let answer: Answer;

  before(async () => {
    for (const folder of [
      ...FOLDERS,
      "index.ts",
      "program.js",
      "package.json",
      "tsconfig.json",
      "toolchain",
      "charts",
    ]) {
      cpSync(path.join(ROOT, folder), path.join(copy, folder), { recursive: true });
    }
    symlinkSync(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"));
    mkdirSync(path.join(copy, "components/spark"));
    const files = exampleFiles();
    assert.deepEqual(
      files.map(([file]) => path.basename(file)),
      ["feature.ts", "plan.ts", "spark.ts"],
    );
    for (const [file, code] of files) writeFileSync(path.join(copy, file), code);
    const list = path.join(copy, "components/features.ts");
    addLine(list, 'import { service } from "./service/feature";', 'import { spark } from "./spark/feature";');
    addLine(list, "  service,", "  spark,");
    addLine(
      path.join(copy, "components/charts/table.ts"),
      "export const CHARTS = {",
      '  "spark-operator": { name: "spark-operator", repo: "https://charts.example.com", version: "2.5.0", images: { operator: "ghcr.io/example/spark-operator:2.5.0" } },',
    );
    addLine(
      path.join(copy, "components/spark/feature.ts"),
      "  values: helmValues(),",
      '  apiKey: secret(z.string({ error: "a key" }).min(1)).optional().describe("Key of the operator\'s API."),',
    );
    addLine(
      path.join(copy, "components/spark/feature.ts"),
      'import { helmValues, readySeconds } from "../charts/config/helm";',
      'import * as z from "zod";\nimport { secret } from "../../foundation/schema/secretValues";',
    );
    const plan = path.join(copy, "components/spark/plan.ts");
    addLine(plan, "export interface SparkSettings {", "  readonly apiKey?: string | undefined;");
    const created = path.join(copy, "components/spark/spark.ts");
    writeFileSync(
      created,
      readFileSync(created, "utf8").replace(
        "controller: { replicas }",
        "controller: { replicas, key: settings.apiKey }",
      ),
    );
    const sources = path.join(copy, "foundation/bundleSources.ts");
    const fields = `{ bucket: needed(text("a bucket", "Name of the bucket.")), apiKey: secret("Key.") }`;
    addLine(sources, "export const SOURCES = {", `  bucket: { about: "A bucket.", fields: ${fields} },`);
    writeFileSync(path.join(copy, "bundles/sources/bucket.ts"), BUCKET_SOURCE);
    const kinds = path.join(copy, "bundles/sources/registry.ts");
    addLine(kinds, 'import { configMaps } from "./configMaps";', 'import { bucketSource } from "./bucket";');
    addLine(kinds, "  configMaps,", "  bucket: bucketSource,");
    mkdirSync(path.join(copy, "components/runtime/types/fixed"));
    writeFileSync(path.join(copy, "components/runtime/types/fixed/type.ts"), FIXED_TYPE);
    const types = path.join(copy, "components/runtime/types/registry.ts");
    addLine(types, 'import * as z from "zod";', 'import { fixedType } from "./fixed/type";');
    addLine(types, "const TYPES = [", "  fixedType,");
    writeFileSync(path.join(copy, "components/jupyterhub/logins/guest.ts"), GUEST_LOGIN);
    const logins = path.join(copy, "components/jupyterhub/logins/registry.ts");
    addLine(logins, 'import { dummy } from "./dummy";', 'import { guest } from "./guest";');
    writeFileSync(logins, readFileSync(logins, "utf8").replace("dummy] as const", "dummy, guest] as const"));
    mkdirSync(path.join(copy, "provider/resources/note"));
    writeFileSync(path.join(copy, "provider/resources/note/noteSchema.ts"), NOTE_SCHEMA);
    const resources = path.join(copy, "provider/resources/registry.ts");
    const dataGuard = 'import { schema as dataGuard } from "./dataGuard/dataGuardSchema";';
    addLine(resources, dataGuard, 'import { schema as note } from "./note/noteSchema";');
    const all = "export const RESOURCES: Readonly<Record<string, Entry>> = {";
    addLine(resources, all, '  Note: { schema: note, handler: () => Promise.reject(new Error("not loaded")) },');
    cpSync(path.join(ROOT, PROGRAM), path.join(copy, PROGRAM));
    const tsx = path.join(ROOT, "node_modules/tsx/dist/cli.mjs");
    const { stdout } = await run(process.execPath, [tsx, PROGRAM], { cwd: copy, maxBuffer: 2 ** 26 });
    answer = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Answer;
  });
  after(() => rmSync(copy, { recursive: true, force: true }));

  it("has its config checked and completed, each fault with its path", () => {
    assert.deepEqual(answer.settings, { replicas: 3, timeoutSeconds: 300, values: {}, apiKey: KEY });
    assert.match(answer.faults, /stackyard:spark\.replicas: found 9; expected a whole number from 1 to 5/);
    assert.match(answer.faults, /stackyard:spark\.image: found an unknown key; expected one of replicas/);
  });

  it("is in the reference and in the JSON schema", () => {
    assert.match(answer.reference, /\| `stackyard:spark` +\| object/);
    assert.match(answer.reference, /\n## Spark\n\n[^#]*`replicas`/);
    assert.deepEqual(answer.schema, ["replicas", "timeoutSeconds", "values", "apiKey"]);
  });

  it("has its chart, image, release and role listed", () => {
    assert.deepEqual(answer.wanted, [{ chart: "spark-operator", component: "spark", token: "Spark", optional: false }]);
    assert.deepEqual(answer.images, [
      { component: "spark", role: "operator", image: "ghcr.io/example/spark-operator:2.5.0" },
    ]);
    assert.deepEqual(
      answer.releases.map(({ path: key, name }) => [key, name]),
      [["spark", "spark-operator"]],
    );
    assert.deepEqual(
      answer.roles.map(({ name }) => name),
      ["acme-spark-operator"],
    );
  });

  it("is created with its release and its role", () => {
    const of = (type: RegExp) => answer.made.filter((one) => type.test(one.type)).map(({ name }) => name);
    assert.deepEqual(of(/index:Spark$/), ["spark"]);
    assert.deepEqual(of(/helm.*:Release$/), ["spark-release"]);
    assert.deepEqual(of(/iam\/role:Role$/), ["spark-role-role"]);
    assert.deepEqual(of(/DataGuard$/), ["data-guard"]);
  });

  it("has a secret that its schema marks: encrypted in config, state and preview, and in no message", () => {
    const { keySchema, release, plain, wrong } = answer.secret;
    assert.match(
      plain,
      /stackyard:spark\.apiKey: found a plain text; expected a secret; set it with: pulumi config set/,
    );
    assert.match(wrong, /stackyard:spark\.apiKey: found a list of 1; expected a key/);
    assert.doesNotMatch(plain + wrong, new RegExp(KEY));
    assert.equal(keySchema?.writeOnly, true);
    assert.match(answer.reference, /`apiKey` +\| string, secret/);
    assert.doesNotMatch(release.open, new RegExp(KEY));
    assert.match(release.secret, new RegExp(KEY));
  });

  it("may be a kind of a bundle's source: its schema, its check, and its secret apart from the rest", () => {
    const { sources, credentials, described, faults, refused, reference } = answer.bucket;
    assert.deepEqual([sources, credentials], [[{ type: "bucket", bucket: "b" }], [{ apiKey: KEY }]]);
    assert.equal(described, "bucket b");
    assert.match(faults, /sources\[0\]\.apiKey: found a plain text; expected a secret/);
    assert.match(faults, /sources\[0\]\.bucket: found nothing; expected a bucket/);
    assert.match(refused, /^apiKey: found something else \(it is a secret\); expected a text that is not empty$/);
    assert.match(reference, /\| `apiKey` +\| string, secret or object +\|/);
    assert.doesNotMatch(faults + refused, new RegExp(KEY));
  });

  it("may be a login of JupyterHub: its config, its reference, its hub, and its secret apart from the rest", () => {
    const { login, faults } = answer.guest;
    assert.deepEqual(login, { authenticator: "guest", config: {}, secretConfig: { Guest: { word: KEY } } });
    assert.match(faults, /stackyard:jupyterhub\.auth\.word: found a plain text; expected a secret/);
    assert.doesNotMatch(faults, new RegExp(KEY));
    assert.match(answer.reference, /word` +\| string, secret +\| required +\| The word\./);
  });

  it("may be a resource of the provider: in its package with its secret, and with a class", () => {
    const { described, classText } = answer.note;
    assert.deepEqual(described.inputProperties.text, { type: "string", description: "What it says.", secret: true });
    assert.match(classText, /class Note extends .*Resource/);
  });

  it("affects only the stacks that use it", () => {
    assert.deepEqual(answer.affected, ["with"]);
  });

  it("may be a type of provisioner: its config, its reference, its outputs and its plan", () => {
    const { config, faults, plan } = answer.fixed;
    assert.deepEqual(config, { one: { type: "fixed", settings: { url: "https://a" } } });
    assert.match(faults, /stackyard:provisioners\.one\.spec\.url: found "a"; expected an https URL/);
    assert.match(answer.reference, /\| `spec\.url` .*Address of the runtimes\./);
    assert.equal(plan.name, "https://a");
  });
});
