import { execFileSync, spawn } from "node:child_process";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { write } from "./samples";

const WHO = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" };

/** A real repository in a folder. */
export class Repository {
  constructor(readonly folder: string) {}

  git(...args: string[]): string {
    const env = { ...process.env, ...WHO, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
    return execFileSync("git", ["-c", "protocol.file.allow=always", ...args], {
      cwd: this.folder,
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  }

  static async make(folder: string, files: Readonly<Record<string, string>>): Promise<Repository> {
    await write(folder, {});
    const repository = new Repository(folder);
    execFileSync("git", ["init", "--quiet", "--initial-branch=main", folder]);
    await repository.commit(files);
    return repository;
  }

  /** The new commit. */
  async commit(files: Readonly<Record<string, string>>): Promise<string> {
    await write(this.folder, files);
    this.git("add", "--all", "--force");
    this.git("commit", "--quiet", "--allow-empty", "--message=x");
    return this.git("rev-parse", "HEAD");
  }

  /** git's own server behind a web server, for everything below `root`; `settings` are the server's. */
  static backend(root: string, settings: Readonly<Record<string, string>> = {}): RequestListener {
    return (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://x");
      const configured = Object.entries(settings).flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]);
      const env = {
        PATH: process.env["PATH"],
        ...(Object.fromEntries(configured) as Record<string, string>),
        GIT_CONFIG_COUNT: String(Object.keys(settings).length),
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: "1",
        REQUEST_METHOD: request.method,
        PATH_INFO: decodeURIComponent(pathname),
        QUERY_STRING: searchParams.toString(),
        CONTENT_TYPE: request.headers["content-type"] ?? "",
        HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
        GIT_PROTOCOL: request.headers["git-protocol"]?.toString() ?? "",
      };
      const child = spawn(join(execFileSync("git", ["--exec-path"], { encoding: "utf8" }).trim(), "git-http-backend"), {
        env,
      });
      request.pipe(child.stdin);
      const chunks: Buffer[] = [];
      child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
      child.on("close", () => {
        const all = Buffer.concat(chunks);
        const end = all.indexOf("\r\n\r\n");
        const headers = all
          .subarray(0, end)
          .toString("latin1")
          .split("\r\n")
          .map((line) => line.split(": "));
        const status = headers.find(([name]) => name === "Status")?.[1] ?? "200";
        response.writeHead(
          parseInt(status),
          Object.fromEntries(headers.filter(([name]) => name !== "Status")) as Record<string, string>,
        );
        response.end(all.subarray(end + 4));
      });
    };
  }
}
