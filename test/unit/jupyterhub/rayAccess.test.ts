/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-return -- Helm values */
import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { StackFile } from "../../../engine/stack/file";
import { enable } from "../../../cli/ray/clusters";
import { Cluster } from "../../../components/cluster/cluster";
import { JupyterHub, type JupyterHubArgs } from "../../../components/jupyterhub/jupyterHub";
import { imageVersions } from "../../../components/jupyterhub/config/rayChecks";
import { decode, GOOD, linesOf } from "../config/fixtures";
import { mock, settled, type Recorder } from "../runtime/mocks";
import { settingsOf } from "./samples";

const RELEASE = "kubernetes:helm.sh/v3:Release";
const SECRET = "kubernetes:core/v1:Secret";
const SIGNATURE = "4dabf18193072939515e22adb298388d";
const ACCESS = {
  address: "ray://one-ray-head-svc.ray.svc:10001",
  dashboard: "http://one-ray-head-svc.ray.svc:8265",
  gcs: "one-ray-head-svc.ray.svc:6379",
  namespace: "ray",
  image: "rayproject/ray:2.60.0-py312-cpu",
};
const BOTH = { ...ACCESS, authSecret: "ray-token", caSecret: "ray-ca" };

describe("notebooks with a Ray cluster", () => {
  let recorder: Recorder;

  beforeEach(() => {
    recorder = mock(
      ({ type, inputs }) => {
        if (type === SECRET)
          return { data: { auth_token: "dG9rZW4=", "ca.crt": "Y3J0", "ca.key": "a2V5", more: "eA==" } };
        return type === "pulumi:index:Stash" ? { output: inputs["input"] } : {};
      },
      () => ({}),
      "staging",
    );
  });

  async function valuesWith(
    access: typeof ACCESS,
    settings: object = {},
    ray: Partial<NonNullable<JupyterHubArgs["ray"]>> = {},
  ): Promise<any> {
    const cluster = new Cluster("cluster", { existing: { kubeconfig: "clusters: []", server: "https://10.0.0.1" } });
    const args: JupyterHubArgs = {
      cluster,
      charts: { archives: { jupyterhub: "./charts/jupyterhub-4.4.0" } },
      settings: { ...settingsOf(), ...settings },
      ray: { access, ready: "made", ...ray },
    };
    new JupyterHub("jupyterhub", args);
    await settled(recorder);
    return (recorder.only(RELEASE).inputs["values"] as any).jupyterhub.singleuser;
  }

  it("get only addresses if the Ray cluster needs neither token nor TLS", async () => {
    const { extraEnv, storage, initContainers } = await valuesWith(ACCESS);
    assert.deepEqual(Object.keys(extraEnv), ["RAY_ADDRESS", "RAY_API_SERVER_ADDRESS"]);
    assert.deepEqual([storage.extraVolumes, initContainers], [undefined, undefined]);
    assert.ok(!recorder.resources.some(({ type }) => type === SECRET));
  });

  it("may connect to the head of a Ray cluster whose namespace is closed, and other pods may not", async () => {
    await valuesWith(
      ACCESS,
      {},
      {
        closed: {
          head: { "app.kubernetes.io/instance": "one-ray" },
          namespace: new pulumi.ComponentResource("a:b:C", "ray"),
        },
      },
    );
    const set = recorder.resources.find(({ name }) => name === "jupyterhub-ray-policy");
    assert.equal(set?.inputs["namespace"], "ray");
    const [policy] = set?.inputs["objects"] as any[];
    assert.deepEqual(policy.spec.podSelector, { matchLabels: { "app.kubernetes.io/instance": "one-ray" } });
    const [{ from }] = policy.spec.ingress;
    assert.deepEqual(from, [
      {
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "jupyterhub" } },
        podSelector: { matchLabels: { component: "singleuser-server" } },
      },
    ]);
  });

  it("get a token that the platform created, without reading its Secret", async () => {
    await valuesWith({ ...ACCESS, authSecret: "ray-token" } as typeof ACCESS, {}, { token: pulumi.output("abc") });
    assert.ok(!recorder.resources.some(({ type }) => type === SECRET));
    const set = recorder.resources.find(({ name }) => name === "jupyterhub-ray-secret");
    assert.deepEqual((set?.inputs["objects"] as any).value[0].data, { auth_token: "YWJj" });
  });

  it("get the token of the Ray cluster as a file from a Secret", async () => {
    const { extraEnv, storage } = await valuesWith({ ...ACCESS, authSecret: "ray-token" } as typeof ACCESS);
    assert.equal(extraEnv.RAY_AUTH_MODE, "token");
    assert.equal(extraEnv.RAY_AUTH_TOKEN_PATH, "/etc/ray/auth/auth_token");
    assert.deepEqual(storage.extraVolumes, {
      "ray-token": {
        name: "ray-token",
        secret: { secretName: "jupyterhub-ray", items: [{ key: "auth_token", path: "auth_token" }] },
      },
    });
    assert.equal(storage.extraVolumeMounts["ray-token"].mountPath, "/etc/ray/auth");
  });

  it("get their own certificates, but never the key of the certificate authority", async () => {
    const { extraEnv, storage, initContainers } = await valuesWith(BOTH);
    assert.equal(extraEnv.RAY_USE_TLS, "1");
    const mounted: any[] = Object.values(storage.extraVolumeMounts);
    for (const key of ["RAY_TLS_SERVER_CERT", "RAY_TLS_SERVER_KEY", "RAY_TLS_CA_CERT"]) {
      assert.ok(
        mounted.some(({ mountPath }) => extraEnv[key].startsWith(`${mountPath}/`)),
        key,
      );
    }
    assert.deepEqual(mounted.map(({ name }) => name).sort(), ["ray-tls", "ray-token"]);
    const [{ image, command, volumeMounts }] = initContainers;
    assert.equal(image, ACCESS.image);
    assert.ok(volumeMounts.some(({ name }: any) => name === "ray-authority"));
    assert.doesNotMatch(command.join("\n"), /[{}]/, "KubeSpawner takes braces for its own");
  });

  it("get the required Secret data in their own namespace, marked as a secret", async () => {
    await valuesWith(BOTH);
    const read = recorder.resources.filter(({ type }) => type === SECRET).map(({ name }) => name);
    assert.deepEqual(read, ["jupyterhub-ray-auth_token", "jupyterhub-ray-ca.crt"]);
    const set = recorder.resources.find(({ name }) => name === "jupyterhub-ray-secret")?.inputs as any;
    assert.equal(set.namespace, "jupyterhub");
    assert.equal(set.objects[SIGNATURE], "1b47061264138c4ac30d75fd1eb44270");
    assert.deepEqual(set.objects.value[0].data, { auth_token: "dG9rZW4=", "ca.crt": "Y3J0", "ca.key": "a2V5" });
    assert.ok(!JSON.stringify(recorder.only(RELEASE).inputs).includes("dG9rZW4="));
  });

  it("keep volumes and init containers of the user's values", async () => {
    const volume = { name: "models", persistentVolumeClaim: { claimName: "models" } };
    const seed = { name: "seed", image: "busybox:1.37" };
    const singleuser = {
      initContainers: [seed],
      storage: { extraVolumes: [volume], extraVolumeMounts: { m: { name: "models" } } },
    };
    const { storage, initContainers } = await valuesWith(BOTH, { values: { singleuser } });
    assert.deepEqual(initContainers.at(-1), seed);
    assert.equal(initContainers.length, 2);
    assert.deepEqual(storage.extraVolumes["models-0"], volume);
    assert.equal(Object.keys(storage.extraVolumes).length, 4);
    assert.deepEqual(storage.extraVolumeMounts.m, { name: "models" });
  });
});

describe("the image of notebooks", () => {
  const versions = (image: string) => imageVersions(image);

  it("shows Ray and Python versions that its name contains", () => {
    assert.deepEqual(versions("rayproject/ray:2.60.0-py312-cpu"), { ray: "2.60.0", python: "3.12" });
    assert.deepEqual(versions("r:5000/ray-ml:2.60.0.abc-py310"), { python: "3.10" });
    assert.deepEqual(versions("quay.io/jupyter/scipy-notebook:python-3.12"), { python: "3.12" });
    assert.deepEqual(versions("quay.io/jupyter/scipy-notebook:2026-10-01"), {});
    assert.deepEqual(versions("acme/notebook:2026-10-01-ray-2.60.0-py3.11"), { ray: "2.60.0", python: "3.11" });
    assert.deepEqual(versions("acme/notebook:1.2.3"), {});
    assert.deepEqual(versions("acme/array:1.2.3"), {});
    assert.deepEqual(versions(`rayproject/ray:2.60.0-py312@sha256:${"0".repeat(64)}`), {
      ray: "2.60.0",
      python: "3.12",
    });
  });

  const ray = { aaa: { mode: "static" }, lab: { mode: "static", image: "rayproject/ray:2.60.0-py311" } };
  const hub = (more: object) => ({ ...GOOD, ray, jupyterhub: { auth: { type: "dummy" }, ...more } });
  const faults = (more: object) => linesOf(hub(more), { stack: "dev" }).join("\n");
  const warnings = (more: object) => decode(hub(more), { stack: "dev" }).warnings;

  it("must have the Ray and Python versions of the configured cluster", () => {
    assert.match(
      faults({ rayCluster: "lab", image: "quay.io/jupyter/scipy-notebook:python-3.12" }),
      /jupyterhub\.image: found .*with Python 3\.12 instead of 3\.11; expected Ray 2\.60\.0 and Python 3\.11, as the Ray cluster lab has/,
    );
    const profiles = { old: { displayName: "Old", image: "acme/notebook:ray-2.40.0-py311" } };
    assert.match(faults({ rayCluster: "lab", profiles }), /profiles\.old\.image: .*Ray 2\.40\.0 instead of 2\.60\.0/);
    assert.equal(faults({ rayCluster: "lab", image: "quay.io/jupyter/scipy-notebook:python-3.11" }), "");
    assert.equal(faults({ rayCluster: "lab", image: "acme/notebook:7" }), "");
  });

  it("causes warnings about versions and several clusters if no cluster is configured", () => {
    const [several, image, ...others] = warnings({ image: "quay.io/jupyter/scipy-notebook:python-3.11" });
    assert.match(
      several ?? "",
      /jupyterhub\.rayCluster: found nothing; notebooks reach aaa, the first by name of aaa, lab/,
    );
    assert.match(image ?? "", /jupyterhub\.image: found Python 3\.11 instead of 3\.12; .*the Ray cluster aaa/);
    assert.deepEqual(others, []);
    assert.deepEqual(warnings({ rayCluster: "lab" }), []);
    assert.deepEqual(warnings({ ray: false }), []);
  });
});

describe("stackyard ray up next to a cluster that notebooks use", () => {
  const file = (hub: string) =>
    StackFile.of(
      `config:\n  stackyard:ray:\n    lab: { mode: static }\n    off: { mode: static, enabled: false }\n${hub}`,
    );
  const HUB = "  stackyard:jupyterhub:\n    # ours\n    host: hub.example.com\n";

  it("writes the name of that cluster to the JupyterHub config", () => {
    const changed = file(HUB);
    assert.equal(enable(changed, "aaa", {}), "lab");
    assert.match(changed.text(), /# ours\n {4}host: hub\.example\.com\n {4}rayCluster: "lab"/);
  });

  it("writes no name if notebooks use no cluster or already name one", () => {
    for (const hub of ["", `${HUB}    ray: false\n`, `${HUB}    rayCluster: lab\n`, `${HUB}    enabled: false\n`]) {
      assert.equal(enable(file(hub), "aaa", {}), undefined, hub);
    }
    assert.equal(enable(file(HUB), "lab", {}), undefined);
  });
});
