import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import { lt } from "semver";
import { dependencies } from "../../package.json";
import { findingsOf, type Finding } from "./finding";

const { ok, warning, fault } = findingsOf("tools");
const HOW = "install Pulumi (https://www.pulumi.com/docs/install), and put its folder on PATH";
const HOST = "pulumi-language-nodejs";

/** Programs that an update starts, and their versions. */
export async function toolFindings(env: NodeJS.ProcessEnv = process.env): Promise<Finding[]> {
  const folders = (env["PATH"] ?? "").split(path.delimiter);
  const where = (program: string): string | undefined =>
    folders.map((folder) => path.join(folder, program)).find((file) => existsSync(file));
  const node = ok(`Node.js ${process.versions.node}`);
  const program = where("pulumi");
  if (program === undefined) return [node, fault("found no pulumi on PATH", HOW)];
  const { stdout } = await promisify(execFile)(program, ["version"]);
  const version = stdout.trim().replace(/^v/, "");
  const sdk = dependencies["@pulumi/pulumi"];
  const engine = lt(version, sdk)
    ? warning(`Pulumi ${version} is older than the SDK of the program, ${sdk}`, HOW)
    : ok(`Pulumi ${version}`);
  const isBeside = existsSync(path.join(path.dirname(realpathSync(program)), HOST));
  const host = isBeside || where(HOST) !== undefined ? [] : [fault(`found no ${HOST} beside pulumi or on PATH`, HOW)];
  return [node, engine, ...host];
}
