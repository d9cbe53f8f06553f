import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { chartSource, type WantedChart } from "../../../components/charts/charts";
import { withCharts as withChartsOf } from "../../../components/platform/checks/platformCharts";
import { readOwnState } from "../../../components/resources/ownState";
import type { PlatformConfig } from "../../../components/platform/config/platformConfig";
import { decode, GOOD } from "../config/fixtures";
import { mock, type Recorder } from "../runtime/mocks";
import { ChartRepository } from "../../doubles/chartRepository";

const hub: WantedChart = { chart: "jupyterhub", component: "jupyterhub", token: "JupyterHub", optional: true };
const ray: WantedChart = { chart: "kuberay-operator", component: "ray", token: "Ray", optional: false };
const RUNNING =
  "urn:pulumi:dev::stackyard::stackyard:index:JupyterHub$kubernetes:helm.sh/v3:Release::jupyterhub-release";

describe("the charts of a platform", () => {
  const before = process.cwd();
  const cacheBefore = process.env["XDG_CACHE_HOME"];
  let folder: string;
  let repository: ChartRepository;
  let recorder: Recorder;
  let running: string[] = [];

  beforeEach(async () => {
    running = [];
    folder = mkdtempSync(join(tmpdir(), "stackyard-charts-"));
    process.chdir(folder);
    process.env["XDG_CACHE_HOME"] = folder;
    repository = await new ChartRepository({ "kuberay-operator": Buffer.from("archive") }).start();
    recorder = mock(
      () => ({}),
      () => ({ outputs: Object.fromEntries(running.map((urn) => [urn, {}])) }),
    );
  });
  afterEach(async () => {
    process.chdir(before);
    if (cacheBefore === undefined) delete process.env["XDG_CACHE_HOME"];
    else process.env["XDG_CACHE_HOME"] = cacheBefore;
    await repository.stop();
    rmSync(folder, { recursive: true });
  });

  const withCharts = (config: PlatformConfig) => withChartsOf(config, readOwnState());
  const wanting = (...wanted: WantedChart[]) => {
    const config = decode(GOOD);
    return { ...config, charts: { ...config.charts, mirror: repository.url, wanted } };
  };

  it("are not fetched if no component needs one", async () => {
    const config = wanting();
    assert.deepEqual(await withCharts(config), { config, charts: { archives: {} } });
    assert.deepEqual([repository.requests, recorder.resources], [[], []]);
  });

  it("come after the check of digests of images, which warns or stops the program", async () => {
    const rayOf = (lock: string) => decode({ ...GOOD, ray: { one: { mode: "static" } }, images: { lock } });
    const image = /images\.lock: these images have no digest.*stackyard charts lock --stack[^]*rayproject\/ray:/;
    await assert.rejects(withCharts(rayOf("required")), image);
    await withCharts(rayOf("warn"));
    await withCharts(rayOf("off"));
  });

  it("are passed to releases as archives", async () => {
    const { charts, skipped } = await withCharts(wanting(ray));
    assert.match(chartSource("kuberay-operator", charts).chart, /^\.\/.*\.tgz$/);
    assert.throws(() => chartSource("jupyterhub", charts), /no configured component needs it/);
    assert.equal(skipped, undefined);
  });

  it("may be missing for an optional component, which the outputs report as skipped", async () => {
    const { config, skipped } = await withCharts(wanting(hub, ray));
    assert.ok("jupyterhub" in config && config["jupyterhub"] === undefined);
    assert.match(skipped?.["jupyterhub"] ?? "", /jupyterhub 4\.\d+\.\d+ can't be fetched: .*has no jupyterhub/);
  });

  it("must not be missing for an optional component that is running", async () => {
    running = [RUNNING.replace("JupyterHub$", "Other$")];
    await withCharts(wanting(hub));
    running = [RUNNING];
    await assert.rejects(withCharts(wanting(hub)), (error: Error) => {
      assert.ok(pulumi.RunError.isInstance(error));
      assert.match(error.message, /^stackyard:jupyterhub: .*it is running, and skipping it would remove it$/);
      return true;
    });
  });

  it("stop the program without a stack trace if one is missing", async () => {
    await assert.rejects(withCharts(wanting({ ...hub, optional: false })), (error: Error) => {
      return pulumi.RunError.isInstance(error) && /nothing was changed/.test(error.message);
    });
  });
});

describe("the config of charts", () => {
  const lines = (charts: unknown, secretKeys = ["charts"]) => {
    try {
      decode({ ...GOOD, charts }, { secretKeys: new Set(secretKeys) });
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };

  it("accepts repositories, registries and folders as mirror, but no secrets in them", () => {
    for (const mirror of [
      "https://a.example.com/x",
      "http://localhost:80",
      "oci://r.example.com/c",
      "../mirror",
      "~/m",
    ]) {
      assert.equal(lines({ mirror }), "", mirror);
    }
    for (const mirror of ["https://u:hunter2@h/x", "ftp://h/x", "https://h/x?token=1", "oci://", "", 5]) {
      assert.match(lines({ mirror }), /stackyard:charts\.mirror: found .*; expected an http, https or oci URL/);
    }
    assert.doesNotMatch(lines({ mirror: "https://u:hunter2@h/x" }), /hunter2/);
  });

  it("requires a user and a secret password together, and a server to send them to", () => {
    const right = { mirror: "oci://r.example.com/c", username: "reader", password: "hunter2" };
    assert.equal(lines(right), "");
    assert.match(lines(right, []), /charts\.password: found a plain text; expected a secret/);
    assert.match(lines({ ...right, username: undefined }), /charts\.username: found nothing/);
    assert.match(lines({ ...right, password: undefined }), /charts\.password: found nothing/);
    for (const mirror of [undefined, "../folder"]) assert.match(lines({ ...right, mirror }), /a mirror with an http/);
    const unfit = lines({ ...right, password: "hunter 2" }, []);
    assert.match(unfit, /charts\.password: found a text; expected a password/);
  });

  it("rejects an unknown lock mode or key, and suggests the nearest one", () => {
    assert.match(
      lines({ lock: "require" }, []),
      /charts\.lock: found "require"; expected warn or required; did you mean/,
    );
    assert.match(lines({ miror: "x" }), /charts\.miror: found an unknown key; .*did you mean mirror/);
  });
});
