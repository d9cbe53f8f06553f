/* eslint-disable @typescript-eslint/no-explicit-any -- Helm values */
import assert from "node:assert/strict";
import { imagesOf } from "../../../components/platform/facts";
import { listedCharts, mirrorValues, onMirror } from "../../../components/charts/images";
import { CHARTS } from "../../../components/charts/table";
import { planValues } from "../../../components/jupyterhub/plan";
import { chartValues } from "../../../components/ray/plan";
import { operatorValues } from "../../../components/ray/operator/plan";
import { decode, GOOD, linesOf } from "../config/fixtures";

const MIRROR = "registry.example.com:5000/mirror";
const EVERYTHING = {
  ...GOOD,
  ray: {
    one: {
      mode: "kuberay",
      containers: [{ name: "logs", image: "fluent/fluent-bit:3.2" }],
      head: { initContainers: [{ name: "seed", image: "busybox:1.37" }] },
      workerGroups: { gpu: { image: "rayproject/ray:2.60.0-py312-gpu", replicas: 1 } },
    },
  },
  jupyterhub: {
    auth: { type: "dummy" },
    profiles: { gpu: { displayName: "GPU", image: "quay.io/jupyter/pytorch-notebook:2026-10-01" } },
  },
  teraslice: {
    image: "ghcr.io/terascope/teraslice:v3.14.0",
    settings: { name: "one" },
    terafoundation: { connectors: { "elasticsearch-next": { default: { node: ["http://search:9200"] } } } },
  },
};
const decoded = (images?: object) => decode({ ...EVERYTHING, ...(images && { images }) }, { stack: "dev" });

describe("an image on a mirror", () => {
  it("has the same path as in its own registry", () => {
    for (const [image, there] of [
      ["quay.io/jupyterhub/k8s-hub:4.4.0", "jupyterhub/k8s-hub:4.4.0"],
      ["registry.k8s.io/pause:3.10.1", "pause:3.10.1"],
      ["localhost:5000/a/b:1", "a/b:1"],
      ["rayproject/ray:2.60.0", "rayproject/ray:2.60.0"],
      ["docker.io/rayproject/ray:2.60.0", "rayproject/ray:2.60.0"],
      ["traefik:v3.6.12", "library/traefik:v3.6.12"],
      ["docker.io/traefik:v3.6.12", "library/traefik:v3.6.12"],
      [`quay.io/a@sha256:${"0".repeat(64)}`, `a@sha256:${"0".repeat(64)}`],
    ] as const) {
      assert.equal(onMirror(image, MIRROR), `${MIRROR}/${there}`);
      assert.equal(onMirror(image, undefined), image);
      assert.equal(onMirror(onMirror(image, MIRROR), MIRROR), `${MIRROR}/${there}`);
    }
  });
});

describe("the image mirror", () => {
  it("provides all images of the config and of upstream charts", () => {
    const config = decoded({ mirror: MIRROR });
    const images = imagesOf(config);
    assert.deepEqual(
      images.filter(({ image }) => !image.startsWith(`${MIRROR}/`)),
      [],
    );
    const roles = images.filter(({ component }) => component === "jupyterhub").map(({ role }) => role);
    for (const role of [
      "hub",
      "proxy",
      "traefik",
      "userScheduler",
      "pause",
      "imageAwaiter",
      "secretSync",
      "networkTools",
      "notebook",
      "profile gpu",
    ]) {
      assert.ok(roles.includes(role), role);
    }
    assert.ok(images.some(({ component, image }) => component === "provisioners" && image.startsWith(MIRROR)));
    // And that is what is installed.
    assert.equal(chartValues("one", config.ray!["one"]!)["image"], `${MIRROR}/rayproject/ray:2.60.0-py312-cpu`);
    assert.deepEqual(operatorValues(config.rayOperator)["image"], {
      repository: `${MIRROR}/kuberay/operator`,
      tag: "v1.7.0",
    });
    const { jupyterhub } = planValues(config.jupyterhub!, { secretChecksum: "" }) as Record<
      string,
      Record<string, any>
    >;
    assert.deepEqual(jupyterhub?.["proxy"].chp.image, {
      name: `${MIRROR}/jupyterhub/configurable-http-proxy`,
      tag: "5.2.0",
    });
    assert.equal(jupyterhub["singleuser"].image.name, `${MIRROR}/jupyterhub/k8s-singleuser-sample`);
    assert.equal(jupyterhub["singleuser"].networkTools.image.name, `${MIRROR}/jupyterhub/k8s-network-tools`);
    assert.equal(jupyterhub["hub"].image.tag, "4.4.0");
    assert.equal(jupyterhub["prePuller"].pause.image.name, `${MIRROR}/pause`);
  });

  it("serves charts too by one key, unless one of the two has its own", () => {
    const { images, charts } = decode({ ...EVERYTHING, mirror: MIRROR }, { stack: "dev" });
    assert.deepEqual([images.mirror, charts.mirror], [MIRROR, `oci://${MIRROR}/charts`]);
    assert.deepEqual(
      listedCharts(charts)
        .map(({ image }) => image)
        .sort(),
      [
        `${MIRROR}/charts/jupyterhub:${CHARTS.jupyterhub.version}`,
        `${MIRROR}/charts/kuberay-operator:${CHARTS["kuberay-operator"].version}`,
      ],
    );
    const own = decode({ ...EVERYTHING, mirror: MIRROR, charts: { mirror: "./charts" } }, { stack: "dev" });
    assert.deepEqual([own.images.mirror, own.charts.mirror], [MIRROR, "./charts"]);
    const login = { username: "reader", password: "hunter2" };
    const secretKeys = new Set(["charts"]);
    assert.deepEqual(
      decode({ ...EVERYTHING, mirror: MIRROR, charts: login }, { stack: "dev", secretKeys }).charts.credentials,
      login,
    );
  });

  it("is not used by default", () => {
    const config = decoded();
    assert.ok(imagesOf(config).some(({ image }) => image === CHARTS.jupyterhub.images.traefik));
    assert.deepEqual(mirrorValues("jupyterhub", undefined), {});
    const { jupyterhub } = planValues(config.jupyterhub!, { secretChecksum: "" }) as Record<
      string,
      Record<string, any>
    >;
    assert.equal(jupyterhub?.["hub"].image, undefined);
    assert.deepEqual(operatorValues(config.rayOperator), {});
  });

  it("must be a registry without a scheme", () => {
    for (const mirror of ["https://registry.example.com", "registry.example.com/", "a b"]) {
      assert.match(
        linesOf({ ...GOOD, images: { mirror } }).join(),
        /images\.mirror: .*expected host\[:port\]\[\/path\]/,
      );
    }
  });

  it("covers every image of a chart in its values", () => {
    const reported = JSON.stringify(mirrorValues("jupyterhub", MIRROR));
    for (const [role, image] of Object.entries(CHARTS.jupyterhub.images)) {
      if (role !== "notebook") assert.ok(reported.includes(onMirror(image, MIRROR).replace(/:[^:]*$/, "")), role);
    }
  });
});
