import "./foundation/schema/interpreted";
import { platform } from "./components/platform/program";

// Pulumi calls this function. Its result becomes the stack outputs.
export = platform;
