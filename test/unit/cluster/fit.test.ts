import assert from "node:assert/strict";
import { nodeFault, sizeWarning } from "../../../components/platform/checks/existingNodes";
import { allocatable, mostPods, type InstanceSize } from "../../../components/cluster/nodePool/allocatable";
import { fitFaults, type Fit } from "../../../components/cluster/nodePool/fit";
import { placedPods } from "../../../components/platform/facts";
import { quantity } from "../../../foundation/kubernetes/quantity";
import { decode, goodWith, linesOf } from "../config/fixtures";
import { EKS } from "./config.test";

/** As AWS describes them. */
const SIZES: Readonly<Record<string, InstanceSize>> = Object.fromEntries(
  (
    [
      ["m7i.large", 2, 8, 3, 10],
      ["m7i.xlarge", 4, 16, 4, 15],
      ["m7i.2xlarge", 8, 32, 4, 15],
      ["m7i.16xlarge", 64, 256, 15, 50],
      ["g6.2xlarge", 8, 32, 4, 15],
    ] as const
  ).map(([type, vcpus, gib, networkInterfaces, addressesPerInterface]) => [
    type,
    {
      type,
      vcpus,
      memoryMib: gib * 1024,
      gpus: type.startsWith("g") ? 1 : 0,
      networkInterfaces,
      addressesPerInterface,
    },
  ]),
);
const RAY = { instanceTypes: ["m7i.2xlarge"], max: 3, taints: ["dedicated=ray:NoSchedule"] };

describe("the allocatable resources of a node", () => {
  it("are less than the instance has, due to kernel, kubelet, eviction and DaemonSets", () => {
    // Nodes of 32 GiB with 110 pods were seen with 31.5 to 32.1 GB before anything ran on them.
    const { cpu, memoryBytes } = allocatable(SIZES["m7i.2xlarge"]!);
    assert.ok(memoryBytes > 31e9 && memoryBytes < 32.1e9, String(memoryBytes));
    assert.ok(cpu > 7.5 && cpu < 7.95, String(cpu));
  });

  it("depend on the number of pods per node", () => {
    assert.equal(mostPods(SIZES["m7i.large"]!, false), 29);
    assert.equal(mostPods(SIZES["m7i.large"]!, true), 110);
    assert.equal(mostPods(SIZES["m7i.2xlarge"]!, false), 58);
    assert.equal(mostPods(SIZES["m7i.16xlarge"]!, true), 250);
    const [one, other] = [true, false].map((prefixes) => allocatable(SIZES["m7i.large"]!, prefixes).memoryBytes);
    assert.equal(other! - one!, 11 * (110 - 29) * 2 ** 20);
  });
});

describe("pods on node pools", () => {
  function fit(ray: object, pools: object = { ray: RAY }, jupyterhub?: object): Fit {
    const cluster = { ...EKS, nodePools: { ...EKS.nodePools, ...pools } };
    const eu = { type: "kubernetes", spec: { namespace: "runtimes", host: "https://*.e.com", image: "a/b" } };
    const config = decode(
      {
        ...{ cluster, provisioners: { eu }, defaultProvisioner: "eu", ray: { one: { mode: "static", ...ray } } },
        ...(jupyterhub && { jupyterhub: { auth: { type: "dummy" }, ...jupyterhub } }),
      },
      { stack: "dev" },
    );
    assert.equal(config.cluster?.type, "eks");
    const { nodePools } = config.cluster.eks;
    return fitFaults(placedPods(config), { nodePools, sizes: SIZES, prefixes: true });
  }
  const worker = (pod: object) => ({ workerGroups: { gpu: { replicas: 1, ...pod } } });
  function fault(found: Fit, pattern: RegExp): void {
    assert.equal(found.faults.length, 1, found.faults.join("\n"));
    assert.match(found.faults[0] ?? "", pattern);
  }

  it("fit with all defaults on nodes of the documented size", () => {
    assert.deepEqual(fit({}), { faults: [], warnings: [] });
  });

  it("are rejected if no instance type of their pool has enough memory, CPUs or GPUs", () => {
    fault(
      fit(worker({ memoryGb: 36 })),
      /^stackyard:ray\.one\.workerGroups\.gpu\.memoryGb: found 36, of which 2 are reserved; expected a pod of at most 31\.\d GB, which m7i\.2xlarge of the node pool ray leaves/,
    );
    fault(
      fit({ reservedMemoryGb: 0, ...worker({ memoryGb: 16 }) }),
      /ray\.one\.head\.memoryGb: found 32, of which 0 are reserved/,
    );
    fault(
      fit(worker({ cpu: 12 })),
      /gpu\.cpu: found 12, of which 1 are reserved; expected a pod of at most 7\.\d CPUs/,
    );
    fault(fit(worker({ gpu: 1 })), /gpu\.gpu: found 1; expected at most 0, as m7i\.2xlarge of the node pool ray has/);
    const gpus = { ray: RAY, gpu: { ...RAY, instanceTypes: ["g6.2xlarge"], taints: ["dedicated=gpu:NoSchedule"] } };
    assert.deepEqual(fit(worker({ gpu: 1, pool: "gpu" }), gpus).faults, []);
  });

  it("cause a warning if a pool may get nodes that are too small", () => {
    const { faults, warnings } = fit({}, { ray: { ...RAY, instanceTypes: ["m7i.2xlarge", "m7i.xlarge"] } });
    assert.deepEqual(faults, []);
    assert.match(
      warnings[0] ?? "",
      /ray\.one\.head: fits no node of type m7i\.xlarge, which the node pool ray may get/,
    );
  });

  it("are checked against the pools whose labels and taints admit them", () => {
    const any = { pool: "", head: { cpu: 2, memoryGb: 4 }, ...worker({ memoryGb: 32, cpu: 8 }) };
    // Pools without taints: general, of m7i.xlarge in the fixture, and none that is tainted.
    fault(fit(any, { general: { instanceTypes: ["m7i.xlarge"], min: 1, max: 3 } }), /of the node pool general/);
    const large = { instanceTypes: ["m7i.2xlarge"], max: 3, labels: { size: "large" } };
    const selected = { ...any, ...worker({ nodeSelector: { size: "large", "topology.kubernetes.io/zone": "a" } }) };
    assert.deepEqual(fit(selected, { large }).faults, []);
  });

  it("are not checked if AWS does not describe the instance type", () => {
    assert.deepEqual(fit({}, { ray: { ...RAY, instanceTypes: ["m9x.2xlarge"] } }).faults, []);
  });

  it("include Teraslice masters and workers, whatever adds the nodes", () => {
    const general = { instanceTypes: ["m7i.large"], max: 3 };
    const connectors = { "elasticsearch-next": { default: { node: ["http://search:9200"] } } };
    const faults = (nodes: string, more: object, min: number): readonly string[] => {
      const config = decode({
        cluster: { ...EKS, nodes, nodePools: { general: { ...general, min } } },
        ingress: { existing: ["nginx"] },
        provisioners: {
          eu: { type: "kubernetes", spec: { namespace: "runtimes", host: "https://*.e.com", image: "a/b" } },
        },
        defaultProvisioner: "eu",
        teraslice: { image: "example/teraslice:3", terafoundation: { connectors }, ...more },
      });
      assert.equal(config.cluster?.type, "eks");
      const nodePools = Object.fromEntries(
        Object.entries(config.cluster.eks.nodePools).filter(([name]) => name === "general"),
      );
      return fitFaults(placedPods(config), { nodePools, sizes: SIZES, prefixes: true }).faults;
    };
    for (const [nodes, min] of [
      ["managed", 1],
      ["karpenter", 0],
      ["auto", 0],
    ] as const) {
      assert.deepEqual(faults(nodes, {}, min), []);
      const [master = ""] = faults(nodes, { master: { memoryMb: 16_384 } }, min);
      assert.match(
        master,
        /^stackyard:teraslice\.master\.memoryMb: found 16384; expected a pod of at most [56](\.\d)? GiB, which m7i/,
      );
      const [worker = ""] = faults(nodes, { settings: { cpu: 4 } }, min);
      assert.match(worker, /^stackyard:teraslice\.settings\.cpu: found 4; expected a pod of at most 1\.\d CPUs/);
    }
  });

  it("include notebooks, by their guarantee in GiB", () => {
    const pools = { ray: RAY, general: { instanceTypes: ["m7i.xlarge"], min: 1, max: 3 } };
    const profiles = {
      big: { displayName: "Big", memoryGb: 15, nodePool: "general" },
      small: { displayName: "Small" },
    };
    fault(
      fit({}, pools, { profiles, storage: { type: "none" } }),
      /^stackyard:jupyterhub\.profiles\.big\.memoryGb: found 15; expected a pod of at most 13\.\d GiB, which m7i\.xlarge/,
    );
  });
});

describe("pods on the nodes of an existing cluster", () => {
  const [head] = placedPods(decode(goodWith({ ray: { one: { mode: "static", pool: "ray" } } })));
  const node = { labels: { dedicated: "ray" }, taints: [], cpu: 8, memoryBytes: 31e9, gpus: 0 };

  it("cause a warning if all nodes that admit them are too small", () => {
    const small = { ...node, memoryBytes: 29.5e9 };
    assert.equal(sizeWarning(head!, [small, node]), undefined);
    assert.match(
      sizeWarning(head!, [small]) ?? "",
      /stackyard:ray\.one\.head: found a pod of 7 CPUs, 30 and 0; the largest of the 1 nodes that it may run on leaves 8 CPUs, 29\.5 GB/,
    );
    const taints = [{ key: "dedicated", value: "ray", effect: "NoSchedule" }];
    assert.match(sizeWarning(head!, [{ ...small, taints }]) ?? "", /29\.5 GB/);
    const foreign = [{ key: "other", effect: "NoExecute" }];
    assert.equal(
      sizeWarning(head!, [
        { ...small, labels: {} },
        { ...small, taints: foreign },
      ]),
      undefined,
    );
  });

  it("are a fault if no node has the labels, or all that have them repel the pods", () => {
    const tainted = (key: string) => ({ ...node, taints: [{ key, value: "x", effect: "NoSchedule" }] });
    assert.equal(nodeFault(head!, [{ ...node, labels: {} }, node]), undefined);
    assert.equal(nodeFault(head!, [tainted("node.kubernetes.io/unschedulable")]), undefined);
    assert.match(
      nodeFault(head!, [{ ...node, labels: {} }]) ?? "",
      /^stackyard:ray\.one\.head: found a pod for nodes with dedicated=ray; expected labels that one of the 1 nodes has/,
    );
    assert.match(
      nodeFault(head!, [tainted("other"), tainted("more")]) ?? "",
      /taints of none of the 2 nodes with dedicated=ray: more=x:NoSchedule, other=x:NoSchedule; expected/,
    );
  });

  it("are required if an update waits for them", () => {
    const workerGroups = { none: { minReplicas: 0, maxReplicas: 4 }, some: { minReplicas: 1, maxReplicas: 4 } };
    const pods = placedPods(decode(goodWith({ ray: { one: { mode: "autoscaling", workerGroups } } })));
    const required = pods.flatMap(({ path, isRequired }) => (isRequired ? [path] : []));
    assert.deepEqual(required, ["ray.one.head", "ray.one.workerGroups.some"]);
    assert.deepEqual(
      pods.map(({ nodeSelector }) => nodeSelector),
      [{}, {}, {}],
    );
  });

  it("are compared with the nodes' resources in Kubernetes quantities", () => {
    const cases = {
      "7910m": 7.91,
      "32486484Ki": 32486484 * 1024,
      "31Gi": 31 * 2 ** 30,
      "1e3": 1000,
      "4": 4,
      "2G": 2e9,
    };
    for (const [text, value] of Object.entries(cases)) assert.equal(quantity(text), value, text);
    for (const text of ["", "Gi", "1Xi", "a", "1.2.3"]) assert.equal(quantity(text), undefined, text);
  });
});

describe("the memory of Ray's pods", () => {
  it("is rejected if it does not exceed the reserved memory", () => {
    const [line] = linesOf(goodWith({ ray: { one: { mode: "static", reservedMemoryGb: 4, head: { memoryGb: 4 } } } }));
    assert.match(line ?? "", /head\.memoryGb: found 4; expected more than 4 GB, because reservedMemoryGb is that/);
  });
});
