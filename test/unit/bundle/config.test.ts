import assert from "node:assert/strict";
import { decodeConfig } from "../../../components/platform/config/decodeConfig";
import { shareValues } from "../../../components/bundle/bundle";
import { ConfigError, renderPath } from "../../../foundation/schema/faults";
import { FILES, goodWith } from "../config/fixtures";

const DIGEST = `sha256:${"a".repeat(64)}`;
const local = { type: "local", path: "bundles/shop" };
const shop = (content: object = {}) => ({ versions: { "1.0.0": { sources: [local], ...content } } });

const decode = (values: object, secretKeys: string[] = []) =>
  decodeConfig({ values: goodWith({ ...values }), secretKeys: new Set(secretKeys) }, FILES).bundles;
function faults(values: object, secretKeys: string[] = []): string[] {
  try {
    decode(values, secretKeys);
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.faults.map(({ path, message }) => `${renderPath(path)}: ${message}`);
  }
  return [];
}
function fault(expected: RegExp, values: object, secretKeys: string[] = []): void {
  const all = faults(values, secretKeys);
  assert.equal(all.length, 1, all.join("\n"));
  assert.match(all[0] ?? "", expected);
}

describe("the bundle config", () => {
  it("needs only a bundle with a source and an instance of it", () => {
    const [one] = decode({ bundles: { shop: shop() }, instances: { web: { bundle: "shop" } } });
    assert.equal(one?.name, "web");
    assert.equal(one.format, "plain+v0");
    assert.equal(one.settings.namespace, "web");
    assert.deepEqual(one.content.sources, [local]);
    assert.deepEqual(decode({ bundles: { shop: shop() } }), []);
    assert.deepEqual(decode({ bundles: { shop: shop() }, instances: { web: { bundle: "shop", enabled: false } } }), []);
  });

  it("applies the restrictions and defaults of bundle classes", () => {
    const bundleClasses = {
      strict: {
        default: true,
        sources: ["image"],
        pin: "required",
        defaults: { timeoutSeconds: 30, rollback: "auto" },
      },
      free: {},
    };
    const image = { type: "image", ref: "registry.example/shop:1" };
    const bundles = { shop: shop({ sources: [image], digest: DIGEST }) };
    const [one] = decode({ bundleClasses, bundles, instances: { web: { bundle: "shop", timeoutSeconds: 60 } } });
    assert.equal(one?.settings.timeoutSeconds, 60);
    assert.equal(one.settings.rollback, "auto");
    fault(/bundles\.shop\.versions\["1\.0\.0"\]\.digest: found nothing; expected the digest that/, {
      bundleClasses,
      bundles: { shop: shop({ sources: [image] }) },
    });
    fault(/sources\[0\]\.type: found "local"; expected what the class allows: image/, {
      bundleClasses,
      bundles: { shop: shop({ digest: DIGEST }) },
    });
    assert.deepEqual(faults({ bundleClasses, bundles: { shop: { ...shop(), class: "free" } } }), []);
    fault(/bundles\.shop\.class: found "fre"; expected one of strict, free; did you mean free/, {
      bundleClasses,
      bundles: { shop: { ...shop(), class: "fre" } },
    });
  });

  it("gives a catalog the version of the bundle, which may be a range", () => {
    const catalog = { type: "catalog", path: "catalog", package: "shop" };
    const sourcesOf = (...given: string[]) => {
      const versions = Object.fromEntries(given.map((version) => [version, { sources: [catalog] }]));
      return decode({ bundles: { shop: { versions } }, instances: { web: { bundle: "shop" } } })[0]?.content.sources;
    };
    assert.deepEqual(sourcesOf(">=1.2 <2"), [{ ...catalog, version: ">=1.2 <2" }]);
    assert.deepEqual(sourcesOf("1.2.0", "1.3.0"), [{ ...catalog, version: "1.3.0" }]);
    const range = (more: object, version = ">=1.2") => ({ bundles: { shop: { versions: { [version]: more } } } });
    fault(/versions\[">=1\.2"\]: found a range; expected a source of type catalog for it/, range({ sources: [local] }));
    fault(
      /found .*; expected a version such as 1\.4\.0, or for a catalog a range/,
      range({ sources: [catalog] }, "1.2"),
    );
    fault(
      /found .*; expected a version such as 1\.4\.0, or for a catalog a range/,
      range({ sources: [catalog] }, ">=one"),
    );
    const two = { "1.0.0": { sources: [catalog] }, ">=1.2": { sources: [catalog] } };
    fault(/versions: found .*; expected either versions, or one range/, { bundles: { shop: { versions: two } } });
  });

  it("accepts at most one default class", () => {
    const bundleClasses = { a: { default: true }, b: { default: true } };
    fault(/bundleClasses\.b\.default: found true; expected one default class; a is it already/, { bundleClasses });
    fault(/bundles\.shop\.class: found nothing, and no class is the default one; expected one of a, b/, {
      bundleClasses: { a: {}, b: {} },
      bundles: { shop: shop() },
    });
  });

  it("rejects addresses with credentials, and does not print them", () => {
    const git = (repository: string) => ({ type: "git", repository, ref: { tag: "v1" } });
    const sources = [
      git("https://u:PLANT@host/x.git"),
      git("ssh://git:PLANT@host/x.git"),
      { type: "http", url: "https://host/a.tgz?token=PLANT", digest: DIGEST },
      { type: "image", ref: "u:PLANT@host/x:1" },
      { type: "image", ref: "host/x:1", mirrors: ["u:PLANT@mirror"] },
    ];
    for (const source of sources) {
      assert.throws(
        () => decode({ bundles: { shop: shop({ sources: [source] }) } }),
        (error: Error) => {
          assert.match(error.message, /sources\[0\]\..*without a password or token/);
          return !error.message.includes("PLANT");
        },
      );
    }
  });

  it("reads credentials from secret config or files, and separates them from the sources", () => {
    const source = { type: "git", repository: "https://git.example/shop.git", ref: { tag: "v1" } };
    const bundles = (auth: object) => ({ shop: shop({ sources: [{ ...source, auth }] }) });
    const instances = { web: { bundle: "shop" } };
    const [one] = decode({ bundles: bundles({ username: "reader", password: "s3cret" }), instances }, ["bundles"]);
    assert.deepEqual(one?.content.sources, [{ ...source, auth: { username: "reader" } }]);
    assert.deepEqual(one.content.credentials, [{ auth: { password: "s3cret" } }]);
    const [other] = decode({ bundles: bundles({ privateKey: { path: "yard/pki/admin.key" } }), instances });
    assert.deepEqual(other?.content.credentials, [{ auth: { privateKey: "KEY" } }]);
    fault(/auth\.password: found a plain text; expected a secret/, {
      bundles: bundles({ password: "s3cret" }),
    });
    assert.doesNotMatch(faults({ bundles: bundles({ password: "s3cret" }) }).join(), /s3cret/);
    const hidden = faults({ bundles: { shop: shop({ sources: [{ ...source, auth: "s3cret" }] }) } });
    assert.match(
      hidden.join(),
      /sources\[0\]\.auth: found a text; expected username and password, token, or privateKey/,
    );
    fault(/auth\.token\.path: found "none", no such file; expected a file/, {
      bundles: bundles({ token: { path: "none" } }),
    });
  });

  it("merges values of a version and an instance, and keeps secret values apart", () => {
    const bundleClasses = { charts: { format: "helm" } };
    const bundles = { shop: shop({ values: { a: "x", b: { c: 1 } } }) };
    const instances = { web: { bundle: "shop", values: { b: { d: "y", e: 2, f: ["z"], g: [3] } } } };
    const shared = (secretKeys: string[]) => {
      const [one] = decode({ bundleClasses, bundles, instances }, secretKeys);
      return shareValues(one?.content.values, one?.settings.values);
    };
    assert.deepEqual(shared([]), { values: { a: "x", b: { c: 1, d: "y", e: 2, f: ["z"], g: [3] } } });
    // A secret of a stack is a text; numbers can be seen.
    const texts = { b: { d: "y", f: ["z"] } };
    assert.deepEqual(shared(["bundles"]), {
      values: { b: { c: 1, e: 2, g: [3] } },
      secretValues: { a: "x", ...texts },
    });
    assert.deepEqual(shared(["instances"]), { values: { a: "x", b: { c: 1, e: 2, g: [3] } }, secretValues: texts });
    const nested = { ...bundles, all: { versions: { "1.0.0": { sources: [local], bundles: ["shop"] } } } };
    const [inner] = decode({ bundleClasses, bundles: nested, instances: { x: { bundle: "all", values: { z: 1 } } } });
    assert.deepEqual(
      [inner?.name, shareValues(inner?.content.values, inner?.settings.values)],
      ["x-shop", { values: { a: "x", b: { c: 1 } } }],
    );
    fault(
      /instances\.web\.values: found values; expected none, because the format plain\+v0 takes none; registry\+v1, helm and kustomize take them/,
      {
        bundles: { shop: shop() },
        instances: { web: { bundle: "shop", values: { password: "s3cret" } } },
      },
    );
  });

  it("rejects an instance of an unknown bundle, version or cluster", () => {
    const bundles = { shop: shop() };
    fault(/instances\.web\.bundle: found "shap"; expected one of shop/, {
      bundles,
      instances: { web: { bundle: "shap" } },
    });
    fault(/instances\.web\.version: found "2\.0\.0"/, {
      bundles,
      instances: { web: { bundle: "shop", version: "2.0.0" } },
    });
    fault(/instances\.web\.context: found "other"; expected a kubeconfig/, {
      bundles,
      instances: { web: { bundle: "shop", context: "other" } },
    });
    const away = { bundle: "shop", kubeconfig: { path: "yard/kubeconfig" }, context: "other" };
    const [one] = decode({ bundles, instances: { web: away } });
    assert.equal(one?.settings.access?.server, "https://10.0.0.2:6443");
  });

  it("separates required bundles from required kinds", () => {
    const requires = ["database@^2.1", "monitoring.coreos.com/v1/ServiceMonitor", "v1/ConfigMap"];
    const bundles = { shop: shop({ requires }), database: { versions: { "2.3.0": { sources: [local] } } } };
    const instances = { web: { bundle: "shop" }, db: { bundle: "database" } };
    const planned = decode({ bundles, instances });
    assert.deepEqual(
      planned.map(({ name }) => name),
      ["db", "web"],
    );
    assert.deepEqual(planned[1]?.content.requiredKinds, ["monitoring.coreos.com/v1/ServiceMonitor", "v1/ConfigMap"]);
    fault(/requires: found "database@x\.y\.z\.q"; expected a range of versions/, {
      bundles: { ...bundles, shop: shop({ requires: ["database@x.y.z.q"] }) },
    });
    fault(/versions\["1\.0\.0"\]\.bundles: found "databse@1"; expected one of shop, database; did you mean database/, {
      bundles: { ...bundles, shop: shop({ bundles: ["databse@1"] }) },
      instances: { web: { bundle: "shop" } },
    });
  });

  it("reports all faults at once, each at the instance that causes it", () => {
    const bundles = {
      shop: shop({ bundles: ["database"] }),
      database: { versions: { "2.3.0": { sources: [local], requires: ["queue@^1"] } } },
      queue: { versions: { "1.0.0": { sources: [local] } } },
    };
    const instances = {
      web: { bundle: "queue", enabled: false },
      "web-a": { bundle: "shop" },
      other: { bundle: "shap", dependsOn: ["web-b"] },
      late: { bundle: "shop", version: "1.0.1", dependsOn: ["web"] },
    };
    assert.deepEqual(faults({ bundles, instances }).sort(), [
      'instances.late.dependsOn: found "web", which is disabled; expected one of web-a-database, web-a, other, late',
      'instances.late.version: found "1.0.1"; expected one of 1.0.0; did you mean 1.0.0',
      'instances.other.bundle: found "shap"; expected one of shop, database, queue; did you mean shop',
      'instances.other.dependsOn: found "web-b"; expected one of web-a-database, web-a, other, late; did you mean web-a',
      "instances.web-a.bundle: found database 2.3.0, which requires queue@^1; expected an instance of it on the same cluster; web is disabled",
    ]);
    fault(/instances\.late\.dependsOn: found "web", which is disabled/, {
      bundles: { queue: bundles.queue },
      instances: { web: instances.web, late: { bundle: "queue", dependsOn: ["web"] } },
    });
  });

  it("recognizes the platform's cluster, however it is reached", () => {
    const requires = ["database"];
    const bundles = { shop: shop({ requires }), database: { versions: { "2.3.0": { sources: [local] } } } };
    const cluster = { type: "existing", kubeconfig: { path: "yard/kubeconfig" }, context: "other" };
    const away = { bundle: "database", kubeconfig: { path: "yard/kubeconfig" }, context: "other" };
    assert.equal(decode({ cluster, bundles, instances: { web: { bundle: "shop" }, db: away } }).length, 2);
    const elsewhere = { bundle: "database", kubeconfig: { path: "yard/kubeconfig" } };
    fault(/db is on another cluster/, { cluster, bundles, instances: { web: { bundle: "shop" }, db: elsewhere } });
  });

  it("accepts only semantic versions", () => {
    const named = (version: string) => ({ shop: { versions: { [version]: { sources: [local] } } } });
    for (const version of ["1.2.3", "0.0.0", "1.0.0-rc.1", "1.0.0-0a"])
      assert.deepEqual(faults({ bundles: named(version) }), [], version);
    for (const version of ["01.2.3", "1.2", "1.0.0-01", "1.0.0+build"])
      fault(/expected a version such as 1\.4\.0/, { bundles: named(version) });
  });
});
