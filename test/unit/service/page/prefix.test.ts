import assert from "node:assert/strict";
import type { Browser, Page } from "puppeteer-core";
import { relativePath } from "../../../../service/http/files";

import { TOKENS } from "../api/client";
import { fakeBackend } from "../api/fakeBackend";
import { complaintsOf, newPage, proxyBelow, startBrowser, startServer } from "./browser";

describe("the pages of a service below a prefix that a proxy removes", function () {
  this.timeout(120_000);
  let browser: Browser;
  let server: Awaited<ReturnType<typeof startServer>>;
  let proxy: Awaited<ReturnType<typeof proxyBelow>>;
  let page: Page;
  let complaints: string[];

  before(async () => {
    browser = await startBrowser();
    server = await startServer(fakeBackend());
    proxy = await proxyBelow("/tools/stackyard", server.url);
    page = await newPage(browser);
    complaints = complaintsOf(page);
  });
  after(async () => {
    await browser.close();
    proxy.stop();
    await server.stop();
    assert.deepEqual(complaints, []);
  });

  it("show the status page with its deployments", async () => {
    await page.goto(`${proxy.url}/#token=${TOKENS.operator}`);
    await page.waitForSelector("#deployments-rows tr");
    await page.locator("#deployments-rows button").click();
    await page.waitForSelector("#details", { visible: true });
    assert.equal(new URL(page.url()).pathname, "/tools/stackyard/");
  });

  it("show the playground with the schema", async () => {
    await page.goto(`${proxy.url}/playground`);
    await page.waitForSelector(".graphiql-query-editor .monaco-editor");
  });

  it("call the API relative to their own path", () => {
    assert.equal(relativePath("/", "/api/graphql"), "api/graphql");
    assert.equal(relativePath("/graphql", "/graphql"), "graphql");
    assert.equal(relativePath("/tools/playground", "/graphql"), "../graphql");
  });
});
