import { success, type Context } from "../context";
import { Failure } from "../../foundation/errors";
import { accessText, rayEndpoint, rayName, disable, enable } from "./clusters";
import { StackFile } from "../../engine/stack/file";
import { deployChange } from "../stack/deployChange";
import type { UpOptions } from "./options";

export async function deployRay(context: Context, name: string, options: UpOptions): Promise<void> {
  const file = await platformFile(context.root, options.stack);
  const notebooks = enable(file, rayName(name), options);
  if (!(await deployChange(context, options.stack, file, `Deploy the Ray cluster ${name}?`, options))) return;
  const endpoint = await rayEndpoint(context.platforms, options.stack, name);
  success(context, `Ray cluster ${name} is ready`);
  if (notebooks !== undefined)
    context.print(`  notebooks still reach ${notebooks}; jupyterhub.rayCluster names another`);
  context.print(accessText(name, endpoint));
}

export async function down(context: Context, name: string, options: UpOptions): Promise<void> {
  const file = await platformFile(context.root, options.stack);
  disable(file, name);
  const question = `Delete the Ray cluster ${name} with everything that it computes and stores?`;
  if (!(await deployChange(context, options.stack, file, question, options))) return;
  success(context, `Ray cluster ${name} is deleted`);
}

async function platformFile(root: string, stack: string): Promise<StackFile> {
  const file = await StackFile.read(root, stack);
  if (file.exists) return file;
  throw new Failure(`${file.file} does not exist; expected the stack file of a platform (see --stack)`);
}
