import assert from "node:assert/strict";
import type { Browser, Page } from "puppeteer-core";
import { TOKENS } from "../api/client";
import { fakeBackend } from "../api/fakeBackend";
import { complaintsOf, newPage, startBrowser, startServer } from "./browser";

describe("the playground", function () {
  this.timeout(120_000);
  let browser: Browser;
  let server: Awaited<ReturnType<typeof startServer>>;
  let page: Page;
  let complaints: string[];

  before(async () => {
    browser = await startBrowser();
    server = await startServer(fakeBackend());
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });
  beforeEach(async () => {
    page = await newPage(browser);
    complaints = complaintsOf(page);
  });
  afterEach(async () => {
    await page.browserContext().close();
    assert.deepEqual(complaints, []);
  });

  const has = (text: string): Promise<unknown> =>
    page.waitForFunction(`document.body.innerText.includes(${JSON.stringify(text)})`);
  const signIn = async (token: string): Promise<void> => {
    await page.goto(`${server.url}/playground`);
    await page.waitForSelector("#login", { visible: true });
    await page.type("#login [name=token]", token);
    await page.keyboard.press("Enter");
  };

  for (const [name, width, height] of [
    ["a desk", 1280, 800],
    ["a phone", 390, 844],
  ] as const) {
    it(`asks for a token, shows the schema and answers a query, on ${name}`, async () => {
      await page.setViewport({ width, height });
      await signIn(TOKENS.operator);
      await page.waitForSelector(".graphiql-query-editor .monaco-editor");
      const query = encodeURIComponent("{ me { actor } }");
      // The token stays in the tab.
      await page.goto(`${server.url}/playground?query=${query}`);
      await page.waitForSelector(".graphiql-query-editor .view-lines");
      await has("actor");
      await page.locator(".graphiql-execute-button").click();
      await has("static-token-2");
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width);
      const shown = ".graphiql-query-editor .monaco-editor";
      assert.ok(Number(await page.$eval(shown, ({ clientHeight }) => clientHeight)) > 100, "the editor has no height");
    });
  }

  it("keeps the token in the tab only, and uses it again when the page is opened again", async () => {
    await signIn(TOKENS.operator);
    const editor = ".graphiql-query-editor .view-lines";
    await page.waitForSelector(editor);
    await page.reload();
    await page.waitForSelector(editor);
    await page.locator(".graphiql-execute-button").click();
    await page.waitForFunction('JSON.stringify(localStorage).includes("tabState")');
    assert.equal(await page.evaluate(`JSON.stringify(localStorage).includes("${TOKENS.operator}")`), false);
    await page.goto(`${server.url}/playground?query=${encodeURIComponent("{ me { actor } }")}`);
    await page.waitForSelector(editor);
    await page.locator(".graphiql-execute-button").click();
    await has("static-token-2");
  });

  it("asks again when a token is wrong or has expired", async () => {
    await signIn("of-a-stranger");
    await has("the token is not valid");
    await page.evaluate('sessionStorage.setItem("session", JSON.stringify({ token: "expired", tenant: "" }))');
    await page.reload();
    await has("the token is not valid");
    await page.type("#login [name=token]", TOKENS.operator);
    await page.keyboard.press("Enter");
    await page.waitForSelector(".graphiql-query-editor .view-lines");
  });

  it("rejects a token that is not valid in a header", async () => {
    await signIn("dev-…");
    await has("Expected letters, digits and signs of ASCII.");
  });
});
