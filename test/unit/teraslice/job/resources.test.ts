import assert from "node:assert/strict";
import { heapMb } from "../../../../components/teraslice/job/footprint/pod";
import type { Planned } from "../samples";
import { containersOf } from "./samples";

const GIB = 1073741824;

/** Resources and the heap's cap of the execution controller and of workers. */
function wantedOf(job: object, settings: object = {}): [unknown, unknown][] {
  return containersOf(job, settings).map(({ resources, env }: Planned): [unknown, unknown] => [
    resources,
    (env as Planned[]).find(({ name }) => name === "NODE_OPTIONS")?.value,
  ]);
}
const workers = (...args: Parameters<typeof wantedOf>): unknown => wantedOf(...args)[1];
const controller = (...args: Parameters<typeof wantedOf>): unknown => wantedOf(...args)[0];

/** Request and limit. */
const same = (quantities: object): object => ({ requests: quantities, limits: quantities });
const cap = (mb: number): string => `--max-old-space-size=${mb}`;

describe("the resources of a job's containers", () => {
  it("cap the heap at 90 % of the limit, in MiB", () => {
    assert.deepEqual([GIB, 2147483648, 3147483648].map(heapMb), [922, 1843, 2702]);
  });

  it("are the job's cpu and memory, as requests and limits of workers", () => {
    assert.deepEqual(workers({ cpu: 1 }), [same({ cpu: 1 }), undefined]);
    assert.deepEqual(workers({ memory: 2147483648 }), [same({ memory: 2147483648 }), cap(1843)]);
    assert.deepEqual(workers({ cpu: 1, memory: 2147483648 }), [same({ cpu: 1, memory: 2147483648 }), cap(1843)]);
  });

  it("are the cluster's cpu and memory if the job has none", () => {
    const cluster = { cpu: 1, memory: 3147483648 };
    assert.deepEqual(workers({}, cluster), [same({ cpu: 1, memory: 3147483648 }), cap(2702)]);
    assert.deepEqual(workers({ cpu: 2 }, cluster), [same({ cpu: 2, memory: 3147483648 }), cap(2702)]);
    assert.deepEqual(workers({}), [undefined, undefined]);
  });

  it("include the separate requests and limits of a job", () => {
    const apart = {
      resources_requests_cpu: 0.25,
      resources_limits_cpu: 1,
      resources_requests_memory: GIB,
      resources_limits_memory: 2147483648,
    };
    assert.deepEqual(workers(apart), [
      { requests: { cpu: 0.25, memory: GIB }, limits: { cpu: 1, memory: 2147483648 } },
      cap(1843),
    ]);
    assert.deepEqual(workers({ resources_requests_cpu: 0.25 }), [{ requests: { cpu: 0.25 } }, undefined]);
    assert.deepEqual(workers({ resources_limits_cpu: 1 }), [{ limits: { cpu: 1 } }, undefined]);
    assert.deepEqual(workers({ resources_limits_memory: GIB }), [{ limits: { memory: GIB } }, cap(922)]);
  });

  it("have no heap cap if memory has only a request", () => {
    assert.deepEqual(workers({ resources_requests_memory: GIB }), [{ requests: { memory: GIB } }, undefined]);
  });

  it("come from the cluster's cpu or memory unless the job has a new key of that type", () => {
    const cluster = { cpu: 1, memory: GIB };
    assert.deepEqual(workers({ resources_requests_cpu: 0.5 }, cluster), [
      { requests: { cpu: 0.5, memory: GIB }, limits: { memory: GIB } },
      cap(922),
    ]);
    assert.deepEqual(workers({ resources_limits_memory: 2147483648 }, cluster), [
      { requests: { cpu: 1 }, limits: { cpu: 1, memory: 2147483648 } },
      cap(1843),
    ]);
  });

  it("of the execution controller are the job's, else the cluster's, else 0.5 CPUs and 512 MB", () => {
    assert.deepEqual(controller({}), [same({ cpu: 0.5, memory: 512000000 }), cap(439)]);
    const cluster = { cpu_execution_controller: 1, memory_execution_controller: GIB };
    assert.deepEqual(controller({}, cluster), [same({ cpu: 1, memory: GIB }), cap(922)]);
    const own = { cpu_execution_controller: 2, memory_execution_controller: 2147483648 };
    assert.deepEqual(controller(own, cluster), [same({ cpu: 2, memory: 2147483648 }), cap(1843)]);
    assert.deepEqual(workers(own), [undefined, undefined]);
  });

  it("of the execution controller do not depend on those of workers", () => {
    const job = { cpu: 4, resources_requests_memory: GIB, resources_limits_memory: GIB };
    assert.deepEqual(controller(job, { cpu: 8, memory: GIB }), [same({ cpu: 0.5, memory: 512000000 }), cap(439)]);
  });
});
