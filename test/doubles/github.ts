import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

interface Item {
  readonly id: number;
  readonly number: number;
  body: string;
  title?: string;
  state?: string;
}

interface PullRequest {
  readonly state: "open" | "closed";
  readonly merged: boolean;
  readonly merge_commit_sha: string | null;
}

/**
 * Simulates the part of GitHub's REST API for comments, issues and pull requests, with one repository, `acme/platform`.
 */
export class GitHubDouble {
  readonly comments: Item[] = [];
  readonly issues: Item[] = [];
  readonly pulls = new Map<number, PullRequest>();
  /** Ancestors by commit. */
  readonly histories = new Map<string, readonly string[]>();
  /** Methods and paths, in order. */
  readonly requests: string[] = [];
  private server: Server | undefined;

  async start(): Promise<this> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { pathname } = new URL(request.url ?? "", "http://double");
        this.requests.push(`${request.method} ${pathname}`);
        const isKnown = request.headers.authorization === "token t0ken";
        const sent = JSON.parse(Buffer.concat(chunks).toString() || "{}") as Partial<Item>;
        const answer = isKnown ? this.answer(request.method ?? "", pathname, sent) : undefined;
        response.writeHead(isKnown ? (answer === undefined ? 404 : 200) : 401, { "content-type": "application/json" });
        response.end(JSON.stringify(answer ?? { message: isKnown ? "Not Found" : "Bad credentials" }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    this.server = server;
    return this;
  }

  /** Variables that GitHub Actions would set. */
  get env(): Record<string, string> {
    const { port } = this.server?.address() as AddressInfo;
    return { GITHUB_TOKEN: "t0ken", GITHUB_REPOSITORY: "acme/platform", GITHUB_API_URL: `http://127.0.0.1:${port}` };
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  private answer(method: string, path: string, sent: Partial<Item>): unknown {
    const [, pull] = /^\/repos\/acme\/platform\/pulls\/(\d+)$/.exec(path) ?? [];
    if (pull !== undefined) return this.pulls.get(Number(pull));
    const [, base = "", head] = /^\/repos\/acme\/platform\/compare\/(\w+)\.\.\.(\w+)$/.exec(path) ?? [];
    if (head !== undefined) {
      return {
        status: this.histories.get(head)?.includes(base) ? (base === head ? "identical" : "ahead") : "diverged",
      };
    }
    const [, rest = ""] = /^\/repos\/acme\/platform\/issues(.*)$/.exec(path) ?? [];
    const add = (to: Item[], base: object): Item => {
      const item = { id: to.length + 1, number: to.length + 1, body: "", ...base, ...sent };
      to.push(item);
      return item;
    };
    if (/^\/\d+\/comments$/.test(rest)) return method === "GET" ? this.comments : add(this.comments, {});
    const comment = this.comments.find(({ id }) => rest === `/comments/${id}`);
    if (comment) return Object.assign(comment, sent);
    if (rest === "") {
      return method === "GET"
        ? this.issues.filter(({ state }) => state === "open")
        : add(this.issues, { state: "open" });
    }
    const issue = this.issues.find(({ number }) => rest === `/${number}`);
    return issue && Object.assign(issue, sent);
  }
}
