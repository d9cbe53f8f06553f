import { platformShape } from "../../../components/platform/config/schema";
import assert from "node:assert/strict";
import {
  accessOf,
  decode,
  filesOf,
  FILES,
  GOOD,
  goodWith,
  KUBECONFIG,
  kubernetesWith,
  LEDGER,
  linesOf,
  poolOf,
  kubernetesIn,
  WORKLOAD,
} from "./fixtures";

const spec = "provisioners.dedicated.spec";
const runtimes = "provisioners.shared.spec.runtimes";

const KEYS = Object.keys(platformShape).join(", ");

describe("decodeConfig", () => {
  it("rejects the name __proto__, which a schema does not see, wherever it is", () => {
    const named = (value: object): object => JSON.parse(`{ "__proto__": ${JSON.stringify(value)} }`) as object;
    const provisioners = named({ type: "kubernetes", spec: {} });
    assert.deepEqual(
      linesOf(goodWith({ provisioners, environments: named({ provisioner: "a" }) })).filter((line) =>
        line.includes("reserved"),
      ),
      ["provisioners", "environments"].map((key) => `${key}.__proto__: found a reserved name; expected another name`),
    );
    const deep = linesOf(goodWith({ bundles: { shop: { versions: { "1.0.0": { sources: [named({})] } } } } }));
    assert.match(deep.join("\n"), /sources\[0\]\.__proto__: found a reserved name; expected another name$/m);
  });

  it("fills in every default", () => {
    const config = decode(GOOD);
    assert.deepEqual(config.provisioners, {
      shared: {
        type: "static",
        hosts: [
          {
            host: "http://localhost:9091",
            slots: 50,
            dataDir: "/mnt/data",
            audienceUrl: "http://localhost:9091",
            weight: 1,
            drain: false,
          },
        ],
        settings: {},
      },
      dedicated: {
        type: "kubernetes",
        createNamespace: false,
        namespace: {},
        settings: {
          namespace: "runtimes",
          host: "https://*.example.com",
          image: "example/runtime",
          timeoutSeconds: 300,
          dataDir: "/mnt/data",
          ping: "/v1/ping",
          templates: [],
        },
      },
    });
    assert.deepEqual(config.slot, { cpu: 1, memoryGb: 4, diskGb: 40 });
    assert.deepEqual(config.environments, { dev: "dedicated" });
    assert.equal(config.defaultProvisioner, "shared");
    assert.equal(accessOf(config).server, "https://10.0.0.1:6443");
  });

  it("treats an empty value, as Pulumi.yaml has it for optional keys, as none", () => {
    const config = decode(goodWith({ environments: {}, slot: {}, ledger: "" }));
    assert.deepEqual(config.environments, {});
    assert.deepEqual(config.slot, { cpu: 1, memoryGb: 4, diskGb: 40 });
    assert.equal(config.ledgerUrl, LEDGER);
  });

  it("keeps all settings of a host", () => {
    const host = {
      host: "https://a.example.com",
      slots: 1,
      dataDir: "/d",
      audienceUrl: "https://b.example.com/x",
      weight: 0.5,
      drain: true,
    };
    assert.deepEqual(decode(poolOf(host)).provisioners["shared"]?.hosts, [host]);
  });

  it("reports every fault at once, each with its path", () => {
    const lines = linesOf({
      provisoners: {},
      clutser: { type: "existing" },
      cluster: { type: "gke" },
      provisioners: {
        Not_legal: { type: "static", spec: { runtimes: [{ host: "http://localhost:1", slots: 1 }] } },
        eu: { type: "kuberntes", spec: {} },
        us: {
          type: "kubernetes",
          spec: { namespace: "x", host: 5, image: "a/b", time_out_seconds: 3, templates: { statefulset: "gone.yaml" } },
        },
        ap: { type: "static", spec: { runtimes: [{ host: "ftp://x", slots: 0 }] } },
      },
      defaultProvisioner: "ue",
      environments: { dev: { provisioner: "pa" } },
      slot: { cpu: 0 },
      ledger: "mysql://x",
    });
    assert.deepEqual(lines, [
      `provisoners: found an unknown key; expected one of ${KEYS}; did you mean provisioners`,
      `clutser: found an unknown key; expected one of ${KEYS}; did you mean cluster`,
      'cluster.type: found "gke"; expected existing, eks or pulumiEks',
      'provisioners.Not_legal: found the name "Not_legal"; expected a legal name: a-z, 0-9 and inner -, 40 characters at most',
      'provisioners.eu.type: found "kuberntes"; expected static or kubernetes or gardener; did you mean kubernetes',
      "provisioners.us.spec.host: found 5; expected a URL with a * in its host name, such as https://*.example.com, without port and path",
      "provisioners.us.spec.time_out_seconds: found an unknown key; expected one of kubeconfig, cluster, context, namespace, createNamespace, host, image, timeoutSeconds, dataDir, audienceUrl, templates, ping, podSecurity, quota, limits, networkPolicy, claimsWhenDeleted; did you mean timeoutSeconds",
      'provisioners.us.spec.templates.statefulset: found "gone.yaml", no such file; expected a template file',
      'provisioners.ap.spec.runtimes[0].host: found "ftp://x"; expected a URL of scheme, host and port only, such as http://runtime-1.example.com:9091',
      "provisioners.ap.spec.runtimes[0].slots: found 0; expected a whole number from 1",
      'defaultProvisioner: found "ue"; expected one of Not_legal, eu, us, ap; did you mean eu',
      'environments.dev.provisioner: found "pa"; expected one of Not_legal, eu, us, ap; did you mean ap',
      "slot.cpu: found 0; expected a number of CPUs above 0",
      "ledger: found a text; expected a PostgreSQL URL such as postgres://user:password@host:5432/database",
    ]);
  });

  it("reports the faults of every provisioner", () => {
    const lines = linesOf(
      goodWith({
        provisioners: {
          shared: { type: "static", spec: { runtimes: [] } },
          one: {
            type: "kubernetes",
            spec: { ...GOOD.provisioners.dedicated.spec, templates: { statefulset: "gone.yaml" } },
          },
        },
        environments: {},
      }),
    );
    assert.deepEqual(lines, [
      "provisioners.shared.spec.runtimes: found an empty list; expected at least one runtime",
      'provisioners.one.spec.templates.statefulset: found "gone.yaml", no such file; expected a template file',
    ]);
  });

  it("checks the files of a provisioner even if its other fields are invalid", () => {
    const lines = linesOf(
      kubernetesWith({
        host: 5,
        image: undefined,
        colour: "red",
        templates: { statefulset: "gone.yaml" },
        kubeconfig: { path: "gone" },
      }),
    );
    assert.deepEqual(
      lines.map((line) => line.replace(`${spec}.`, "").replace(/ found.*/, "")),
      ["host:", "image:", "colour:", "templates.statefulset:", "kubeconfig.path:"],
    );
  });

  it("rejects an unknown key with an empty value", () => {
    assert.match(
      linesOf(goodWith({ provisoners: {} })).join(),
      /^provisoners: found an unknown key; .*did you mean provisioners$/,
    );
  });

  it("reports missing required keys", () => {
    assert.deepEqual(linesOf({}), [
      "provisioners: found nothing; expected an object of provisioners by name",
      "defaultProvisioner: found nothing; expected the name of a provisioner",
    ]);
    assert.deepEqual(
      linesOf(goodWith({ provisioners: { x: { type: "kubernetes" } }, defaultProvisioner: "x", environments: {} })),
      ["provisioners.x.spec: found nothing; expected an object with namespace, host and image"],
    );
  });

  it("needs no provisioner if there is a cluster", () => {
    const { cluster } = GOOD;
    const { provisioners, defaultProvisioner } = decode({ cluster, ray: { one: { mode: "static" } } });
    assert.deepEqual([provisioners, defaultProvisioner], [{}, ""]);
    assert.deepEqual(linesOf({ cluster, provisioners: goodWith({})["provisioners"] }), [
      "defaultProvisioner: found nothing; expected the name of a provisioner",
    ]);
    assert.deepEqual(linesOf({ cluster, defaultProvisioner: "x" }), [
      "provisioners: found nothing; expected an object of provisioners by name",
    ]);
  });

  it("rejects null, text and lists in place of an object", () => {
    for (const value of [null, "text", ["a"], 5]) {
      const [line] = linesOf(goodWith({ provisioners: value, environments: {} }));
      assert.match(line ?? "", /^provisioners: found .*; expected an object of provisioners by name/);
    }
  });

  describe("hosts of a pool", () => {
    const cases: [string, string | undefined][] = [
      ["http://localhost:9091", undefined],
      ["https://runtime-1.example.com", undefined],
      ["http://10.0.0.1:80800", ""],
      ["http://[::1]:9091", undefined],
      ["http://localhost:9091/", "http://localhost:9091"],
      ["http://localhost:9091/path?x", "http://localhost:9091"],
      ["HTTP://LocalHost:9091", "http://localhost:9091"],
      ["https://example.com:443", "https://example.com"],
      ["http://user:pass@example.com", "http://example.com"],
      ["localhost:9091", ""],
      ["http://under_score.example.com", ""],
      ["http://local host", ""],
      ["http://*.example.com", ""],
    ];
    for (const [host, hint] of cases) {
      it(`${hint === undefined ? "accepts" : "refuses"} ${host}${hint ? ` and proposes ${hint}` : ""}`, () => {
        const lines = linesOf(poolOf({ host, slots: 1 }));
        if (hint === undefined) assert.deepEqual(lines, []);
        else
          assert.match(
            lines.join("\n"),
            new RegExp(`host: found .*only, such as \\S+${hint === "" ? "" : `; did you mean ${hint}`}$`),
          );
      });
    }

    it("rejects a duplicate host in one pool", () => {
      const host = { host: "http://a:1", slots: 1 };
      assert.deepEqual(linesOf(poolOf(host, { host: "http://b:1", slots: 1 }, host)), [
        `${runtimes}[2].host: found "http://a:1"; expected a host that this pool does not have yet`,
      ]);
    });

    it("accepts a host in two pools only with the same slots", () => {
      const pools = (slots: number) =>
        goodWith({
          provisioners: {
            one: { type: "static", spec: { runtimes: [{ host: "http://a:1", slots: 6 }] } },
            two: { type: "static", spec: { runtimes: [{ host: "http://a:1", slots }] } },
          },
          defaultProvisioner: "one",
          environments: {},
        });
      assert.deepEqual(linesOf(pools(6)), []);
      assert.deepEqual(linesOf(pools(7)), [
        "provisioners.two.spec.runtimes[0].slots: found 7; expected 6, as for the same host in provisioner one",
      ]);
    });

    for (const slots of [0, -1, 1.5, "5", null, undefined]) {
      it(`rejects ${JSON.stringify(slots) ?? "no"} slots`, () => {
        assert.match(
          linesOf(poolOf({ host: "http://a:1", slots })).join(),
          /slots: found .*; expected a whole number from 1$/,
        );
      });
    }

    for (const slots of [1e9, 99_999_999_999, 1e30]) {
      it(`rejects ${slots} slots, and names the upper bound`, () => {
        assert.match(
          linesOf(poolOf({ host: "http://a:1", slots })).join(),
          /slots: found [^;,]*; expected at most 1000000$/,
        );
      });
    }
  });

  it("explains why the host of a Kubernetes provisioner has no port", () => {
    const [line = ""] = linesOf(kubernetesWith({ host: "https://*.example.com:8443" }));
    assert.match(line, /an Ingress has no port, .* the ping asks too: did you mean https:\/\/\*\.example\.com$/);
  });

  it("rejects a weight that is too small", () => {
    assert.match(
      linesOf(poolOf({ host: "http://a:1", slots: 1, weight: 1e-300 })).join(),
      /1e-300; expected at least 0.001$/,
    );
    assert.deepEqual(linesOf(poolOf({ host: "http://a:1", slots: 1, weight: 0.001 })), []);
  });

  describe("host of a Kubernetes provisioner", () => {
    const cases: [string, string | undefined][] = [
      ["http://node-*.localhost", undefined],
      ["https://*.*.example.com", undefined],
      ["https://example.com", "https://*.example.com"],
      ["https://*.example.com/path", "https://*.example.com"],
      ["https://example.com/*", ""],
      ["*.example.com", ""],
      ["https://*.Example.com", ""],
      ["https://*", ""],
      ["https://a.x-*", ""],
      ["https://*.5", ""],
      ["https://*_x.example.com", ""],
      [`https://${"a".repeat(23)}*.example.com`, undefined],
      [`https://${"a".repeat(24)}*.example.com`, ""],
    ];
    for (const [host, hint] of cases) {
      it(`${hint === undefined ? "accepts" : "refuses"} ${host}${hint ? ` and proposes ${hint}` : ""}`, () => {
        const lines = linesOf(kubernetesWith({ host }));
        if (hint === undefined) assert.deepEqual(lines, []);
        else
          assert.ok(
            lines.length === 1 && lines[0]?.endsWith(hint === "" ? "without port and path" : `; did you mean ${hint}`),
            lines.join(),
          );
      });
    }
  });

  describe("the image of a provisioner", () => {
    for (const image of ["rilldata/rill", "example", "registry.example.com:5000/team/run_time", "a.b/c__d/e-f"]) {
      it(`accepts ${image}`, () => assert.deepEqual(linesOf(kubernetesWith({ image })), []));
    }
    const refused: [string, string | undefined][] = [
      ["rilldata/rill:1.0", "rilldata/rill"],
      ["rilldata/rill@sha256:abc", "rilldata/rill"],
      ["host:5000/a:1@sha256:abc", "host:5000/a"],
      ["Example/Runtime", undefined],
      ["a//b", undefined],
      ["", undefined],
    ];
    for (const [image, bare] of refused) {
      it(`rejects ${JSON.stringify(image)}`, () => {
        const hint = bare === undefined ? "" : `; the version comes from the deployment, so write ${bare}`;
        const found = image === "" ? '""' : JSON.stringify(image);
        assert.deepEqual(linesOf(kubernetesWith({ image })), [
          `${spec}.image: found ${found}; expected an image without tag, such as example/runtime${hint}`,
        ]);
      });
    }
  });

  it("checks namespace, time limit, ping, directories and audience", () => {
    const bad = {
      namespace: "Runtimes",
      timeoutSeconds: 0,
      ping: "v1/ping",
      dataDir: "data",
      audienceUrl: "example.com",
      createNamespace: "yes",
      claimsWhenDeleted: "delete",
    };
    const lines = linesOf(kubernetesWith(bad));
    assert.deepEqual(
      lines.map((line) => line.replace(`${spec}.`, "").replace(/;.*/, "")),
      [
        'namespace: found "Runtimes"',
        "timeoutSeconds: found 0",
        'ping: found "v1/ping"',
        'dataDir: found "data"',
        'audienceUrl: found "example.com"',
        'createNamespace: found "yes"',
        'claimsWhenDeleted: found "delete"',
      ],
    );
    assert.match(lines.at(-1) ?? "", /did you mean Delete$/);
    assert.deepEqual(linesOf(kubernetesWith({ ping: "off", audienceUrl: "https://*.example.com/audience" })), []);
  });

  describe("the templates of a provisioner", () => {
    it("are read in the order in which they are applied", () => {
      const files = filesOf({
        "s.yaml": "apiVersion: v1\nkind: Service\n",
        "w.yaml": WORKLOAD,
        "yard/kubeconfig": KUBECONFIG.replace(/certificate-authority: \S+|client-\w+: [^,}]+,?/g, ""),
        ".yard/ledger-url": LEDGER,
      });
      const config = decode(kubernetesWith({ templates: { service: "s.yaml", statefulset: "w.yaml" } }), {}, files);
      assert.deepEqual(kubernetesIn(config, "dedicated").settings.templates, [
        { key: "statefulset", file: "w.yaml", text: WORKLOAD },
        { key: "service", file: "s.yaml", text: "apiVersion: v1\nkind: Service\n" },
      ]);
    });

    it("must contain exactly one workload", () => {
      const both = { statefulset: "templates/statefulset.yaml", deployment: "templates/statefulset.yaml" };
      assert.match(
        linesOf(kubernetesWith({ templates: both })).join(),
        /templates\.deployment: .*; expected either statefulset or deployment, not both/,
      );
      assert.match(
        linesOf(kubernetesWith({ templates: {} })).join(),
        /expected a statefulset or a deployment among the templates; omit templates/,
      );
    });

    it("may share definitions in helper files", () => {
      const content: Record<string, string> = {
        "w.yaml": `${WORKLOAD}  # {{ template "labels" . }}\n`,
        "files/_labels.tpl": '{{ define "labels" }}{{ end }}',
      };
      const files = {
        ...FILES,
        read: (path: string) => (content[path] ? Buffer.from(content[path]) : FILES.read(path)),
      };
      const templates = { statefulset: "w.yaml", helpers: ["files/_labels.tpl"] };
      const { settings } = kubernetesIn(decode(kubernetesWith({ templates }), {}, files), "dedicated");
      assert.deepEqual(settings.helpers, [{ file: "files/_labels.tpl", text: content["files/_labels.tpl"] }]);

      const path = "provisioners.dedicated.spec.templates";
      const lines = (more: object) => linesOf(kubernetesWith({ templates: { ...templates, ...more } }), {}, files);
      assert.match(lines({ helpers: [] }).join("\n"), /statefulset: w\.yaml:5: found a call of "labels"[^\n]*$/);
      // What a file that is missing defines is not known.
      assert.deepEqual(lines({ helpers: ["gone.tpl"] }), [
        `${path}.helpers[0]: found "gone.tpl", no such file; expected a template file`,
      ]);
      content["files/_labels.tpl"] = '\n{{ define "labels" }}';
      assert.match(lines({}).join("\n"), /\.helpers\[0\]: files\/_labels\.tpl:2: \{\{ define }} has no/);
    });

    it("are rejected if they are binary, also as helpers", () => {
      const contents = {
        "a program": Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]),
        "an archive": Buffer.from([0x1f, 0x8b, 8, 0, 0xff]),
        "text in UTF-16": Buffer.from(`\ufeff${WORKLOAD}`, "utf16le"),
        "text in Latin-1": Buffer.from("# f\u00fcr alle\n", "latin1"),
      };
      const path = "provisioners.dedicated.spec.templates";
      for (const [what, bytes] of Object.entries(contents)) {
        const files = { ...FILES, read: (name: string) => (name === "w.yaml" ? bytes : FILES.read(name)) };
        const said = 'found "w.yaml", a binary file; expected a template, which is text in UTF-8';
        const lines = (templates: object): string[] => linesOf(kubernetesWith({ templates }), {}, files);
        assert.deepEqual(lines({ statefulset: "w.yaml" }), [`${path}.statefulset: ${said}`], what);
        assert.deepEqual(lines({ helpers: ["w.yaml"] }).slice(-1), [`${path}.helpers[0]: ${said}`], what);
      }
    });

    it("are rejected with file and line if they use an unknown variable", () => {
      const files = {
        ...FILES,
        read: (path: string) => (path === "w.yaml" ? Buffer.from(`${WORKLOAD}  x: {{ .Hots }}\n`) : FILES.read(path)),
      };
      const lines = linesOf(kubernetesWith({ templates: { statefulset: "w.yaml" } }), {}, files);
      assert.equal(lines.length, 1);
      assert.match(
        lines[0] ?? "",
        /^provisioners\.dedicated\.spec\.templates\.statefulset: w\.yaml:5: .*Hots.*did you mean \.?Host/,
      );
    });
  });

  describe("the ledger", () => {
    it("is that of the local yard by default, if a provisioner is static", () => {
      assert.equal(decode(GOOD).ledgerUrl, LEDGER);
    });

    it("is not required without a static provisioner", () => {
      const provisioners = { dedicated: GOOD.provisioners.dedicated };
      const files = {
        ...FILES,
        read: (path: string) => (path === ".yard/ledger-url" ? filesOf({}).read(path) : FILES.read(path)),
      };
      assert.equal(decode(goodWith({ provisioners, defaultProvisioner: "dedicated" }), {}, files).ledgerUrl, undefined);
    });

    it("is required if a provisioner is static and there is no yard", () => {
      const files = {
        ...FILES,
        read: (path: string) => (path === ".yard/ledger-url" ? filesOf({}).read(path) : FILES.read(path)),
      };
      assert.deepEqual(linesOf(GOOD, {}, files), [
        "ledger: found nothing, and no file .yard/ledger-url; expected a PostgreSQL URL, because of the static provisioner shared; start the local yard (make up) or set it with: pulumi config set --secret ledger",
      ]);
    });

    it("must be a secret if it has a password", () => {
      const values = goodWith({ ledger: "postgresql://user:hunter2@db:5432/ledger" });
      assert.deepEqual(linesOf(values), [
        "ledger: found a plain text; expected a secret; set it with: pulumi config set --secret ledger",
      ]);
      assert.deepEqual(linesOf(values, { secretKeys: new Set(["ledger"]) }), []);
    });

    for (const url of [
      "postgres://host/db",
      "postgresql://u@h:5432/db?sslmode=require",
      "postgres:///db?host=/var/run",
    ]) {
      it(`accepts ${url}`, () => assert.equal(decode(goodWith({ ledger: url })).ledgerUrl, url));
    }
    for (const url of ["postgres://host", "mysql://host/db", "host/db", "postgres://host/db x"]) {
      it(`rejects ${url}`, () =>
        assert.match(linesOf(goodWith({ ledger: url })).join(), /^ledger: found a text; expected a PostgreSQL URL/));
    }
  });

  it("requires a cluster only for a provisioner without a kubeconfig of its own", () => {
    const own = {
      ...GOOD.provisioners.dedicated,
      spec: { ...GOOD.provisioners.dedicated.spec, kubeconfig: { path: "yard/kubeconfig" } },
    };
    const without: Record<string, unknown> = { ...GOOD };
    delete without["cluster"];
    assert.deepEqual(linesOf({ ...without, provisioners: { ...GOOD.provisioners, dedicated: own } }), []);
    assert.deepEqual(linesOf(without), [
      "cluster: found nothing; expected a cluster, because provisioner dedicated uses the platform's; or give dedicated a spec.kubeconfig of its own",
    ]);
  });
});
