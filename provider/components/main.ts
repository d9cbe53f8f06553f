/** Serves the components of the package: Pulumi's SDK implements `Construct`. The provider starts this program. */

import "../../foundation/schema/interpreted";
import { serveSdk } from "../../foundation/pulumi/protocol/construct";
import { leaveWithParent } from "../framework/process";
import { version } from "../version";
import { construct } from "./construct";

/** `process.argv` has the address of the engine after `--components`. */
export function serveComponents(): Promise<void> {
  leaveWithParent(() => process.exit(0));
  return serveSdk({ version, construct }, process.argv.slice(3));
}
