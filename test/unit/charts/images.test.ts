/* eslint-disable @typescript-eslint/no-explicit-any -- Helm values */
import assert from "node:assert/strict";
import { imagesOf } from "../../../components/platform/facts";
import { imageValues, listedCharts, onMirror, placedValues } from "../../../components/charts/images";
import { renderLock } from "../../../components/charts/lock";
import { CHARTS } from "../../../components/charts/table";
import { planValues } from "../../../components/jupyterhub/plan";
import { chartValues } from "../../../components/ray/plan";
import { operatorValues } from "../../../components/ray/operator/plan";
import { decode, FILES, GOOD, linesOf } from "../config/fixtures";

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
const DIGEST = `sha256:${"d".repeat(64)}`;
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

  it("provides the images in values, and lists them instead of those that they replace", () => {
    const extra = { name: "proxy", image: "docker.io/library/nginx:1.29" };
    const values = {
      hub: { image: { name: "ghcr.io/acme/hub", tag: "7" }, extraContainers: [extra] },
      proxy: { chp: { image: { tag: "5.2.1" } } },
      ingress: { image: { registry: "docker.io", repository: "acme/web", digest: DIGEST } },
    };
    const jupyterhub = { ...EVERYTHING.jupyterhub, values: { hub: values.hub, proxy: values.proxy } };
    const rayOperator = { values: { sidecarContainers: [extra] } };
    const config = decode({ ...EVERYTHING, jupyterhub, rayOperator, mirror: MIRROR }, { stack: "dev" });
    assert.deepEqual(config.jupyterhub?.values["hub"], {
      image: { name: `${MIRROR}/acme/hub`, tag: "7" },
      extraContainers: [{ name: "proxy", image: `${MIRROR}/library/nginx:1.29` }],
    });
    const images = imagesOf(config).map(({ role, image }) => `${role} ${image}`);
    assert.ok(images.includes(`hub ${MIRROR}/acme/hub:7`), images.join("\n"));
    assert.ok(images.includes(`proxy ${MIRROR}/jupyterhub/configurable-http-proxy:5.2.1`));
    assert.ok(images.includes(`hub.extraContainers.0.image ${MIRROR}/library/nginx:1.29`));
    assert.ok(images.includes(`sidecarContainers.0.image ${MIRROR}/library/nginx:1.29`));
    assert.ok(!images.some((one) => one.includes("k8s-hub:")));
    assert.deepEqual(placedValues({ ingress: values.ingress }, { mirror: MIRROR }), {
      ingress: { image: { registry: "registry.example.com:5000", repository: "mirror/acme/web", digest: DIGEST } },
    });
    assert.deepEqual(placedValues(values, {}), values);
  });

  it("provides every image of each chart that a platform on EKS installs", () => {
    const eks = (min: number, more: object) => ({
      nodePools: { general: { instanceTypes: ["m7i.large"], min, max: 2 } },
      ...{ type: "eks", name: "acme", region: "eu-central-1", version: "1.35", network: { cidr: "10.20.0.0/16" } },
      ...{ endpoint: { publicCidrs: ["203.0.113.0/24"] }, ...more },
    });
    const admins = { ci: "arn:aws:iam::123456789012:role/ci" };
    for (const more of [
      { cluster: eks(1, { access: { admins } }), clusterAutoscaler: {}, ingress: { nginx: {} } },
      { cluster: eks(0, { access: { admins }, nodes: "karpenter" }), ingress: { nginx: {} } },
    ]) {
      const config = decode({ ...GOOD, ...more, mirror: MIRROR });
      const listed = imagesOf(config).map(({ image }) => image.replace(/:[^:]*$/, ""));
      for (const { chart } of config.charts.wanted)
        for (const image of Object.values(CHARTS[chart].images))
          assert.ok(listed.includes(onMirror(image, MIRROR).replace(/:[^:]*$/, "")), image);
      assert.ok(config.charts.wanted.length > 0);
    }
  });

  it("is not used by default", () => {
    const config = decoded();
    assert.ok(imagesOf(config).some(({ image }) => image === CHARTS.jupyterhub.images.traefik));
    assert.deepEqual(imageValues("jupyterhub", {}), {});
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
    const reported = JSON.stringify(imageValues("jupyterhub", { mirror: MIRROR }));
    for (const [role, image] of Object.entries(CHARTS.jupyterhub.images)) {
      if (role !== "notebook") assert.ok(reported.includes(onMirror(image, MIRROR).replace(/:[^:]*$/, "")), role);
    }
  });
});

describe("recorded digests", () => {
  const LOCK = "charts.lock.yaml";
  const hub = "quay.io/jupyterhub/k8s-hub:4.4.0";
  const notebook = "quay.io/jupyter/scipy-notebook:2026-10-01";
  const recorded = { [hub]: DIGEST, [notebook]: DIGEST, "rayproject/ray:2.60.0-py312-cpu": DIGEST };
  const files = {
    ...FILES,
    read: (path: string) => (path === LOCK ? Buffer.from(renderLock({}, recorded)) : FILES.read(path)),
  };
  const jupyterhub = { ...EVERYTHING.jupyterhub, image: notebook };
  const locked = (more: object) => decode({ ...EVERYTHING, jupyterhub, ...more }, { stack: "dev" }, files);

  it("are those by which images run, also on a mirror", () => {
    const config = locked({ mirror: MIRROR, images: { lock: "required" } });
    const { jupyterhub: values } = planValues(config.jupyterhub!, { secretChecksum: "" }) as Record<
      string,
      Record<string, any>
    >;
    const tag = DIGEST.replace("sha256:", "");
    assert.deepEqual(values?.["hub"].image, { name: `${MIRROR}/jupyterhub/k8s-hub:4.4.0@sha256`, tag });
    assert.deepEqual(values["singleuser"].image, { name: `${MIRROR}/jupyter/scipy-notebook:2026-10-01@sha256`, tag });
    const image = `${MIRROR}/rayproject/ray:2.60.0-py312-cpu@${DIGEST}`;
    assert.equal(chartValues("one", config.ray!["one"]!)["image"], image);
    assert.ok(imagesOf(config).some((one) => one.image === image));
  });

  it("are not used unless the config says so", () => {
    assert.ok(!imagesOf(locked({})).some(({ image }) => image.includes("@")));
  });

  it("replace those of charts that have digests by default", () => {
    const controller = CHARTS.karpenter.images.controller;
    const { controller: values } = imageValues("karpenter", { digests: { [controller]: DIGEST } }) as Record<
      string,
      any
    >;
    assert.deepEqual(values.image, {
      repository: "public.ecr.aws/karpenter/controller",
      tag: "1.14.1",
      digest: DIGEST,
    });
  });

  it("may be beside a tag in the config", () => {
    const pinned = `${notebook}@${DIGEST}`;
    const config = decode({ ...EVERYTHING, jupyterhub: { ...jupyterhub, image: pinned } }, { stack: "dev" });
    assert.equal(config.jupyterhub?.image, pinned);
  });
});
