import * as path from "node:path";
import { LocalWorkspace } from "@pulumi/pulumi/automation";
import { runtimeProgram } from "../../runtime/program";
import { projectRoot } from "../../toolchain/root";

/** A script that deploys runtimes with the Automation API, one after the other, as in its examples. */
async function main(provisioner: string, ids: readonly string[]): Promise<void> {
  const workDir = path.join(projectRoot(), "runtime");
  for (const stackName of ids) {
    const stack = await LocalWorkspace.createOrSelectStack(
      { stackName, projectName: "stackyard-runtime", program: runtimeProgram },
      { workDir },
    );
    const config = { platform: "organization/stackyard/dev", "deployment.slots": "1", "deployment.version": "v1" };
    const values = Object.entries({ ...config, "deployment.provisioner": provisioner });
    const paths = values.map(([key, value]) => [`stackyard-runtime:${key}`, { value }] as const);
    await stack.setAllConfig(Object.fromEntries(paths), true);
    await stack.up();
  }
}

const [provisioner = "", ...ids] = process.argv.slice(2);
void main(provisioner, ids);
