/** Where a project's stacks are. It is found once, at the start of a process, and handed on from there. */

import { readFileSync, realpathSync } from "node:fs";
import { homedir, hostname } from "node:os";
import * as path from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "js-yaml";

/** A project and the backend of its stacks, as Pulumi's Automation API understands the word. */
export interface Workspace {
  /** In the project: the working folder of the CLI, and the base of a relative backend. */
  readonly folder: string;
  /** URL of the state backend. Default: that of the project's Pulumi.yaml, or of the current `pulumi login`. */
  readonly backend?: string | undefined;
}

/** The workspaces of our two projects. */
export interface Workspaces {
  readonly platforms: Workspace;
  readonly runtimes: Workspace;
}

export const workspacesIn = (root: string, backend: string | undefined): Workspaces => ({
  platforms: { folder: root, backend },
  runtimes: { folder: path.join(root, "runtime"), backend },
});

/** The backend that a user or the engine gives to a process. Only what starts a process asks for it. */
export const backendIn = ({ PULUMI_BACKEND_URL: url }: NodeJS.ProcessEnv): string | undefined => url || undefined;

/** Hands the backend on to a process of Pulumi's. */
export const backendEnv = ({ backend }: Pick<Workspace, "backend">): Readonly<Record<string, string>> =>
  backend === undefined ? {} : { PULUMI_BACKEND_URL: backend };

/**
 * Names the backend for records and messages, without credentials: `s3://bucket/folder`, `postgres://host/database`,
 * `file:///home/ann on laptop` or `https://api.pulumi.com`. A provider's working directory is the folder of the
 * project's `main`, which may be below that of the project.
 */
export function backendName({ folder, backend }: Workspace, environment: NodeJS.ProcessEnv = process.env): string {
  const project = projectAbove(folder);
  const url = backend || project?.url || fromLogin(environment);
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
