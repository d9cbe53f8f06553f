/** Credentials for registries from the config files of docker and podman. */

import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { RegistryCredentials } from "../../foundation/registry/options";
import { Refused, Unavailable } from "../errors";
import { fitsStars } from "../stars";
import { DOCKER_HUB, type Repository } from "../../foundation/registry/reference";
import { isObject, type Json } from "../../foundation/json/isObject";

/** Returns the credentials in a file for a repository: the longest matching key wins. Undefined if there are none. */
export function credentialsIn(text: string, wanted: Repository): RegistryCredentials | undefined {
  const found = nearest(authsOf(parse(text)), wanted);
  return found && fromEntry(found);
}

/** Reads the current user's config files, in the order of podman and docker. */
export async function ownCredentials(
  wanted: Repository,
  env: NodeJS.ProcessEnv = process.env,
): Promise<RegistryCredentials | undefined> {
  const { REGISTRY_AUTH_FILE, XDG_RUNTIME_DIR, DOCKER_CONFIG } = env;
  const files = [
    REGISTRY_AUTH_FILE,
    XDG_RUNTIME_DIR && join(XDG_RUNTIME_DIR, "containers/auth.json"),
    join(DOCKER_CONFIG || join(env["HOME"] ?? homedir(), ".docker"), "config.json"),
  ];
  for (const file of files) {
    if (file === undefined || file === "") continue;
    const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw new Unavailable(`${file} can't be read: ${error.code}`, false);
    });
    if (text === undefined) continue;
    const found = (await fromHelper(parse(text), wanted, env)) ?? credentialsIn(text, wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

function parse(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Reported below, because this error would contain a part of the secret.
  }
  throw new Refused("dockerConfig: found a text that is no JSON object; expected the content of docker's config.json");
}

/** The legacy format has the registries at the top level. */
const authsOf = (config: Json): Json => {
  const { auths } = config;
  if (isObject(auths)) return auths;
  return "credHelpers" in config || "credsStore" in config ? {} : config;
};

/** Normalizes keys such as `https://index.docker.io/v1/` and `registry.example.com/team`. */
function bare(key: string): string {
  const name = key
    .replace(/^https?:\/\//, "")
    .replace(/\/v[12]\/?$/, "")
    .replace(/\/+$/, "");
  return name.replace(/^(index\.|registry-1\.)?docker\.io/, DOCKER_HUB);
}

/** Whether a key matches the name or a prefix of it. Kubernetes allows `*` for a part of the host name. */
function leadsTo(key: string, full: string): boolean {
  if (full === key || full.startsWith(`${key}/`)) return true;
  const [[pattern, path], [host, rest]] = [hostAndPath(key), hostAndPath(full)];
  return pattern.includes("*") && fitsHost(pattern, host) && (path === "" || `${rest}/`.startsWith(`${path}/`));
}

function hostAndPath(name: string): [string, string] {
  const slash = name.indexOf("/");
  return slash < 0 ? [name, ""] : [name.slice(0, slash), name.slice(slash)];
}

/** Matches label by label: `*` matches neither dots nor ports. */
function fitsHost(pattern: string, host: string): boolean {
  const [patterns, labels] = [pattern, host].map((name) => name.split(/([.:])/)) as [string[], string[]];
  return patterns.length === labels.length && patterns.every((one, index) => fitsStars(one, labels[index] ?? ""));
}

function nearest(entries: Json, { registry, repository }: Repository): Json | undefined {
  const full = `${registry}/${repository}`;
  const [best] = Object.keys(entries)
    .filter((key) => leadsTo(bare(key), full))
    .sort((a, b) => bare(b).length - bare(a).length);
  const found = best === undefined ? undefined : entries[best];
  return isObject(found) ? found : undefined;
}

function fromEntry(entry: Json): RegistryCredentials | undefined {
  const text = (key: string): string | undefined =>
    typeof entry[key] === "string" && entry[key] !== "" ? entry[key] : undefined;
  const registryToken = text("registrytoken");
  if (registryToken !== undefined) return { registryToken };
  const identityToken = text("identitytoken");
  if (identityToken !== undefined) return { identityToken };
  const decoded = Buffer.from(text("auth") ?? "", "base64").toString("utf8");
  const colon = decoded.indexOf(":");
  const username = text("username") ?? (colon > 0 ? decoded.slice(0, colon) : undefined);
  const password = text("password") ?? (colon > 0 ? decoded.slice(colon + 1).replace(/\0+$/, "") : undefined);
  return username === undefined || password === undefined ? undefined : { username, password };
}

/** Uses the user's credential helper. Undefined if there is none, or it has no credentials for this registry. */
async function fromHelper(
  config: Json,
  { registry }: Repository,
  env: NodeJS.ProcessEnv,
): Promise<RegistryCredentials | undefined> {
  const { credHelpers, credsStore } = config;
  const own = isObject(credHelpers) ? Object.entries(credHelpers).find(([key]) => bare(key) === registry) : undefined;
  const helper = own?.[1] ?? credsStore;
  if (typeof helper !== "string" || helper === "") return undefined;
  if (!/^[A-Za-z0-9._-]+$/.test(helper)) throw new Refused("dockerConfig: found a credential helper that is no name");
  const server = registry === DOCKER_HUB ? "https://index.docker.io/v1/" : registry;
  const answer = await ask(`docker-credential-${helper}`, server, env);
  if (answer === undefined) return undefined;
  const { Username, Secret } = parse(answer);
  if (typeof Username !== "string" || typeof Secret !== "string") return undefined;
  return Username === "<token>" ? { identityToken: Secret } : { username: Username, password: Secret };
}

function ask(program: string, server: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, ["get"], { env, stdio: ["pipe", "pipe", "ignore"], timeout: 30_000 });
    let out = "";
    child.stdout.on("data", (chunk: Buffer) => (out = (out + chunk.toString()).slice(0, 100_000)));
    child.on("error", () =>
      reject(new Unavailable(`${program} can't be run; docker's config.json names it for ${server}`, false)),
    );
    // Helpers exit with 1 if they have no credentials.
    child.on("close", (code) => resolve(code === 0 ? out : undefined));
    child.stdin.on("error", () => undefined);
    child.stdin.end(server);
  });
}
