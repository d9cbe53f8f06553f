import { spawn } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { platform } from "node:os";
import * as openid from "openid-client";
import { Failure } from "../../foundation/errors";
import type { Context } from "../context";
import { configOf, loginOf } from "../service/stored/openid";
import type { Login } from "../service/stored/store";
import type { Issuing } from "./metadata";

/** How long the user may take in the browser. */
const PATIENCE_MS = 10 * 60_000;
const CALLBACK = "/callback";

/** Logs in with a browser on this machine: authorization code with PKCE, answered to a loopback address (RFC 8252). */
export async function browserLogin(context: Context, issuing: Issuing, port = 0): Promise<Login> {
  const { issuer, clientId } = issuing;
  const config = await configOf(issuer, clientId);
  const verifier = openid.randomPKCECodeVerifier();
  const state = openid.randomState();
  const server = createServer();
  try {
    const redirect = await listen(server, port);
    const url = openid.buildAuthorizationUrl(config, {
      ...requestOf(issuing),
      redirect_uri: redirect.href,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
    });
    context.live.line(`Log in with your browser: ${url.href}`);
    openBrowser(url.href);
    context.live.status("  waiting for the browser");
    const answer = await answerTo(server, redirect);
    const tokens = await openid.authorizationCodeGrant(config, answer, {
      pkceCodeVerifier: verifier,
      expectedState: state,
    });
    return loginOf({ issuer, clientId }, tokens);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** Logs in with a browser on any machine (RFC 8628). */
export async function deviceLogin({ live }: Context, issuing: Issuing): Promise<Login> {
  const { issuer, clientId } = issuing;
  const config = await configOf(issuer, clientId);
  const device = await openid.initiateDeviceAuthorization(config, requestOf(issuing));
  const { verification_uri: at, verification_uri_complete: whole, user_code: code } = device;
  live.line(`Open ${at} in a browser on any machine, and enter the code ${code}${whole ? `, or open ${whole}` : ""}`);
  live.status("  waiting for the browser");
  const signal = AbortSignal.timeout(PATIENCE_MS);
  return loginOf(
    { issuer, clientId },
    await openid.pollDeviceAuthorizationGrant(config, device, undefined, { signal }),
  );
}

/** What both flows request. Issuers give a token that renews itself only if the user has agreed. */
const requestOf = ({ scope, audience }: Issuing): Record<string, string> => ({
  scope,
  audience,
  ...(/\boffline_access\b/.test(scope) && { prompt: "consent" }),
});

function listen(server: Server, port: number): Promise<URL> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      resolve(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}${CALLBACK}`));
    });
  });
}

/** Waits for the request that the browser makes after the login. */
function answerTo(server: Server, redirect: URL): Promise<URL> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Failure("nobody logged in within 10 minutes")), PATIENCE_MS);
    server.on("request", (request, response) => {
      const url = new URL(request.url ?? "/", redirect);
      const isAnswer = url.pathname === CALLBACK;
      const text = isAnswer ? "Stackyard: you can close this window and return to the terminal.\n" : "not found\n";
      const headers = { "content-type": "text/plain; charset=utf-8", connection: "close" };
      response.writeHead(isAnswer ? 200 : 404, headers).end(text, () => {
        if (!isAnswer) return;
        clearTimeout(timer);
        resolve(url);
      });
    });
  });
}

/** The program that opens a URL. BROWSER names another one, as in other command lines. */
function openBrowser(url: string): void {
  const own = process.env["BROWSER"];
  const [program = "", ...args] =
    own !== undefined && own !== ""
      ? [own, url]
      : platform() === "darwin"
        ? ["open", url]
        : platform() === "win32"
          ? ["rundll32", "url.dll,FileProtocolHandler", url]
          : ["xdg-open", url];
  // Without a browser, the user opens the URL that was printed.
  spawn(program, args, { detached: true, stdio: "ignore" })
    .on("error", () => undefined)
    .unref();
}
