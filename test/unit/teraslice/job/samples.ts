import { footprint } from "../../../../components/teraslice/job/footprint/footprint";
import { settingsOf, type Planned } from "../samples";

export const IDS = { jobId: "7ba9afb0-417a-4f1b-9d3c-1f0e2d3c4b5a", exId: "e76a0278-9d7b-4a4a-8b0e-0c0e5f8a7b6c" };

/** The least that a master takes. */
export const LEAST = { name: "teraslice-job-name", workers: 2, operations: [{ _op: "reader" }, { _op: "noop" }] };

/** The objects of the least job with other fields, under a master with other settings. */
export function objectsOf(
  job: object = {},
  settings: Parameters<typeof settingsOf>[1] = {},
  more: object = {},
): { controller: Planned; service: Planned; workers: Planned } {
  return footprint({ ...LEAST, ...job }, settingsOf(more, settings), IDS);
}

/** The pods of the execution controller and of workers. */
export function podsOf(...args: Parameters<typeof objectsOf>): [Planned, Planned] {
  const { controller, workers } = objectsOf(...args);
  return [controller.spec.template.spec, workers.spec.template.spec];
}

/** Their one container. */
export function containersOf(...args: Parameters<typeof objectsOf>): [Planned, Planned] {
  const [controller, workers] = podsOf(...args);
  return [controller.containers[0], workers.containers[0]];
}
