import assert from "node:assert/strict";
import fc from "fast-check";
import { configText, connectorSecrets } from "../../../components/teraslice/podConfig/configMaps";
import { clusterNames } from "../../../components/teraslice/podConfig/names";
import { decode, goodWith, linesOf } from "../config/fixtures";
import { CONNECTORS, fault, SECRETIVE, settingsOf, withTeraslice } from "./samples";

describe("the config of Teraslice", () => {
  it("has the setting names and defaults that Teraslice documents", () => {
    assert.deepEqual(settingsOf().teraslice, {
      action_timeout: 300000,
      analytics_rate: 60000,
      api_response_timeout: 300000,
      asset_storage_connection: "default",
      asset_storage_connection_type: "elasticsearch-next",
      assets_directory: "/app/assets",
      cluster_manager_type: "kubernetesV2",
      cpu_execution_controller: 0.5,
      env_vars: {},
      index_rollover_frequency: { analytics: "monthly", state: "monthly" },
      kubernetes_api_poll_delay: 1000,
      kubernetes_config_map_name: "teracluster-worker",
      kubernetes_image: "teraslice:k8sdev",
      kubernetes_namespace: "default",
      kubernetes_overrides_enabled: false,
      kubernetes_worker_antiaffinity: false,
      memory_execution_controller: 512000000,
      name: "teracluster",
      network_latency_buffer: 15000,
      node_disconnect_timeout: 300000,
      node_state_interval: 5000,
      port: 5678,
      shutdown_timeout: 60000,
      slicer_allocation_attempts: 3,
      slicer_timeout: 180000,
      state: { connection: "default" },
      worker_disconnect_timeout: 300000,
    });
    const { connectors, ...terafoundation } = settingsOf().terafoundation;
    assert.deepEqual(terafoundation, {
      log_level: "info",
      prom_metrics_add_default: true,
      prom_metrics_enabled: false,
      prom_metrics_port: 3333,
    });
    assert.deepEqual(Object.keys(connectors).sort(), ["elasticsearch-next", "kafka", "s3"]);
  });

  it("has safe defaults for the objects of the master", () => {
    const { teraslice, terafoundation, ...around } = settingsOf();
    assert.ok(teraslice && terafoundation);
    assert.deepEqual(around, {
      enabled: true,
      image: "teraslice:k8sdev",
      createNamespace: false,
      protection: {},
      rbac: "least",
      imagePullSecrets: [],
      master: {
        annotations: {},
        containers: [],
        cpu: 0.5,
        env: {},
        envFrom: [],
        evictable: false,
        initContainers: [],
        labels: {},
        memoryMb: 2048,
        nodeSelector: {},
        serviceAccount: { annotations: {} },
        settings: {},
        terafoundation: {},
        tolerations: [],
        volumeMounts: [],
        volumes: [],
      },
      worker: { envFrom: [], initContainers: [], settings: {}, terafoundation: {} },
      service: { type: "ClusterIP", annotations: {} },
      networkPolicy: {
        enabled: true,
        clientNamespaces: [],
        clientCidrs: [],
        apiServerCidrs: ["0.0.0.0/0", "::/0"],
        egress: [],
      },
      source: "stackyard:teraslice",
      timeoutSeconds: 300,
      warnings: [],
      jobs: [],
    });
  });

  it("keeps every setting that is given", () => {
    const given = {
      assets_volume: "assets",
      kubernetes_image: "example/teraslice:1",
      kubernetes_image_pull_secret: "pull",
      kubernetes_config_map_name: "workers",
      kubernetes_namespace: "ts-dev1",
      cluster_manager_type: "kubernetes",
      kubernetes_overrides_enabled: true,
      kubernetes_priority_class_name: "high",
      kubernetes_worker_antiaffinity: true,
      kubernetes_api_poll_delay: 2,
      cpu: 0.25,
      memory: 3147483648,
      cpu_execution_controller: 2,
      memory_execution_controller: 1024,
      execution_controller_targets: [{ key: "zone", value: "west" }],
      env_vars: { A: "b" },
      assets_directory: "/assets",
      asset_storage_connection: "default",
      asset_storage_connection_type: "elasticsearch-next",
      state: { connection: "default" },
      index_rollover_frequency: { state: "daily", analytics: "yearly" },
      port: 80,
      action_timeout: 1,
      analytics_rate: 2,
      api_response_timeout: 3,
      network_latency_buffer: 4,
      node_disconnect_timeout: 5,
      node_state_interval: 6,
      shutdown_timeout: 7,
      slicer_allocation_attempts: 8,
      slicer_timeout: 9,
      worker_disconnect_timeout: 10,
      name: "ts-dev1",
    };
    assert.deepEqual(settingsOf({}, given).teraslice, given);
  });

  it("gives master and jobs the same image", () => {
    const { image, teraslice } = settingsOf({ image: "example/teraslice:2" });
    assert.deepEqual([image, teraslice.kubernetes_image], ["example/teraslice:2", "example/teraslice:2"]);
    assert.equal(settingsOf({}, { kubernetes_image: "example/teraslice:3" }).image, "example/teraslice:3");
  });

  it("passes the first pull secret to jobs, and the jobs' pull secret to the master", () => {
    const several = settingsOf({ imagePullSecrets: ["one", "two"] });
    assert.equal(several.teraslice.kubernetes_image_pull_secret, "one");
    assert.ok(several.teraslice.kubernetes_overrides_enabled);
    assert.deepEqual(settingsOf({}, { kubernetes_image_pull_secret: "jobs" }).imagePullSecrets, ["jobs"]);
    fault(
      /pull_secret: found "three"; expected one of imagePullSecrets: one/,
      { imagePullSecrets: ["one"] },
      { kubernetes_image_pull_secret: "three" },
    );
  });

  it("sets the name of the assets claim that it creates", () => {
    const claim = { assetsClaim: { sizeGb: 20 } };
    assert.equal(settingsOf(claim, { name: "acme" }).teraslice.assets_volume, "acme-assets");
    assert.equal(settingsOf(claim, { assets_volume: "mine" }).teraslice.assets_volume, "mine");
    assert.equal(settingsOf(claim).assetsClaim?.accessMode, "ReadWriteMany");
  });

  it("gives objects valid names for every accepted name", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zA-Z0-9._-]{1,50}$/), (name) => {
        if (linesOf(withTeraslice({}, { name })).length > 0) return;
        for (const each of Object.values<string>({ ...clusterNames(settingsOf({}, { name })) })) {
          assert.match(each, /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
        }
      }),
    );
    assert.deepEqual(linesOf(withTeraslice({}, { name: "a".repeat(40) })), []);
    for (const name of ["a".repeat(41), "a_b", "A", "1a", "a-"]) fault(/settings\.name: .*40 characters/, {}, { name });
  });

  it("accepts secrets only by reference, and shows none", () => {
    const search = (more: object) => ({ "elasticsearch-next": { default: { node: ["https://a.example"], ...more } } });
    const lines = linesOf(withTeraslice({}, {}, search({ username: "tera", password: "hunter2" })));
    assert.deepEqual(lines.length, 1);
    assert.match(lines[0] ?? "", /default\.password: found a text; expected a reference \{secret, key\}/);
    const url = linesOf(
      withTeraslice({}, {}, { "elasticsearch-next": { default: { node: ["https://u:hunter2@a.example"] } } }),
    );
    assert.match(url.join("\n"), /node\[0\]: .*user and password belong into username and password/);
    const s3 = { endpoint: "s3.example", accessKeyId: "AKIAHUNTER", secretAccessKey: "hunter2" };
    const both = linesOf(withTeraslice({}, {}, { ...CONNECTORS, s3: { a: s3 } }));
    assert.equal(both.length, 2, both.join("\n"));
    assert.doesNotMatch([...lines, ...url, ...both].join("\n"), /hunter/i);
  });

  it("requires connectors that a master can start with", () => {
    assert.deepEqual(linesOf(withTeraslice({}, {}, SECRETIVE)), []);
    fault(/connectors: found .*elasticsearch-next: found nothing|elasticsearch-next: found nothing/, {}, {}, {});
    fault(
      /state\.connection: found "other"; expected a connection .* one of default/,
      {},
      { state: { connection: "other" } },
    );
    fault(
      /asset_storage_connection: found nothing, which means default; .*s3, and there is none/,
      {},
      { asset_storage_connection_type: "s3" },
    );
    fault(/asset_storage_bucket: .*no bucket, because/, {}, { asset_storage_bucket: "assets" });
    fault(
      /default\.password: found nothing; expected one, because there is username/,
      {},
      {},
      {
        "elasticsearch-next": { default: { node: ["http://a"], username: "tera" } },
      },
    );
    fault(
      /a\.caCertificate: .*because sslEnabled is false/,
      {},
      {},
      {
        ...CONNECTORS,
        s3: {
          a: {
            ...SECRETIVE.s3.lake,
            endpoint: "http://s3",
            sslEnabled: false,
            caCertificate: "-----BEGIN CERTIFICATE-----",
          },
        },
      },
    );
    fault(
      /a\.ssl_ca_location: .*because there is caCertificate/,
      {},
      {},
      {
        ...CONNECTORS,
        kafka: { a: { brokers: ["k:9092"], ssl_ca_location: "/ca", caCertificate: "-----BEGIN CERTIFICATE-----" } },
      },
    );
  });

  it("requires of S3 connections what Teraslice's connector requires: keys, and the scheme of the endpoint", () => {
    const { lake } = SECRETIVE.s3;
    const refused = (expected: RegExp, a: object) => fault(expected, {}, {}, { ...CONNECTORS, s3: { a } });
    for (const key of ["accessKeyId", "secretAccessKey"] as const) {
      const others = Object.fromEntries(Object.entries(lake).filter(([name]) => name !== key));
      refused(new RegExp(`s3\\.a\\.${key}: found nothing; expected a reference`), others);
    }
    for (const endpoint of ["http://s3.example.com", "s3.example.com"])
      refused(/s3\.a\.endpoint: found .*; expected an https URL, or sslEnabled: false/, { ...lake, endpoint });
    const plain = { ...lake, sslEnabled: false };
    refused(/s3\.a\.endpoint: found .*; expected an http URL, or sslEnabled: true/, plain);
    const good = { ...plain, endpoint: "http://store.store.svc:7070", forcePathStyle: true };
    assert.deepEqual(linesOf(withTeraslice({}, {}, { ...CONNECTORS, s3: { good } })), []);
  });

  it("rejects brokers and endpoints that can't exist", () => {
    for (const broker of ["b-1.msk.amazonaws.com:90920", "1.2.3.4.5:9092", "10.0.0.300:9092"]) {
      const kafka = { a: { brokers: [broker] } };
      fault(/kafka\.a\.brokers\[0\]: found .*expected a broker such as/, {}, {}, { ...CONNECTORS, kafka });
    }
    const s3 = { a: { ...SECRETIVE.s3.lake, endpoint: "https://minio:90000" } };
    fault(/s3\.a\.endpoint: found .*expected a host or a URL/, {}, {}, { ...CONNECTORS, s3 });
  });

  it("rejects invalid and ineffective settings", () => {
    fault(
      /cluster_manager_type: found "native"; expected kubernetesV2 or kubernetes/,
      {},
      { cluster_manager_type: "native" },
    );
    fault(/image: .*latest can change at any time/, { image: "terascope/teraslice:latest" });
    fault(/image: found "terascope\/teraslice"; expected an image with a fixed tag/, { image: "terascope/teraslice" });
    fault(/image: found "registry:5000\/teraslice"; expected an image with a fixed tag/, {
      image: "registry:5000/teraslice",
    });
    fault(/createNamespace: found true; expected false, because the namespace default/, { createNamespace: true });
    fault(
      /kubernetes_config_map_name: .*teracluster-master is the master's/,
      {},
      { kubernetes_config_map_name: "teracluster-master" },
    );
    fault(/memory: found 0.5; expected a whole number of bytes/, {}, { memory: 0.5 });
    fault(/cpu_execution_controller: found 0;/, {}, { cpu_execution_controller: 0 });
    fault(/targets\[0\]\.value: found nothing/, {}, { execution_controller_targets: [{ key: "a" }] });
    fault(/env_vars\.A: found ""/, {}, { env_vars: { A: "" } });
    fault(/port: found 45678; expected another port/, {}, { port: 45678 });
    fault(/nodePort: found 30678; expected none, because service.type is ClusterIP/, { service: { nodePort: 30678 } });
    fault(/prom_metrics_port: found 5678; expected another port/, {
      terafoundation: { connectors: CONNECTORS, prom_metrics_enabled: true, prom_metrics_port: 5678 },
    });
    fault(/rbac: found "cluster-admin"; expected least or original/, { rbac: "cluster-admin" });
    fault(
      /overrides_enabled: found false; expected true, because connectors have secrets/,
      {},
      { kubernetes_overrides_enabled: false },
      SECRETIVE,
    );
  });

  it("passes on documented settings, and unknown settings with a warning", () => {
    const documented = {
      index_settings: { state: { number_of_shards: 1, number_of_replicas: 0 } },
      autoload_directory: "/app/autoload",
      slicer_port_range: "45679:46678",
      ephemeral_storage: true,
      hostname: "master",
      workers: 4,
    };
    const foundation = {
      logging: ["console", "file"],
      log_path: "/app/logs",
      log_level: [{ console: "warn" }, { file: "info" }],
      prom_metrics_display_url: "https://example.com",
      environment: "development",
    };
    const node = "https://a.example:9200";
    const search = { node, pingTimeout: 3000, sniffInterval: false, sniffEndpoint: "_nodes" };
    const settings = settingsOf(
      { terafoundation: { ...foundation, connectors: { "elasticsearch-next": { default: search } } } },
      documented,
    );
    assert.deepEqual(settings.warnings, []);
    for (const [key, value] of Object.entries(documented)) {
      assert.deepEqual((settings.teraslice as unknown as Record<string, unknown>)[key], value, key);
    }
    const { connectors, ...rest } = settings.terafoundation;
    for (const [key, value] of Object.entries(foundation)) {
      assert.deepEqual((rest as Record<string, unknown>)[key], value, key);
    }
    assert.deepEqual(connectors["elasticsearch-next"]?.["default"]?.["node"], [node]);
    // The examples of Teraslice have it as a list, and it does nothing.
    const unknown = settingsOf({}, { kubernetes_image_pull_secrets: ["a"], brand_new: 1, master: true });
    assert.equal((unknown.teraslice as unknown as Record<string, unknown>)["brand_new"], 1);
    assert.match(unknown.warnings[0] ?? "", /^stackyard:teraslice\.settings\.master: found a setting that follows/);
    assert.match(
      unknown.warnings[1] ?? "",
      /^stackyard:teraslice\.settings\.kubernetes_image_pull_secrets: found an unknown key.*did you mean kubernetes_image_pull_secret$/,
    );
    assert.match(
      unknown.warnings[2] ?? "",
      /settings\.brand_new: found an unknown key, which the master gets as it is/,
    );
    const misspelt = settingsOf({}, {}, { "elasticsearch-next": { default: { node, requestTimeOut: 5 } } });
    assert.match(
      misspelt.warnings.join(),
      /default\.requestTimeOut: found an unknown key.*did you mean requestTimeout$/,
    );
  });

  it("reads times with a unit, as Teraslice does", () => {
    const { shutdown_timeout, analytics_rate } = settingsOf(
      {},
      { shutdown_timeout: "1 minute", analytics_rate: "30 seconds" },
    ).teraslice;
    assert.deepEqual([shutdown_timeout, analytics_rate], [60_000, 30_000]);
    fault(/slicer_timeout: found "soon"; expected milliseconds, .*such as 5 minutes/, {}, { slicer_timeout: "soon" });
  });

  it("accepts connections of other types, but no plain secrets in them", () => {
    const other = (redis: object) => ({ ...CONNECTORS, redis: { cache: redis } });
    const good = settingsOf({}, {}, other({ url: "redis://r", auth: { token: { secret: "redis", key: "token" } } }));
    assert.match(good.warnings.join(), /connectors\.redis: found a type whose connections are not checked/);
    const [secret, ...more] = connectorSecrets(good.terafoundation.connectors);
    assert.deepEqual([secret, more], [{ secret: "redis", key: "token", variable: "CONNECTOR_SECRET_0" }, []]);
    assert.match(configText(good, "master"), /token: __CONNECTOR_SECRET_0__/);
    const lines = linesOf(withTeraslice({}, {}, other({ auth: { token: "hunter2" } })));
    assert.match(lines.join("\n"), /redis\.cache\.auth\.token: found a text; expected a reference \{secret, key\}/);
    assert.doesNotMatch(lines.join("\n"), /hunter/);
    const auth = { username: "tera", password: { secret: "search", key: "password" } };
    const twice = { "elasticsearch-next": { default: { node: "https://a.example", ...auth, auth } } };
    fault(/default\.auth: found an object; expected none, because there are username and password/, {}, {}, twice);
  });

  it("reports all faults at once", () => {
    const lines = linesOf(withTeraslice({ rbac: "all", image: "x" }, { name: "A", port: 0 }));
    assert.equal(lines.length, 4, lines.join("\n"));
  });

  it("requires a cluster, and states the consequences if disabled", () => {
    assert.match(
      linesOf({ ...withTeraslice(), cluster: {} }).join("\n"),
      /^cluster: found nothing; expected a cluster, because Teraslice/m,
    );
    const off = decode(withTeraslice({ enabled: false }));
    assert.equal(off.teraslice, undefined);
    assert.match(off.disabled[0]?.consequences ?? "", /jobs continue in the namespace default without a master/);
    const made = decode(withTeraslice({ enabled: false, createNamespace: true }, { kubernetes_namespace: "ts" }));
    assert.match(made.disabled[0]?.consequences ?? "", /the namespace ts is deleted with everything in it/);
    assert.equal(decode(goodWith({})).teraslice, undefined);
  });

  it("rejects the creation of a namespace that others use", () => {
    const expected =
      /createNamespace: found true; expected false, because the provisioner dedicated is in the namespace/;
    fault(expected, { createNamespace: true }, { kubernetes_namespace: "runtimes" });
    const shared = withTeraslice({ createNamespace: true }, { kubernetes_namespace: "ray" });
    assert.match(
      linesOf({ ...shared, ray: { one: { mode: "static" } } }).join("\n"),
      /because the Ray cluster one is in/,
    );
    assert.deepEqual(linesOf(withTeraslice({}, { kubernetes_namespace: "runtimes" })), []);
  });
});
