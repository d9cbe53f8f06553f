import { text } from "node:stream/consumers";
import { Failure, messageOf, UsageError } from "../../foundation/errors";
import { success, type Context } from "../context";
import { structured, type OutputOptions } from "../options/output";
import { apiUrl } from "../service/access";
import { ask } from "../service/client";
import { isLoopback } from "../service/loopback";
import { freshToken } from "../service/stored/renew";
import { changeLogins, readLogins, type Login } from "../service/stored/store";
import { table } from "../terminal/table";

export interface LoginOptions extends OutputOptions {
  readonly device?: boolean;
  readonly withToken?: boolean;
  readonly tenant?: string;
  readonly port?: number;
  readonly status?: boolean;
  readonly use?: boolean;
}

interface Me {
  readonly actor: string;
  readonly tenant: string;
  readonly role: string;
}

/** Logs in to a service, which is the current one afterwards. A token that the service refuses is not kept. */
export async function login(context: Context, given: string | undefined, options: LoginOptions): Promise<void> {
  if (options.status === true) return status(context, options);
  const { current } = await readLogins();
  if (given === undefined && current === undefined) {
    throw new UsageError("a URL is missing: stackyard login https://stackyard.example.com");
  }
  const url = apiUrl(given ?? current ?? "", "the URL of the service");
  if (options.use === true) return use(context, url);
  if (new URL(url).protocol !== "https:" && !isLoopback(new URL(url))) {
    throw new UsageError(`${url}: found http; expected https, because a token would be sent without encryption`);
  }
  const { tenant } = options;
  const issued = await tokenOf(context, url, options);
  const me = await whoAmI(url, issued.token, tenant);
  const kept = { ...issued, ...(tenant !== undefined && { tenant }) };
  await changeLogins(({ services }) => ({ current: url, services: { ...services, [url]: kept } }));
  context.live.end();
  success(context, `logged in to ${url} as ${whoText(me)}; it is the current service`);
}

async function tokenOf(context: Context, url: string, { device, withToken, port }: LoginOptions): Promise<Login> {
  if (withToken === true) {
    if (process.stdin.isTTY) context.live.line("Paste a token, then press Enter and Ctrl-D:");
    const token = (await text(process.stdin)).trim();
    if (!/^\S+$/.test(token)) throw new UsageError("--with-token: expected one token on standard input");
    return { token };
  }
  const { issuingOf } = await import("./metadata.js");
  const issuing = await issuingOf(url);
  const { browserLogin, deviceLogin } = await import("./browser.js");
  try {
    return await (device === true ? deviceLogin(context, issuing) : browserLogin(context, issuing, port));
  } catch (error) {
    if (error instanceof Failure) throw error;
    const { cause } = error as { cause?: { error?: string; error_description?: string } };
    const why = cause?.error_description ?? cause?.error ?? messageOf(error);
    throw new Failure(`the login with ${issuing.issuer} failed: ${why}`);
  }
}

const whoAmI = async (url: string, token: string, tenant: string | undefined): Promise<Me> =>
  (await ask<{ me: Me }>({ url, token: () => Promise.resolve(token), tenant }, "{ me { actor tenant role } }")).me;

const whoText = ({ actor, tenant, role }: Me): string =>
  `${actor} (${role} of ${tenant === "*" ? "all tenants" : `the tenant ${tenant}`})`;

/** Makes a service with a login the current one. */
async function use(context: Context, url: string): Promise<void> {
  await changeLogins((logins) => {
    if (!logins.services[url]) throw new Failure(`there is no login at ${url}; log in with: stackyard login ${url}`);
    return { ...logins, current: url };
  });
  success(context, `${url} is the current service`);
}

/** Shows the stored logins, without their tokens, and whether the services accept them. */
async function status(context: Context, options: OutputOptions): Promise<void> {
  const { current, services } = await readLogins();
  const logins = await Promise.all(
    Object.entries(services).map(async ([url, stored]) => {
      const { tenant, renewal } = stored;
      const end = { expires: renewal?.expires, renews: renewal?.refreshToken !== undefined };
      try {
        const me = await whoAmI(url, await freshToken(url, stored), tenant);
        return { url, current: url === current, ...end, ...me, error: undefined };
      } catch (error) {
        return { url, current: url === current, ...end, tenant, error: messageOf(error) };
      }
    }),
  );
  if (logins.some(({ error }) => error !== undefined)) process.exitCode = 1;
  const rows = logins.map((each) => [
    each.current ? "*" : "",
    each.url,
    "actor" in each ? whoText(each) : "",
    each.error ?? (each.renews ? "renewed by itself" : (each.expires ?? "")),
  ]);
  const titles = ["", "SERVICE", "LOGGED IN AS", "VALID"];
  const none = "no logins; log in with: stackyard login https://stackyard.example.com";
  context.print(structured(logins, options) ?? (rows.length > 0 ? table(titles, rows) : none));
}

/** Deletes the login at a service, by default the current one, and revokes what renews it. */
export async function logout(context: Context, given: string | undefined): Promise<void> {
  const { current, services } = await readLogins();
  const url = given === undefined ? current : apiUrl(given, "the URL of the service");
  const stored = url === undefined ? undefined : services[url];
  if (url === undefined || !stored)
    throw new Failure(url === undefined ? "no service is current" : `there is no login at ${url}`);
  await changeLogins((logins) => {
    const others = Object.entries(logins.services).filter(([name]) => name !== url);
    const stays = logins.current !== url && { current: logins.current };
    return { ...stays, services: Object.fromEntries(others) };
  });
  const { revoke } = await import("../service/stored/openid.js");
  const why = await revoke(stored);
  if (why !== undefined)
    context.live.line(`${context.colours.warn("warning:")} the issuer did not revoke the login: ${why}`);
  success(context, `logged out of ${url}`);
}
