export type { WorkerSettings } from "./settings";
export { startWorkers, Workers } from "./workers";
