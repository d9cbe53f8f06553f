import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { ImportError, importProvisionerSet, type ImportNote } from "../../../cli/provisioners/import/importer";
import { legalName } from "../../../cli/provisioners/import/names";
import { decodeConfig } from "../../../components/platform/config/decodeConfig";
import { FILES } from "../config/fixtures";

const ORIGINAL = readFileSync(join(__dirname, "../../fixtures/importer/original-set.jsonc"), "utf8");

const kubernetes = {
  host: "http://*.x.localhost",
  image: "a/b",
  namespace: "n",
  kubeconfig_path: "k",
  timeout_seconds: 5,
};
const setOf = (entries: Record<string, unknown>): string => JSON.stringify(entries, null, 2);
const staticOf = (...runtimes: unknown[]) => ({ type: "static", spec: { runtimes } });
const one = { host: "http://a:1", slots: 6 };

const notesOf = (text: string, defaultProvisioner = "a"): string[] =>
  lines(importProvisionerSet(text, { defaultProvisioner }).notes);
const lines = (notes: readonly ImportNote[]) =>
  notes.map(({ line, column, message }) => `${line}:${column} ${message}`);
const provisionersOf = (text: string, defaultProvisioner = "a"): Record<string, unknown> =>
  importProvisionerSet(text, { defaultProvisioner }).config["stackyard:provisioners"] as Record<string, unknown>;

function faultsOf(text: string, defaultProvisioner = "a"): string[] {
  try {
    importProvisionerSet(text, { defaultProvisioner });
    return [];
  } catch (error) {
    if (error instanceof ImportError) return lines(error.faults);
    throw error;
  }
}

describe("the import of a provisioner set", () => {
  it("rejects a text that is nested too deeply", () => {
    assert.throws(() => importProvisionerSet("[".repeat(20_000)), /1:1: no JSON: it is nested too deeply/);
  });

  it("converts the example from the original's documentation, which has comments", () => {
    const result = importProvisionerSet(ORIGINAL, { defaultProvisioner: "static-example" });
    assert.deepEqual(result.config, {
      "stackyard:provisioners": {
        "static-example": {
          type: "static",
          spec: {
            runtimes: [
              { host: "http://localhost:9091", slots: 50, dataDir: "/mnt/data", audienceUrl: "http://localhost:8081" },
            ],
          },
        },
        "kubernetes-example": {
          type: "kubernetes",
          spec: {
            timeoutSeconds: 30,
            dataDir: "/mnt/data",
            host: "http://node-*.localhost",
            namespace: "cloud-runtime",
            image: "rilldata/rill",
            kubeconfig: { path: "kubeconfig.yaml" },
            templates: {
              httpIngress: "templates/http_ingress.yaml",
              grpcIngress: "templates/grpc_ingress.yaml",
              service: "templates/service.yaml",
              statefulset: "templates/statefulset.yaml",
            },
          },
        },
      },
      "stackyard:defaultProvisioner": "static-example",
    });
    assert.deepEqual(lines(result.notes), [
      "31:13 template paths are relative to the folder of Pulumi.yaml; put the files there or change the paths",
    ]);
  });

  it("converts the newer templates", () => {
    const template_paths = { deployment: "d.yaml", pvc: "p.yaml", service: "s.yaml" };
    const set = provisionersOf(setOf({ a: { type: "kubernetes", spec: { ...kubernetes, template_paths } } }));
    assert.deepEqual((set["a"] as { spec: { templates: unknown } }).spec.templates, {
      deployment: "d.yaml",
      pvc: "p.yaml",
      service: "s.yaml",
    });
  });

  it("produces config that the decoder of the stack accepts", () => {
    const { config } = importProvisionerSet(
      setOf({
        a: staticOf(one),
        b: { type: "kubernetes", spec: { ...kubernetes, kubeconfig_path: "yard/kubeconfig" } },
      }),
      { defaultProvisioner: "a" },
    );
    const values = Object.fromEntries(
      Object.entries(config).map(([key, value]) => [key.replace("stackyard:", ""), value]),
    );
    assert.equal(decodeConfig({ values }, FILES).provisioners["a"]?.hosts?.[0]?.host, "http://a:1");
  });

  describe("the notes of an import", () => {
    it("name unknown keys with the closest match, and explain removed keys", () => {
      assert.deepEqual(notesOf(setOf({ a: staticOf({ ...one, datadir: "/x", region: "eu", colour: "red" }) })), [
        "9:11 key datadir is skipped: it is unknown, in the original too; did you mean data_dir",
        "10:11 key region is skipped: pools have no regions; create one provisioner for each region",
        "11:11 key colour is skipped: it is unknown, in the original too",
      ]);
    });

    it("explain the conversion of ClickHouse provisioners without their secrets", () => {
      const spec = {
        dsn: "clickhouse://u:hunter2@h:9440?secure=true",
        write_dsn: "https://u:hunter2@w",
        cluster: "main",
        dsn_env: "DSN",
      };
      const text = setOf({ a: staticOf(one), c: { type: "clickhouse-static", spec } });
      const { config } = importProvisionerSet(text, { defaultProvisioner: "a" });
      assert.deepEqual(config["stackyard:clickhouse"], {
        c: {
          type: "static",
          spec: {
            url: "https://w:8443",
            runtimeUrl: "https://h:8443",
            runtimeWriterUrl: "https://w:8443",
            cluster: "main",
          },
        },
      });
      const [moved, env] = notesOf(text);
      assert.match(
        moved ?? "",
        /^13:3 provisioner c is in stackyard:clickhouse now, .* --path 'clickhouse\.c\.spec\.url'/,
      );
      assert.match(env ?? "", /dsn_env is skipped: no config is read from environment variables$/);
      assert.doesNotMatch(JSON.stringify([config, notesOf(text)]), /hunter2/);

      const none = setOf({ a: staticOf(one), c: { type: "clickhouse-static", spec: {} } });
      assert.equal(importProvisionerSet(none).config["stackyard:clickhouse"], undefined);
      assert.match(notesOf(none).join(), /provisioner c is skipped: its ClickHouse server is not given/);
    });

    it("report a missing default provisioner, or the only provisioner as the default", () => {
      assert.deepEqual(notesOf(setOf({ a: staticOf(one) }), ""), [
        "1:1 no default provisioner was given; a, the only one, is it",
      ]);
      const two = importProvisionerSet(setOf({ a: staticOf(one), b: staticOf({ host: "http://b:1", slots: 1 }) }));
      assert.equal(two.config["stackyard:defaultProvisioner"], undefined);
      assert.match(two.notes[0]?.message ?? "", /set stackyard:defaultProvisioner$/);
    });

    it("report the new name of an invalid provisioner name, which the default uses too", () => {
      const result = importProvisionerSet(
        setOf({ A_1: staticOf(one), "a-1": staticOf({ host: "http://b:1", slots: 1 }) }),
        { defaultProvisioner: "A_1" },
      );
      const names = Object.keys(result.config["stackyard:provisioners"] as object);
      assert.equal(names[1], "a-1");
      assert.match(names[0] ?? "", /^a-1-[0-9a-f]{8}$/);
      assert.equal(result.config["stackyard:defaultProvisioner"], names[0]);
      assert.match(result.notes[0]?.message ?? "", /^provisioner "A_1" is renamed to a-1-\w+:/);
    });

    it("report in-cluster access, a timeout of zero and hosts without slots", () => {
      const spec = { ...kubernetes, kubeconfig_path: "", timeout_seconds: 0 };
      const text = setOf({ a: staticOf(one, { host: "http://b:1", slots: 0 }), b: { type: "kubernetes", spec } });
      assert.deepEqual(
        notesOf(text).map((note) => note.replace(/^\S+ /, "").slice(0, 40)),
        [
          'host "http://b:1" is skipped: without sl',
          "without kubeconfig_path it is the cluste",
          "timeout_seconds 0 gave up at once; it is",
        ],
      );
      const { spec: imported } = provisionersOf(text)["b"] as { spec: Record<string, unknown> };
      assert.deepEqual(imported["kubeconfig"], { inCluster: true });
      assert.equal(imported["timeoutSeconds"], undefined);
    });

    it("report a normalized host, whose audience URL stays unchanged", () => {
      const text = setOf({ a: staticOf({ host: "http://A:1/", slots: 6 }) });
      assert.deepEqual(
        provisionersOf(text)["a"],
        staticOf({ host: "http://a:1", slots: 6, audienceUrl: "http://A:1/" }),
      );
      assert.match(notesOf(text)[0] ?? "", /^7:19 host http:\/\/A:1\/ is written as http:\/\/a:1:/);
    });

    it("report a duplicate key, whose last value is used", () => {
      const text = `{"a": {"type": "static", "spec": {"runtimes": [{"host": "http://a:1", "slots": 1, "slots": 2}]}}}`;
      assert.deepEqual(notesOf(text), ["1:71 key slots is duplicate; the last one counts"]);
      assert.deepEqual(provisionersOf(text)["a"], staticOf({ host: "http://a:1", slots: 2 }));
    });
  });

  describe("the faults of an import", () => {
    it("are reported all at once with line and column", () => {
      const text = setOf({
        a: staticOf({ host: "a:1", slots: 1.5 }),
        b: { type: "kubernets", spec: {} },
        c: { type: "kubernetes", spec: { ...kubernetes, host: "http://c.localhost", image: "a/b:1" } },
      });
      assert.deepEqual(faultsOf(text, "d"), [
        '1:1 found default provisioner "d", which is not in the set; expected one of a, c',
        '7:19 a.spec.runtimes[0].host: found "a:1"; expected a URL of scheme, host and port only, such as http://runtime-1.example.com:9091',
        "8:20 a.spec.runtimes[0].slots: found 1.5; expected a whole number from 1",
        '14:13 found type "kubernets"; expected one of static, kubernetes, clickhouse-static; did you mean kubernetes',
        '20:15 c.spec.host: found "http://c.localhost"; expected a URL with a * in its host name, such as https://*.example.com, without port and path; did you mean http://*.c.localhost',
        '21:16 c.spec.image: found "a/b:1"; expected an image without tag, such as example/runtime; the version comes from the deployment, so write a/b',
      ]);
    });

    it("locate invalid JSON, and name a value that is not an object", () => {
      assert.match(faultsOf('{\n  "a": {,}\n}')[0] ?? "", /^2:9 no JSON: /);
      assert.deepEqual(faultsOf("[]"), ["1:1 found a JSON array; expected an object of provisioners by name"]);
      assert.match(faultsOf("").join(), /^1:1 /);
      assert.deepEqual(faultsOf("{}", ""), [
        "1:1 found no provisioner that can be carried over; expected at least one",
      ]);
    });

    it("include conflicts between provisioners", () => {
      const text = setOf({ a: staticOf(one), b: staticOf({ ...one, slots: 7 }) });
      assert.deepEqual(faultsOf(text), [
        "19:20 b.spec.runtimes[0].slots: found 7; expected 6, as for the same host in provisioner a",
      ]);
    });

    it("include a default provisioner that was skipped", () => {
      const text = setOf({ a: staticOf(one), c: { type: "clickhouse-static", spec: {} } });
      assert.match(faultsOf(text, "c").join(), /"c", which was skipped; expected one of a$/);
    });
  });

  it("returns a result or throws an ImportError for any text", () => {
    const word = fc.constantFrom(
      "type",
      "spec",
      "static",
      "kubernetes",
      "runtimes",
      "host",
      "slots",
      "Slots",
      "template_paths",
      "__proto__",
      "http://a:1",
      "region",
    );
    const value = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.oneof(word, fc.string(), fc.integer(), fc.constant(null)),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.oneof(word, fc.string()), tie("value"), { maxKeys: 5, noNullPrototype: false }),
      ),
    })).value;
    const good = fc.constantFrom(
      staticOf(one),
      { type: "kubernetes", spec: kubernetes },
      { type: "clickhouse-static" },
    );
    const entry = fc.oneof(
      good,
      value,
      fc.record({
        type: fc.constantFrom("static", "kubernetes"),
        spec: fc.oneof(
          value,
          fc.record({
            runtimes: fc.array(
              fc.oneof(
                value,
                fc.record({
                  host: fc.oneof(fc.constantFrom("http://a:1", "http://b:1/", "HTTP://C"), word),
                  slots: fc.integer({ min: 0, max: 4 }),
                }),
              ),
            ),
          }),
        ),
      }),
    );
    const texts = fc.oneof(
      fc.string(),
      fc
        .dictionary(fc.string(), entry, { maxKeys: 3, noNullPrototype: false })
        .map((set) => JSON.stringify(set, null, 1)),
    );
    let imported = 0;
    fc.assert(
      fc.property(texts, (text) => {
        if (faultsOf(text, "").length === 0) imported += 1;
      }),
      { numRuns: 2000 },
    );
    assert.ok(imported > 10, `only ${imported} imported`);
  });

  it("makes a valid, unused name from any text", () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.stringMatching(/^[a-z-]{1,5}$/)), (name, others) => {
        const taken = new Set([...others, legalName(name, new Set())]);
        const made = legalName(name, taken);
        assert.match(made, /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/);
        assert.ok(!taken.has(made));
      }),
    );
  });
});
