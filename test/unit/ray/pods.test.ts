import assert from "node:assert/strict";
import { rayEndpoint } from "../../../components/ray/plan";
import { chartValues, plannedNamespaces } from "../../../components/ray/plan";
import { decode, goodWith, linesOf } from "../config/fixtures";

const one = (cluster: object) => goodWith({ ray: { one: { mode: "static", ...cluster } } });
const config = (cluster: object) => decode(one(cluster)).ray!["one"]!;
function fault(cluster: object, expected: RegExp): void {
  const lines = linesOf(one(cluster));
  assert.equal(lines.length, 1, lines.join("\n"));
  assert.match(lines[0] ?? "", expected);
}

const secret = { valueFrom: { secretKeyRef: { name: "warehouse", key: "password" } } };
const volumes = [{ name: "models", persistentVolumeClaim: { claimName: "models" } }];
const volumeMounts = [{ name: "models", mountPath: "/models", readOnly: true }];

describe("the pods of a Ray cluster", () => {
  it("get Kubernetes fields from the config unchanged", () => {
    const extras = {
      env: { LOG: "info", PASSWORD: secret },
      envFrom: [{ secretRef: { name: "warehouse" }, prefix: "DB_" }],
      volumes,
      volumeMounts,
      initContainers: [{ name: "seed", image: "busybox:1.37" }],
      containers: [{ name: "logs", image: "fluent/fluent-bit:3.2" }],
      labels: { team: "data" },
      annotations: { "example.com/owner": "data" },
      priorityClassName: "high",
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "ScheduleAnyway" }],
    };
    const ports = [{ name: "serve", containerPort: 8000 }];
    const own = { ...extras, volumes: [], volumeMounts: [], initContainers: [], containers: [] };
    const cluster = {
      ...extras,
      imagePullSecrets: ["registry"],
      imagePullPolicy: "Always",
      objectStoreShare: 0.5,
      head: { ...own, ports },
      workerGroups: { gpu: { ...own, serviceAccount: "writer", objectStoreShare: 0.2 } },
    };
    const values = chartValues("one", config(cluster)) as Record<string, Record<string, unknown>>;
    const has = (part: Record<string, unknown> | undefined, wanted: object) => {
      for (const [key, value] of Object.entries(wanted)) assert.deepEqual(part?.[key], value, key);
    };
    has(values, { ...extras, imagePullSecrets: ["registry"], imagePullPolicy: "Always", objectStoreShare: 0.5 });
    has(values["head"], { env: extras.env, labels: extras.labels, ports });
    has(values["workerGroups"]?.["gpu"] as Record<string, unknown>, {
      serviceAccount: "writer",
      objectStoreShare: 0.2,
    });
  });

  it("are reported with the configured ports", () => {
    const { address, dashboard } = rayEndpoint("one", config({ ports: { client: 10_000, dashboard: 8266 } }));
    assert.equal(address, "ray://one-ray-head-svc.ray.svc:10000");
    assert.equal(dashboard, "http://one-ray-head-svc.ray.svc:8266");
  });

  it("must have distinct ports outside of the range of Ray's workers", () => {
    fault({ ports: { client: 11_001 } }, /ports\.client: found 11001; expected .*not 10002 to 19999/);
    fault({ ports: { dashboard: 10_001 } }, /ports\.dashboard: found 10001; expected another port than client has/);
  });

  it("get the user's values last, except values that the platform sets", () => {
    const values = chartValues("one", config({ head: { cpu: 4 }, values: { head: { cpu: 6 }, podSpec: { a: 1 } } }));
    assert.equal((values["head"] as { cpu: number }).cpu, 6);
    assert.deepEqual(values["podSpec"], { a: 1 });
    for (const key of ["clusterName", "mode", "rayVersion", "auth", "ports"]) {
      fault({ values: { [key]: "x" } }, new RegExp(`values\\.${key}: .*expected no ${key}`));
    }
  });

  it("must have unique names of volumes, containers and labels, and mount paths that Ray does not use", () => {
    fault({ volumes: [{ name: "shm" }] }, /volumes\[0\]\.name: found "shm"; expected another name, because the chart/);
    fault({ volumes, head: { volumes } }, /head\.volumes\[0\]\.name: .*because two volumes have this one/);
    fault(
      { volumes, volumeMounts: [{ name: "models", mountPath: "/tmp/ray/x" }] },
      /mountPath: .*outside of \/dev\/shm/,
    );
    fault(
      { head: { containers: [{ name: "autoscaler", image: "a:1" }] } },
      /head\.containers\[0\]\.name: .*another name/,
    );
    fault({ labels: { "ray.io/cluster": "x" } }, /labels\["ray\.io\/cluster"\]: .*another label/);
    fault(
      { workerGroups: { gpu: { env: { RAY_USE_TLS: "1" } } } },
      /workerGroups\.gpu\.env\.RAY_USE_TLS: .*no such variable/,
    );
  });

  it("are rejected if Kubernetes or Ray would refuse them", () => {
    const twice = { name: "logs", image: "a:1" };
    fault(
      { containers: [twice], head: { initContainers: [twice] } },
      /head\.initContainers\[0\]\.name: .*two containers/,
    );
    fault({ containers: [{ name: "logs" }] }, /containers\[0\]\.image: found nothing; expected an image/);
    fault({ containers: [{ name: "logs", image: "Foo Bar" }] }, /containers\[0\]\.image: found "Foo Bar"/);
    fault({ volumes, volumeMounts, head: { volumeMounts } }, /head\.volumeMounts\[0\]\.mountPath: .*two mounts/);
    fault({ labels: { "a b": "c" } }, /labels\["a b"\]: found the name "a b"; expected the name of a label/);
    fault({ head: { nodeSelector: { team: "c d" } } }, /nodeSelector\.team: found "c d"; expected a label/);
    const toleration = (one: object) => ({ head: { tolerations: [one] } });
    fault(toleration({ key: "a", operator: "Exists", value: "b" }), /tolerations\[0\]\.value: .*operator is Exists/);
    fault(toleration({ value: "b" }), /tolerations\[0\]\.key: found nothing; expected the key of a taint/);
    assert.deepEqual(linesOf(one(toleration({ operator: "Exists" }))), []);
    fault({ image: "RayProject/ray:2.60.0" }, /image: found "RayProject/);
    fault({ head: { rayStartParams: { "--num-cpus": "1" } } }, /rayStartParams\.--num-cpus: .*without dashes/);
    fault(
      { head: { ports: [{ name: "serve", containerPort: 6379 }] } },
      /containerPort: found 6379; .*another port than gcs/,
    );
    fault({ head: { memoryGb: 0.2 } }, /head\.memoryGb: found 0\.2; expected more, because Ray needs 0\.08 GB/);
  });

  it("can mount only existing volumes", () => {
    fault({ volumeMounts }, /volumeMounts\[0\]\.name: found "models"; expected a volume of this name/);
    fault({ volumes, volumeMounts: [{ name: "model", mountPath: "/m" }] }, /expected one of the volumes models/);
    assert.deepEqual(linesOf(one({ volumes, head: { volumeMounts } })), []);
    fault({ head: { volumes }, workerGroups: { gpu: { volumeMounts } } }, /workerGroups\.gpu\.volumeMounts\[0\]\.name/);
  });

  it("are rejected with invalid Kubernetes fields", () => {
    fault({ env: { A: { value: "x" } } }, /env\.A: .*expected a text, or an object with valueFrom/);
    fault({ envFrom: { secretRef: {} } }, /envFrom: .*expected a list of objects with secretRef/);
    fault({ containers: [{ image: "a:1" }] }, /containers\[0\]\.name: found nothing/);
    fault({ objectStoreShare: 0.9 }, /objectStoreShare: found 0\.9; expected a number above 0, 0\.8 at most/);
    fault({ head: { ports: [{ name: "serve", containerPort: 70_000 }] } }, /containerPort: found 70000/);
  });

  it("have Pod Security level baseline if they contain parts of the user", () => {
    const level = (cluster: object) => plannedNamespaces({ one: config(cluster) }).get("ray")?.[0]?.passes;
    assert.equal(level({}), "restricted");
    assert.equal(level({ workerGroups: { gpu: { volumes } } }), "baseline");
    assert.equal(level({ values: { podSpec: {} } }), "baseline");
  });
});
