import { success, type Context } from "../context";
import { rayEndpoint } from "./clusters";
import type { RayJobs } from "../../provider/resources/rayJob/jobs";
import { follow, jobsOf } from "./submit";
import type { RayOptions } from "./options";

async function jobs(context: Context, name: string, { stack }: RayOptions): Promise<RayJobs> {
  return jobsOf(context.platforms, stack, name, await rayEndpoint(context.platforms, stack, name));
}

export async function logs(context: Context, name: string, id: string, options: RayOptions): Promise<void> {
  await follow(context, await jobs(context, name, options), id);
}

export async function stopRayJob(context: Context, name: string, id: string, options: RayOptions): Promise<void> {
  await (await jobs(context, name, options)).stop(id);
  success(context, `job ${id} is stopping`);
}
