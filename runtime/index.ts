import "../foundation/pulumi/structs";
import "../foundation/schema/interpreted";
import { runtimeProgram } from "./program";

// Pulumi calls it; the outputs of the stack are what it answers: `RuntimeOutputs` in components/runtime/platform/platform.ts.
export = () => runtimeProgram();
