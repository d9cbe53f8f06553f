import { spawn } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { say } from "../bootstrap/progress";
import { serviceEnvironment } from "../service/environment";
import { welcome } from "../service/welcome";
import { startYard } from "../yard";
import { layoutOf } from "../yard/layout";
import { up } from "./up";

/**
 * `make serve`: the provisioning service on the local yard, with the platform that `make up` deploys. Runs until it is
 * interrupted; a second one is a second process of the same service.
 */
export async function serve(root: string): Promise<number> {
  const yard = await startYard();
  const state = layoutOf(yard.directory).state;
  if (!fs.existsSync(path.join(state, ".pulumi", "stacks", "stackyard", "dev.json"))) {
    const code = await up(root);
    if (code !== 0) return code;
  }
  const { env, token } = await serviceEnvironment(yard, process.env);
  say("• Starting the service");
  const child = spawn(process.execPath, [path.join(root, "service", "bin", "stackyard-service")], {
    cwd: root,
    env,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  child.on("message", (message: { readonly ready?: string }) => {
    if (message.ready !== undefined) say(welcome(message.ready, env["APP_API_ENDPOINT"] ?? "/graphql", token));
  });
  // A terminal's Ctrl-C reaches the service by itself; we wait for it to end.
  process.on("SIGINT", () => undefined);
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}
