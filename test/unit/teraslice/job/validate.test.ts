import assert from "node:assert/strict";
import fc from "fast-check";
import { jobFaults } from "../../../../components/teraslice/job/validate";
import { clusterNames } from "../../../../components/teraslice/podConfig/names";
import { CONNECTORS, SECRETIVE, settingsOf } from "../samples";
import { fault, fine, linesOf } from "./faults";

describe("the check of a Teraslice job", () => {
  it("accepts the jobs that Teraslice documents", () => {
    fine({});
    fine({
      name: "Reindex Events",
      lifecycle: "once",
      analytics: false,
      assets: ["elasticsearch"],
      operations: [
        { _op: "elasticsearch_reader", index: "events-*", size: 5000 },
        { _op: "custom_op", some: "configuration" },
        { _op: "elasticsearch_bulk", _connection: "default" },
      ],
    });
    fine({
      apis: [{ _name: "kafka_dead_letter", topic: "a" }],
      operations: [{ _op: "kafka_reader", _dead_letter_action: "kafka_dead_letter" }, { _op: "noop" }],
    });
    fine({ cpu: 1, memory: 2147483648, targets: [{ key: "zone", value: "west" }], probation_window: 300_000 });
    fine({ volumes: [{ name: "teraslice-data1", path: "/data" }], external_ports: [8080, { name: "a", port: 9 }] });
    fine({ labels: { "key 1": "value 1" }, assets: null, external_ports: null, log_level: null, __metadata: {} });
  });

  it("rejects a value that is not a job, with its type", () => {
    const [one] = jobFaults([], settingsOf());
    assert.match(one?.message ?? "", /found a list; expected a job, which is an object with operations/);
    assert.match(jobFaults(null, settingsOf())[0]?.message ?? "", /found null/);
  });

  it("rejects a mix of old and new resource keys of one type", () => {
    fault(/^cpu: found 1 beside resources_limits_cpu; expected either/, { cpu: 1, resources_limits_cpu: 2 });
    fault(/^memory: found \d+ beside resources_requests_memory and resources_limits_memory/, {
      memory: 1e9,
      resources_requests_memory: 1e9,
      resources_limits_memory: 1e9,
    });
    fine({ cpu: 1, resources_limits_memory: 1e9 });
  });

  it("rejects limits below requests, and invalid numbers", () => {
    fault(/^resources_limits_cpu: found 1; expected at least resources_requests_cpu, which is 2/, {
      resources_requests_cpu: 2,
      resources_limits_cpu: 1,
    });
    fault(/^resources_limits_memory: .*at least resources_requests_memory/, {
      resources_requests_memory: 2e9,
      resources_limits_memory: 1e9,
    });
    fault(/^cpu: found 0; expected a number of CPUs above 0/, { cpu: 0 });
    fault(/^memory: found "2Gi"; expected a whole number of bytes/, { memory: "2Gi" });
    fault(/^cpu_execution_controller: found -1;/, { cpu_execution_controller: -1 });
  });

  it("warns of sizes that are probably mistakes", () => {
    fault(/^warning: memory: found 2048; expected at least 67108864; memory is in bytes/, { memory: 2048 });
    fault(/^warning: resources_limits_memory: found nothing; expected a limit too/, { resources_requests_memory: 1e9 });
    fine({ resources_requests_memory: 1e9, env_vars: { NODE_OPTIONS: "--max-old-space-size=900" } });
    fault(/^warning: workers: found nothing; expected a number, because a master takes one for each CPU/, {
      workers: undefined,
    });
  });

  it("rejects other values that a master rejects", () => {
    fault(/^lifecycle: found "invalid"; expected once or persistent/, { lifecycle: "invalid" });
    fault(/^lifecycle: .*did you mean persistent/, { lifecycle: "persistant" });
    fault(/^operations: found a list of 1; expected a list of at least two/, { operations: [{ _op: "a" }] });
    fault(/^operations: found nothing; expected a list of at least two/, { operations: undefined });
    fault(/^operations\[1\]\._op: found nothing/, { operations: [{ _op: "a" }, {}] });
    fault(/^workers: found 0; expected a whole number from 1/, { workers: 0 });
    fault(/^slicers: found -1; expected a whole number from 1/, { slicers: -1 });
    fault(/^targets: found an object; expected a list/, { targets: { key: "a", value: "b" } });
    fault(/^targets\[0\]\.value: found nothing/, { targets: [{ key: "a" }] });
    fault(/^targets\[0\]\.key: found null/, { targets: [{ key: null, value: "b" }] });
    fault(/^volumes: found a text that|^volumes: found "data"/, { volumes: "data" });
    fault(/^volumes\[0\]\.path: found nothing/, { volumes: [{ name: "data" }] });
    fault(/^volumes\[0\]\.name: found nothing/, { volumes: [{ path: "/data" }] });
    fault(/^env_vars\.A: found an empty text/, { env_vars: { A: "" } });
    fault(/^env_vars\[""\]: /, { env_vars: { "": "a" } });
    fault(/^labels\.a: found ""/, { labels: { a: "" } });
    fault(/^labels\[""\]: /, { labels: { "": "a" } });
    fault(/^job_id: found "1"; expected none, because a master gives it/, { job_id: "1" });
    fault(/^external_ports\[0\]: found 45680; expected another port/, { external_ports: [45680] });
    fault(/^external_ports\[0\]\.port: found 45680; expected another port/, {
      external_ports: [{ name: "a", port: 45680 }],
    });
    fault(/^name: found ""/, { name: "" });
    fault(/^log_level: found "verbose"/, { log_level: "verbose" });
    fault(/^probation_window: found "soon"; expected milliseconds/, { probation_window: "soon" });
    fault(/^probation_window: found "5 minutes"; expected milliseconds/, { probation_window: "5 minutes" });
    fine({ probation_window: "300000" });
    fault(/^kubernetes_image: found "my image:1"; expected an image such as /, {
      kubernetes_image: "my image:1",
    });
    fault(/^max_retries: found -1/, { max_retries: -1 });
    fault(/^assets: found "kafka"; expected a list/, { assets: "kafka" });
  });

  it("rejects an override that is not enabled or that removes the configuration", () => {
    const pod_spec_override = { hostAliases: [] };
    fault(/^pod_spec_override: .*this master refuses overrides; set teraslice\.settings\.kubernetes_overrides/, {
      pod_spec_override,
    });
    fine({ pod_spec_override: {} });
    const on = { kubernetes_overrides_enabled: true };
    fine({ pod_spec_override }, {}, on);
    fine({ pod_spec_override: { volumes: [{}, { name: "tmp", emptyDir: {} }] } }, {}, on);
    const volumes = [{ name: "tmp", emptyDir: {} }];
    fault(/volumes\[0\]\.name: found "tmp"; .*put \{\} before it/, { pod_spec_override: { volumes } }, {}, on);
    fault(/containers: found an object; expected a list/, { pod_spec_override: { containers: { a: 1 } } }, {}, on);
    const map = { volumes: [{ configMap: { name: "mine" } }] };
    fine({ pod_spec_override: map }, {}, on);
    fault(/volumes\[0\]\.configMap: .*written to memory/, { pod_spec_override: map }, {}, {}, SECRETIVE);
  });

  it("rejects an unknown constraint", () => {
    for (const constraint of ["required", "preferred", "accepted"]) {
      fine({ targets: [{ key: "a", value: "b", constraint }] });
    }
    fault(
      /^targets\[1\]\.constraint: found "prefered"; expected required or preferred or accepted; did you mean preferred/,
      {
        targets: [
          { key: "a", value: "b" },
          { key: "c", value: "d", constraint: "prefered" },
        ],
      },
    );
    fault(/^targets\[0\]\.constraint: found null/, { targets: [{ key: "a", value: "b", constraint: null }] });
    fault(/^warning: targets\[0\]\.constrain: found an unknown key.*did you mean constraint/, {
      targets: [{ key: "a", value: "b", constrain: "accepted" }],
    });
  });

  it("rejects targets that are not valid labels or that no node can have together", () => {
    fault(/^targets\[0\]\.value: found true; .*in quotes/, { targets: [{ key: "gpu", value: true }] });
    fault(/^targets\[0\]\.key: found "a b"/, { targets: [{ key: "a b", value: "c" }] });
    const west = { key: "zone", value: "west" };
    const east = { key: "zone", value: "east" };
    fault(/^targets\[1\]\.value: found "east"; expected "west", as in targets\[0\]; no node has both/, {
      targets: [west, east],
    });
    fine({ targets: [west, west, { ...east, constraint: "preferred" }] });
    fault(
      /^targets\[0\]\.value: found "east"; expected "west", as in teraslice\.execution_controller_targets/,
      { targets: [east] },
      {},
      { execution_controller_targets: [west] },
    );
  });

  it("rejects labels that are invalid or equal in the form that a master gives them", () => {
    fault(/^labels\["key2%"\]: found the key "key2%"; .*io\/key2-, which Kubernetes refuses; such as key2$/, {
      labels: { "key2%": "a" },
    });
    fault(/^labels\.a: found "b%"; .*makes it b-/, { labels: { a: "b%" } });
    fault(/^labels\["a b"\]: .*becomes a-b, as "a-b" does/, { labels: { "a-b": "1", "a b": "2" } });
    fault(/^labels\.a: found 1; expected a text that is not empty, in quotes/, { labels: { a: 1 } });
    fault(/^labels\.relocatable: .*a master sets this one itself/, { labels: { relocatable: "true" } });
    fault(/^labels\.stackyard: .*the platform finds its jobs by it/, { labels: { stackyard: "mine" } });
    fault(/^warning: labels\.a+: found more than 63 characters/, { labels: { ["a".repeat(64)]: "b" } });
  });

  it("rejects volumes with an existing name or path", () => {
    const data = { name: "data", path: "/data" };
    fault(/^volumes\[1\]\.name: found "data"; .*volumes\[0\] has it/, { volumes: [data, { ...data, path: "/b" }] });
    fault(/^volumes\[1\]\.path: found "\/data\/"; .*volumes\[0\] exists/, {
      volumes: [data, { name: "b", path: "/data/" }],
    });
    fault(/^volumes\[0\]\.name: found "config"/, { volumes: [{ name: "config", path: "/a" }] });
    fault(/^volumes\[0\]\.path: .*the volume config exists/, { volumes: [{ name: "a", path: "/app/config" }] });
    fault(/^volumes\[0\]\.path: .*ephemeral-volume/, {
      volumes: [{ name: "a", path: "/ephemeral0" }],
      ephemeral_storage: true,
    });
    fault(
      /^volumes\[0\]\.name: found "shared"/,
      { volumes: [{ name: "shared", path: "/a" }] },
      {},
      {
        assets_volume: "shared",
      },
    );
    fault(/^warning: volumes\[0\]\.path: found "\/app\/assets"; .*assets_volume/, {
      volumes: [{ name: "a", path: "/app/assets" }],
    });
    fault(/^volumes\[0\]\.path: found "data"; expected an absolute path/, { volumes: [{ name: "a", path: "data" }] });
    fault(/^warning: volumes\[0\]\.readOnly: found an unknown key/, { volumes: [{ ...data, readOnly: true }] });
  });

  it("rejects invalid ports, duplicate ports and invalid port names", () => {
    fault(/^external_ports\[0\]: found 65536; expected a port/, { external_ports: [65536] });
    fault(/^external_ports\[0\]\.port: found "80"; expected a port/, { external_ports: [{ name: "a", port: "80" }] });
    fault(/^external_ports\[0\]: found "80"; expected a port, or an object/, { external_ports: ["80"] });
    fault(/^external_ports\[1\]\.port: found 80; .*external_ports\[0\] has it/, {
      external_ports: [80, { name: "a", port: 80 }],
    });
    fault(/^external_ports\[1\]\.name: found "a"; .*external_ports\[0\] has it/, {
      external_ports: [
        { name: "a", port: 80 },
        { name: "a", port: 81 },
      ],
    });
    for (const name of ["", "8080", "a--b", "-a", "sixteen-letters-", "A"]) {
      fault(/^external_ports\[0\]\.name: /, { external_ports: [{ name, port: 80 }] });
    }
    fault(/^external_ports\[0\]\.protocol: found an unknown key/, {
      external_ports: [{ name: "a", port: 80, protocol: "UDP" }],
    });
  });

  it("reserves the name metrics for the port that a master adds", () => {
    const external_ports = [{ name: "metrics", port: 9000 }];
    fine({ external_ports });
    fault(/^external_ports\[0\]\.name: found "metrics"; .*the port of metrics, 3333/, {
      external_ports,
      prom_metrics_enabled: true,
    });
    fine({ external_ports, prom_metrics_enabled: true, prom_metrics_port: 9000 });
    fault(/^prom_metrics_port: found 45680/, { prom_metrics_enabled: true, prom_metrics_port: 45680 });
    const served = { terafoundation: { connectors: CONNECTORS, prom_metrics_enabled: true } };
    fault(/^external_ports\[0\]\.name: /, { external_ports }, served);
    fine({ external_ports, prom_metrics_enabled: false }, served);
  });

  it("checks the names of connections and APIs", () => {
    const noop = { _op: "noop" };
    fault(/^operations\[0\]\._connection: found "defualt"; .*: default; did you mean default/, {
      operations: [{ _op: "a", _connection: "defualt" }, noop],
    });
    fine({ operations: [{ _op: "a", _connection: "lake" }, noop] }, {}, {}, SECRETIVE);
    fault(/^apis\[0\]\.connection: found "other"/, { apis: [{ _name: "a", connection: "other" }] });
    fault(/^apis\[1\]\._name: found "a"; expected another name, such as a:1, because apis\[0\] has it/, {
      apis: [{ _name: "a" }, { _name: "a" }],
    });
    fault(/^apis\[0\]\._name: found nothing/, { apis: [{ topic: "a" }] });
    fault(/^operations\[1\]\._dead_letter_action: found "trow"; .*did you mean throw/, {
      operations: [noop, { ...noop, _dead_letter_action: "trow" }],
    });
  });

  it("warns of unknown keys, with the closest match, and of keys that a master writes", () => {
    fault(/^warning: worker: found an unknown key, .*; did you mean workers$/, { worker: 3 });
    fault(/^warning: kubernetes_image_pull_secrets: found an unknown key/, { kubernetes_image_pull_secrets: [] });
    fault(/^warning: _created: found a key that a master writes itself; expected none/, { _created: "today" });
  });

  it("rejects images, paths and assets that Kubernetes or a master would refuse later", () => {
    for (const image of ["Teraslice:V1", "teraslice@sha256:123", "t:a:b", ":1", "t:-1"]) {
      fault(/^kubernetes_image: found .*; expected an image such as/, { kubernetes_image: image });
    }
    for (const image of ["teraslice", "r:5000/a/b_c:v1", `t:1@sha256:${"a".repeat(64)}`])
      fine({ kubernetes_image: image });
    for (const path of ["/", "//", "/a/../b", "/..", "a"]) {
      fault(/^volumes\[0\]\.path: found .*; expected an absolute path below \/, without : and \.\./, {
        volumes: [{ name: "a", path }],
      });
    }
    fine({ volumes: [{ name: "a", path: "/a..b/.c" }] });
    fault(/^assets\[0\]: found "standard:>>1"; expected a name/, { assets: ["standard:>>1"] });
    fault(/^assets\[1\]: found "standard:~2"; expected another asset, because assets\[0\] is standard too/, {
      assets: ["standard:1.0.0", "standard:~2"],
    });
    fine({ assets: ["standard:~1.2", "kafka:latest", "other:", "a".repeat(40)] });
  });

  it("rejects an override with the permissions of the master or access to the node", () => {
    const on = { kubernetes_overrides_enabled: true };
    fault(
      /^pod_spec_override\.serviceAccountName: .*would get the master's permissions/,
      {
        pod_spec_override: { serviceAccountName: clusterNames(settingsOf()).master },
      },
      {},
      on,
    );
    fine({ pod_spec_override: { serviceAccountName: "mine" } }, {}, on);
    const named = { ...on, kubernetes_namespace: "tera" };
    const hostPath = { name: "host", hostPath: { path: "/" } };
    const override = {
      hostNetwork: true,
      hostPID: false,
      volumes: [{}, hostPath],
      containers: [{ securityContext: { privileged: true }, ports: [{ hostPort: 80 }] }],
    };
    const at = [
      "hostNetwork",
      "volumes[1].hostPath",
      "containers[0].securityContext.privileged",
      "containers[0].ports[0].hostPort",
    ];
    const lines = linesOf({ pod_spec_override: override }, { createNamespace: true }, named);
    assert.equal(lines.length, 4, lines.join("\n"));
    for (const [index, path] of at.entries()) {
      assert.ok(lines[index]?.startsWith(`pod_spec_override.${path}: `), lines[index]);
      assert.match(lines[index] ?? "", /the Pod Security level baseline, .*set teraslice\.podSecurity: privileged$/);
    }
    fine({ pod_spec_override: override }, { createNamespace: true, podSecurity: "privileged" }, named);
    fault(
      /^warning: pod_spec_override\.hostNetwork: found access to the node; expected none/,
      {
        pod_spec_override: { hostNetwork: true },
      },
      { createNamespace: false },
      on,
    );
  });

  it("rejects variables that a master sets, and shows no values", () => {
    fault(/^env_vars\.EX: found the variable EX/, { env_vars: { EX: "hunter2" } });
    fault(/^env_vars\.PORT: found a number; expected a text/, { env_vars: { PORT: 8080 } });
    fault(/^env_vars\["a=b"\]: /, { env_vars: { "a=b": "hunter2" } });
    const lines = linesOf({ env_vars: { EX: "hunter2", A: ["hunter2"], "b c": "hunter2" } });
    assert.doesNotMatch(lines.join("\n"), /hunter/);
  });

  it("reports all faults at once", () => {
    const lines = linesOf({ lifecycle: "x", workers: 0, cpu: 1, resources_limits_cpu: 1, name: "a.b", extra: 1 });
    assert.equal(lines.length, 5, lines.join("\n"));
  });

  it("never throws for any input", () => {
    const settings = settingsOf();
    const keys = ["name", "targets", "volumes", "external_ports", "apis", "operations", "pod_spec_override", "labels"];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys), fc.jsonValue()), (job) => {
        jobFaults(job, settings);
      }),
    );
  });
});
