import { success, type Context } from "../context";
import { endpointOf } from "../ray/clusters";
import type { RayJobs } from "../ray/jobs";
import { follow, jobsOf } from "../ray/submit";
import type { RayOptions } from "./ray";

async function jobs(context: Context, name: string, { stack }: RayOptions): Promise<RayJobs> {
  return jobsOf(context.root, stack, name, await endpointOf(context.root, stack, name));
}

export async function logs(context: Context, name: string, id: string, options: RayOptions): Promise<void> {
  await follow(context, await jobs(context, name, options), id);
}

export async function stop(context: Context, name: string, id: string, options: RayOptions): Promise<void> {
  await (await jobs(context, name, options)).stop(id);
  success(context, `job ${id} is told to stop`);
}
