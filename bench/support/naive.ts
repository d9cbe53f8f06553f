import * as path from "node:path";
import { LocalWorkspace } from "@pulumi/pulumi/automation";
import { runtimeProgram } from "../../runtime/program";
import { projectRoot } from "../../toolchain/root";

/** What a script does that brings runtimes up by the Automation API, one after the other, as its examples show it. */
async function main(provisioner: string, ids: readonly string[]): Promise<void> {
  const workDir = path.join(projectRoot(), "runtime");
  for (const stackName of ids) {
    const stack = await LocalWorkspace.createOrSelectStack(
      { stackName, projectName: "stackyard-runtime", program: runtimeProgram },
      { workDir },
    );
    const deployment = JSON.stringify({ slots: 1, version: "1", provisioner });
    await stack.setAllConfig({
      "stackyard-runtime:platform": { value: "organization/stackyard/dev" },
      "stackyard-runtime:deployment": { value: deployment },
    });
    await stack.up();
  }
}

const [provisioner = "", ...ids] = process.argv.slice(2);
void main(provisioner, ids);
