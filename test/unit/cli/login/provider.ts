import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";

export const CLIENT = "stackyard-cli";

/** A real provider of OpenID Connect on this machine, whose users are whoever logs in. */
export async function startProvider(tokenSeconds: () => number) {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const { Provider } = await import("oidc-provider");
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT,
        application_type: "native",
        token_endpoint_auth_method: "none",
        redirect_uris: ["http://127.0.0.1/callback"],
        response_types: ["code"],
        grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: "RS256", use: "sig", kid: "test" }] },
    cookies: { keys: ["of the test"] },
    pkce: { required: () => true },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    extraTokenClaims: () => ({ stackyard: { acme: "operator" } }),
    features: {
      deviceFlow: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => "urn:stackyard",
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          ...{ scope: "", audience: "stackyard", accessTokenFormat: "jwt", accessTokenTTL: tokenSeconds() },
          jwt: { sign: { alg: "RS256" } },
        }),
      },
    },
  });
  const refused: string[] = [];
  provider.on("grant.error", (_context, error) => refused.push(error.message));
  provider.on("server_error", (_context, error) => refused.push(error.message));
  const answer = provider.callback();
  server.on("request", (request, response) => void answer(request, response));
  return {
    issuer,
    refused,
    stop: (): Promise<void> => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** A user with a browser, who logs in and agrees to everything. Returns the text of the last page. */
export async function visit(start: string, name: string): Promise<string> {
  const cookies = new Map<string, string>();
  let request: { url: URL; body?: URLSearchParams } = { url: new URL(start) };
  for (let pages = 0; pages < 20; pages += 1) {
    const { url, body } = request;
    const cookie = [...cookies].map(([key, value]) => `${key}=${value}`).join("; ");
    const response = await fetch(url, {
      redirect: "manual",
      headers: { cookie },
      ...(body && { method: "POST", body }),
    });
    for (const each of response.headers.getSetCookie()) {
      const [, key = "", value = ""] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      cookies.set(key, value);
    }
    const location = response.headers.get("location");
    if (location !== null) {
      request = { url: new URL(location, url) };
      continue;
    }
    const page = await response.text();
    const form = /<form[^>]*action="([^"]*)"[\s\S]*?<\/form>/.exec(page);
    if (!form) return page;
    const inputs = [...form[0].matchAll(/<input[^>]*type="hidden"[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)];
    const values = inputs.map(([, key = "", value = ""]): [string, string] => [key, value]);
    const own: [string, string][] = form[0].includes('name="login"') ? [["login", name]] : [];
    request = { url: new URL(form[1] ?? "", url), body: new URLSearchParams([...values, ...own]) };
  }
  throw new Error(`the login at ${start} did not end`);
}
