import "../foundation/schema/interpreted";
import { runtimeProgram } from "./program";

// Pulumi calls this function. Its result becomes the stack outputs: `RuntimeOutputs` in
// components/runtime/platform/platform.ts.
export = () => runtimeProgram();
