export { EnginePool } from "./enginePool";
export type { Log } from "./log";
export type { WorkerSettings } from "./settings";
export { Planner, type Plan } from "./planner";
export { startWorkers, Workers } from "./workers";
