/** Names the state backend of this process, for records and messages. Contains no credentials. */

import { readFileSync, realpathSync } from "node:fs";
import { homedir, hostname } from "node:os";
import * as path from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "js-yaml";

/**
 * `s3://bucket/folder`, `postgres://host/database`, `file:///home/ann on laptop` or `https://api.pulumi.com`. Takes the
 * first of `PULUMI_BACKEND_URL`, `backend.url` in the project's Pulumi.yaml, and the current `pulumi login`. `folder`: in
 * the project. A provider's working directory is the folder of the project's `main`, which may be below.
 */
export function backendName(folder = process.cwd(), environment: NodeJS.ProcessEnv = process.env): string {
  const project = projectAbove(folder);
  const url = environment["PULUMI_BACKEND_URL"] || project?.url || fromLogin(environment);
  return url === undefined ? `an unknown backend on ${hostname()}` : nameOf(url, project?.folder ?? folder);
}

function nameOf(url: string, folder: string): string {
  if (url.startsWith("file:")) return `${fileBackend(url, folder)} on ${hostname()}`;
  if (!URL.canParse(url)) return url;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname.replace(/\/+$/, "")}`;
}

/** Resolves `file://~` and relative folders, as the Pulumi CLI does. */
function fileBackend(url: string, folder: string): string {
  const plain = url.replace(/^file:(\/\/)?/, "").replace(/\?.*$/, "");
  if (plain.startsWith("~")) return `file://${path.join(homedir(), plain.slice(1))}`;
  return `file://${path.isAbsolute(plain) ? path.normalize(decoded(plain)) : path.resolve(folder, plain)}`.replace(
    /(?<=.)\/$/,
    "",
  );
}

function decoded(plain: string): string {
  try {
    return fileURLToPath(`file://${plain}`);
  } catch {
    return plain; // Not a valid URL path, so it is meant literally.
  }
}

interface ProjectFile {
  readonly backend?: { readonly url?: unknown };
}

interface Project {
  readonly folder: string;
  readonly url: string | undefined;
}

/** The nearest project, as the Pulumi CLI finds it. */
function projectAbove(folder: string): Project | undefined {
  const text = textOf(path.join(folder, "Pulumi.yaml"));
  if (text !== undefined) {
    // Most projects have none, and parsing takes longer than all the rest of a look at an owner.
    const { backend } = /\bbackend["']?\s*:/.test(text) ? ((load(text) ?? {}) as ProjectFile) : {};
    // Two processes may have reached the folder by different links.
    return { folder: realpathSync(folder), url: typeof backend?.url === "string" ? backend.url : undefined };
  }
  const parent = path.dirname(folder);
  return parent === folder ? undefined : projectAbove(parent);
}

function fromLogin(environment: NodeJS.ProcessEnv): string | undefined {
  const home = environment["PULUMI_HOME"] || path.join(homedir(), ".pulumi");
  const text = textOf(path.join(home, "credentials.json"));
  if (text === undefined) return undefined;
  const { current } = JSON.parse(text) as { readonly current?: unknown };
  return typeof current === "string" && current !== "" ? current : undefined;
}

/** Undefined if there is no such file, or the user may not read it. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
