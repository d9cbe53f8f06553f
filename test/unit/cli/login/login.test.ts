import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { Readable } from "node:stream";
import type { Context } from "../../../../cli/context";
import { program } from "../../../../cli/program";
import { accessOf } from "../../../../cli/service/access";
import { changeLogins, loginsFile, readLogins } from "../../../../cli/service/stored/store";
import { colours } from "../../../../cli/terminal/colours";
import { oidcVerifier } from "../../../../service/api/auth/oidc";
import { TOKENS } from "../../service/api/client";
import { fakeBackend } from "../../service/api/fakeBackend";
import { startServer } from "../../service/page/browser";
import { CLIENT, startProvider, visit } from "./provider";

describe("stackyard login", () => {
  let folder: string;
  let provider: Awaited<ReturnType<typeof startProvider>>;
  let service: Awaited<ReturnType<typeof startServer>>;
  let seconds = 3600;
  const environment = { ...process.env };

  before(async () => {
    provider = await startProvider(() => seconds);
    const { issuer } = provider;
    const settings = { issuer, audience: "stackyard", clockSkewMs: 0, rolesClaim: "stackyard" };
    service = await startServer(fakeBackend(), undefined, {
      verifiers: { issued: oidcVerifier(settings), known: (token) => (token === TOKENS.viewer ? VIEWER : undefined) },
      issuing: { issuer, audience: "stackyard", clientId: CLIENT, scopes: "openid offline_access" },
    });
  });
  after(async () => {
    await service.stop();
    await provider.stop();
  });
  beforeEach(() => {
    seconds = 3600;
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "stackyard-login-"));
    Object.assign(process.env, { XDG_CONFIG_HOME: folder, BROWSER: "true" });
    for (const name of ["STACKYARD_SERVICE", "STACKYARD_TOKEN", "STACKYARD_TENANT"]) delete process.env[name];
  });
  afterEach(() => {
    process.env = { ...environment };
    process.exitCode = undefined;
    fs.rmSync(folder, { recursive: true });
  });

  const VIEWER = { actor: "static-token-1", roles: { acme: "viewer" as const } };
  const api = (): string => `${service.url}/graphql`;

  /** Runs a command line, with a user who opens the page that it names. */
  async function run(...args: readonly string[]) {
    const printed: string[] = [];
    const said: string[] = [];
    const visits: Promise<string>[] = [];
    const line = (text: string): void => {
      said.push(text);
      const [url] = /http\S+\/auth\?\S+|http\S+\/device\?user_code=\S+/.exec(text) ?? [];
      if (url !== undefined) visits.push(visit(url, "ann"));
    };
    const context = {
      print: (text: string) => void printed.push(text),
      live: { line, begin: () => undefined, end: () => undefined, status: () => undefined },
      colours: colours(false),
    } as unknown as Context;
    await program(context).parseAsync([...args], { from: "user" });
    return { text: printed.join("\n"), said, pages: await Promise.all(visits) };
  }

  const fileText = (): string => fs.readFileSync(loginsFile(), "utf8");

  it("stores a login from a browser, which later commands use", async () => {
    const { said, pages } = await run("login", service.url);
    assert.match(pages.join(""), /you can close this window/);
    assert.equal(
      said.at(-1),
      `✓ logged in to ${api()} as ann (operator of the tenant acme); it is the current service`,
    );
    assert.equal(fs.statSync(loginsFile()).mode & 0o777, 0o600);
    const { current, services } = await readLogins();
    const stored = services[api()];
    assert.equal(current, api());
    assert.deepEqual([stored?.renewal?.issuer, stored?.renewal?.clientId], [provider.issuer, CLIENT]);
    assert.doesNotMatch(said.join("\n"), new RegExp(stored?.token ?? "no token"));
    const list = await run("runtime", "list", "-o", "id");
    assert.deepEqual([list.text, list.said], ["acme-1", [`through ${api()}; --local goes around it`]]);
  });

  it("accepts a device code from a browser on any machine", async () => {
    const { said, pages } = await run("login", service.url, "--device");
    assert.match(said[0] ?? "", /^Open http\S+\/device in a browser on any machine, and enter the code \S+, or open /);
    assert.match(pages.join(""), /Sign-in Success/);
    assert.match(said.at(-1) ?? "", /as ann \(operator of the tenant acme\)/);
  });

  it("renews an expiring token, once for concurrent commands", async () => {
    seconds = 30;
    await run("login", service.url);
    const first = (await readLogins()).services[api()];
    seconds = 3600;
    const tokens = await Promise.all(Array.from({ length: 3 }, async () => (await accessOf({}))?.token()));
    const second = (await readLogins()).services[api()];
    assert.notEqual(second?.token, first?.token);
    assert.notEqual(second?.renewal?.refreshToken, first?.renewal?.refreshToken);
    assert.deepEqual(
      tokens,
      Array.from({ length: 3 }, () => second?.token),
    );
    assert.deepEqual(provider.refused, []);
    assert.equal((await run("runtime", "list", "-o", "id")).text, "acme-1");
  });

  it("is invalid after logout, even in a copy of the file", async () => {
    seconds = 30;
    await run("login", service.url);
    const copy = await readLogins();
    const { said } = await run("logout");
    assert.deepEqual(said, [`✓ logged out of ${api()}`]);
    assert.deepEqual(await readLogins(), { services: {} });
    assert.equal(await accessOf({}), undefined);
    await changeLogins(() => copy);
    await assert.rejects(run("runtime", "list"), {
      message: new RegExp(`^the login at ${api()} has expired \\(.*\\); log in again with: stackyard login ${api()}$`),
    });
    assert.equal(provider.refused.splice(0).length, 1);
    await run("logout", service.url);
    await assert.rejects(run("logout"), { message: "no service is current" });
  });

  it("stores a token only if the service accepts it", async () => {
    const given = async (text: string) => {
      const own = Object.getOwnPropertyDescriptor(process, "stdin");
      Object.defineProperty(process, "stdin", { value: Readable.from([text]), configurable: true });
      try {
        return await run("login", service.url, "--with-token", "--tenant", "acme");
      } finally {
        if (own) Object.defineProperty(process, "stdin", own);
      }
    };
    const { said } = await given(`${TOKENS.viewer}\n`);
    assert.match(said.join(), /^✓ logged in to \S+ as static-token-1 \(viewer of the tenant acme\)/);
    assert.deepEqual((await readLogins()).services[api()], { token: TOKENS.viewer, tenant: "acme" });
    await assert.rejects(given("another-token"), { message: /^the token is not valid/ });
    await assert.rejects(given("two words"), { name: "UsageError" });
    assert.equal((await readLogins()).services[api()]?.token, TOKENS.viewer);
  });

  it("shows the logins without their tokens, and changes the current login", async () => {
    await run("login", service.url);
    const gone = "https://gone.invalid/graphql";
    await changeLogins(({ services }) => ({ current: gone, services: { ...services, [gone]: { token: "hidden" } } }));
    const { text } = await run("login", "--status");
    assert.match(text, /^ +SERVICE +LOGGED IN AS +VALID\n/);
    assert.match(text, /ann \(operator of the tenant acme\) +renewed by itself/);
    assert.match(text, /^\* +https:\/\/gone\.invalid\/graphql +the service at \S+ does not answer: /m);
    assert.equal(process.exitCode, 1);
    assert.match(fileText(), /hidden/);
    assert.doesNotMatch(text + (await run("login", "--status", "-o", "json")).text, /hidden|refresh/i);
    const { said } = await run("login", service.url, "--use");
    assert.deepEqual(said, [`✓ ${api()} is the current service`]);
    await assert.rejects(run("login", "https://other.invalid", "--use"), { message: /^there is no login at / });
  });

  it("stores nothing that the service rejects, and reports what is missing", async () => {
    await assert.rejects(run("login"), { name: "UsageError", message: /^a URL is missing/ });
    await assert.rejects(run("login", "http://stackyard.example.com"), { message: /found http; expected https/ });
    await assert.rejects(run("login", provider.issuer), {
      message: /answered 404; is \S+ the API of a Stackyard service/,
    });
    const plain = await startServer(fakeBackend());
    try {
      await assert.rejects(run("login", plain.url), {
        message: /no issuer \(APP_OIDC_ISSUER\); log in with a token: stackyard login \S+ --with-token$/,
      });
    } finally {
      await plain.stop();
    }
    assert.deepEqual(await readLogins(), { services: {} });
  });
});
