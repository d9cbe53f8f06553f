import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { lockCharts } from "../../../cli/charts/lock";
import { createContext } from "../../../cli/context";
import { workspacesIn } from "../../../foundation/pulumi/backend";
import { lockedDigest, parseLock, renderLock, withDigest } from "../../../components/charts/lock";
import { CHART_NAMES, CHARTS, type ChartName } from "../../../components/charts/table";
import { ChartRepository, sha256 } from "../../doubles/chartRepository";
import { decode, filesOf, goodWith, linesOf } from "../config/fixtures";

const ARCHIVE = Buffer.from("archive");

describe("the chart lock file", () => {
  it("is read back as it was written", () => {
    const digest = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => sha256(Buffer.from(bytes)));
    const locked = fc.record({ version: fc.stringMatching(/^\d+\.\d+\.\d+$/), digest }, { noNullPrototype: true });
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...CHART_NAMES), locked, { noNullPrototype: true }), (lock) => {
        assert.deepEqual(parseLock(renderLock(lock)), { lock: { charts: { ...lock }, images: {} } });
        const images = { "quay.io/a/b:1": sha256("b"), "a:2": sha256("a") };
        assert.deepEqual(parseLock(renderLock(lock, images)), { lock: { charts: { ...lock }, images } });
      }),
    );
  });

  it("is rejected with the reason if it is invalid", () => {
    const trouble = (text: string) => (parseLock(text) as { trouble: string }).trouble;
    assert.match(trouble("a: [b"), /not YAML/);
    assert.match(trouble("lock: {}"), /no object `charts`/);
    assert.match(trouble("charts: { jupyterhub: { digest: x } }"), /no version of jupyterhub/);
    assert.match(trouble('charts: { jupyterhub: { version: "4.4.0", digest: sha256:12 } }'), /no digest of jupyterhub/);
    assert.deepEqual(parseLock("charts: { unknown: 1 }"), { lock: { charts: {}, images: {} } });
    assert.match(trouble("charts: {}\nimages: { a:1: sha256:12 }"), /no digest of a:1/);
  });

  it("has a digest only for the locked version", () => {
    const lock = { jupyterhub: { version: "4.4.0", digest: sha256("x") } };
    assert.equal(lockedDigest(lock, "jupyterhub", "4.4.0"), sha256("x"));
    assert.equal(lockedDigest(lock, "jupyterhub", "4.4.1"), undefined);
    assert.equal(lockedDigest({}, "jupyterhub", "4.4.0"), undefined);
  });

  it("may have several versions of a chart for different stacks", () => {
    const [one, other] = ["4.9.0", "4.10.0"].map((version) => ({ version, digest: sha256(version) }));
    const both = withDigest(withDigest({}, "jupyterhub", other!), "jupyterhub", one!);
    assert.deepEqual(parseLock(renderLock(both)), { lock: { charts: { jupyterhub: [one, other] }, images: {} } });
    assert.equal(lockedDigest(both, "jupyterhub", "4.10.0"), other!.digest);
    const again = withDigest(both, "jupyterhub", { ...one!, digest: sha256("again") });
    assert.equal(lockedDigest(again, "jupyterhub", "4.9.0"), sha256("again"));
    const twice = renderLock({ jupyterhub: [one!, one!] });
    assert.deepEqual(parseLock(twice), { trouble: "jupyterhub 4.9.0 twice" });
  });
});

describe("stackyard charts lock", () => {
  let folder: string;
  let repository: ChartRepository;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "stackyard-lock-"));
    repository = await new ChartRepository(Object.fromEntries(CHART_NAMES.map((name) => [name, ARCHIVE]))).start();
  });
  afterEach(async () => {
    await repository.stop();
    rmSync(folder, { recursive: true });
  });

  const lock = (names: string[] = [], options: { mirror?: string; replace?: boolean } = {}): Promise<void> => {
    const context = createContext(workspacesIn(folder, undefined));
    context.live.line = () => undefined;
    return lockCharts(context, names, { mirror: repository.url, file: "charts.lock.yaml", ...options });
  };
  const file = (): string => join(folder, "charts.lock.yaml");
  const recorded = () =>
    (parseLock(readFileSync(file(), "utf8")) as unknown as { lock: { charts: Record<ChartName, unknown> } }).lock
      .charts;

  it("records every chart of the table, from a repository or a registry", async () => {
    await lock();
    const all = CHART_NAMES.map((name) => [name, { version: CHARTS[name].version, digest: sha256(ARCHIVE) }]);
    assert.deepEqual(recorded(), Object.fromEntries(all));
    const text = readFileSync(file(), "utf8");
    await lock([], { mirror: repository.ociUrl });
    assert.equal(readFileSync(file(), "utf8"), text);
  });

  it("records the named charts, and keeps the others", async () => {
    await lock(["jupyterhub"]);
    assert.deepEqual(Object.keys(recorded()), ["jupyterhub"]);
    await lock(["kuberay-operator"]);
    assert.deepEqual(Object.keys(recorded()), ["jupyterhub", "kuberay-operator"]);
    await assert.rejects(lock(["kubray-operator"]), /found the chart "kubray-operator".*did you mean kuberay-operator/);
  });

  it("rejects a new digest for the same version without --replace", async () => {
    const old = sha256("old");
    writeFileSync(file(), renderLock({ jupyterhub: { version: CHARTS.jupyterhub.version, digest: old } }));
    await assert.rejects(lock(["jupyterhub"]), ({ message }: Error) => {
      return message.includes(old) && message.includes(sha256(ARCHIVE)) && message.includes("--replace");
    });
    assert.deepEqual(recorded().jupyterhub, { version: CHARTS.jupyterhub.version, digest: old });
    await lock(["jupyterhub"], { replace: true });
    assert.deepEqual(recorded().jupyterhub, { version: CHARTS.jupyterhub.version, digest: sha256(ARCHIVE) });
  });

  it("adds the digest of a new version, and keeps the old one for other stacks", async () => {
    const old = { version: "0.0.1", digest: sha256("old") };
    writeFileSync(file(), renderLock({ jupyterhub: old }));
    await lock(["jupyterhub"]);
    assert.deepEqual(recorded().jupyterhub, [old, { version: CHARTS.jupyterhub.version, digest: sha256(ARCHIVE) }]);
  });

  it("records the available charts, and fails for the others", async () => {
    await repository.stop();
    repository = await new ChartRepository({ jupyterhub: ARCHIVE }).start();
    await assert.rejects(lock(), /cluster-autoscaler .* can't be fetched[\s\S]*kuberay-operator .* can't be fetched/);
    assert.deepEqual(Object.keys(recorded()), ["jupyterhub"]);
  });

  it("does not overwrite an invalid file", async () => {
    writeFileSync(file(), "something: else\n");
    await assert.rejects(lock(), /charts\.lock\.yaml: found no object `charts`/);
    assert.equal(readFileSync(file(), "utf8"), "something: else\n");
    assert.ok(existsSync(file()));
  });
});

describe("the lock file that the config names", () => {
  const mirror = "https://charts.example.com";
  const charts = (more: object) => ({ mirror, lockFile: "prod.lock.yaml", ...more });

  it("may be missing: a warning then asks to run stackyard charts lock", () => {
    const config = decode(goodWith({ jupyterhub: { auth: { type: "dummy" } }, charts: charts({}) }), { stack: "dev" });
    assert.deepEqual(config.charts.lock, {});
    assert.ok(
      config.warnings.some((text) =>
        /^stackyard:charts\.lockFile: found "prod\.lock\.yaml", no such file; stackyard charts lock writes it$/.test(
          text,
        ),
      ),
      config.warnings.join("\n"),
    );
  });

  it("must be valid if it exists", () => {
    const files = filesOf({ "prod.lock.yaml": "a: b" });
    assert.match(
      linesOf(goodWith({ jupyterhub: { auth: { type: "dummy" } }, charts: charts({}) }), {}, files).join("\n"),
      /charts\.lockFile: found "prod\.lock\.yaml", no object `charts`; expected a lock file/,
    );
  });
});
