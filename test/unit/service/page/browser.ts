import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pino } from "pino";
import { launch, type Browser, type Page } from "puppeteer-core";
import type { Backend } from "../../../../service/api/backend";
import { trustedProxies } from "../../../../service/http/callerAddress";
import { pageFiles } from "../../../../service/http/files";
import { playgroundOf } from "../../../../service/http/playground";
import { createHttpServer } from "../../../../service/http/server";
import type { TokenIssuing } from "../../../../service/api/auth/settings";
import type { ApiSettings } from "../../../../service/api/yoga";
import { apiOver } from "../api/client";

/** A real Chromium without a window. */
export async function startBrowser(): Promise<Browser> {
  const { default: chromium } = await import("@sparticuz/chromium");
  // No page uses WebGL, and its GPU in software takes half of the CPU time.
  chromium.setGraphicsMode = false;
  // Its arguments are for functions in a cloud, with one page each.
  const args = chromium.args.filter((arg) => arg !== "--single-process" && arg !== "--no-zygote");
  // A busy machine needs longer than the default of 30 seconds.
  return launch({ args, executablePath: await chromium.executablePath(), headless: "shell", timeout: 100_000 });
}

/** A page without the cookies of others, which waits longer than by default: a busy machine draws slowly. */
export async function newPage(browser: Browser): Promise<Page> {
  const page = await (await browser.createBrowserContext()).newPage();
  page.setDefaultTimeout(60_000);
  return page;
}

const PAGE = join(__dirname, "../../../../service/page");

/** The service's own server over a backend, on any port. */
export async function startServer(
  backend: Backend,
  limitBytes = 64 * 1024,
  more: Partial<ApiSettings> & { readonly issuing?: TokenIssuing } = {},
) {
  const ending = new AbortController();
  const { api } = apiOver(backend, more);
  const server = createHttpServer({
    api,
    endpoint: "/graphql",
    playground: { path: "/playground", read: playgroundOf(PAGE, "graphql") },
    page: pageFiles(PAGE, "/graphql"),
    issuing: more.issuing ?? { audience: "stackyard", scopes: "openid" },
    limitBytes,
    mostConnections: 100,
    proxies: trustedProxies(["127.0.0.0/8"]),
    health: () => Promise.resolve({ ready: true, checks: { database: "ok" } }),
    ending: ending.signal,
    log: pino({ level: "silent" }),
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** Begins to shut down. */
    end: () => ending.abort(),
    async stop(): Promise<void> {
      ending.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A proxy that serves the paths below a prefix from a server that does not know of it. */
export async function proxyBelow(prefix: string, to: string): Promise<{ readonly url: string; stop(): void }> {
  const server = createServer((request, response) => {
    const { method, headers, url = "" } = request;
    if (!url.startsWith(`${prefix}/`)) return void response.writeHead(404).end();
    const onward = httpRequest(`${to}${url.slice(prefix.length)}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    stop: () => void server.close().closeAllConnections(),
  };
}

/** What the browser complained about on a page. */
export function complaintsOf(page: Page): string[] {
  const said: string[] = [];
  page.on("pageerror", (error) => said.push(String(error)));
  page.on("console", (message) => {
    // A request without a right token is answered with 401, which a browser notes.
    if (message.type() === "error" && !message.text().includes("401")) said.push(message.text());
  });
  return said;
}
