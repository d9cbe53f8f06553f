import { spawn } from "node:child_process";
import { Failure } from "../errors";
import { NOT_FOUND } from "./pulumi";

/**
 * One run of the Pulumi CLI that the person sees as if it was typed. Ctrl-C reaches it too, and we wait for it to end.
 * Answers its exit code.
 */
export function pulumiVisibly(args: readonly string[], folder: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
    const child = spawn("pulumi", args, { cwd: folder, env, stdio: ["ignore", process.stderr, "inherit"] });
    const wait = () => undefined;
    process.on("SIGINT", wait);
    child.once("error", (error: NodeJS.ErrnoException) => {
      reject(error.code === "ENOENT" ? new Failure(NOT_FOUND) : error);
    });
    child.once("close", (code) => {
      process.off("SIGINT", wait);
      resolve(code ?? 1);
    });
  });
}
