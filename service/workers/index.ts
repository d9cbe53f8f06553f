export { EnginePool } from "./enginePool";
export type { Log } from "./log";
export type { WorkerSettings } from "./settings";
export { startWorkers, Workers } from "./workers";
