import { Failure, messageOf } from "../../../foundation/errors";
import { changeLogins, loginsFile, type Login } from "./store";

/** A token that expires sooner is renewed before it is used. */
const MARGIN_MS = 60_000;

const isFresh = ({ renewal }: Login): boolean =>
  renewal === undefined || Date.parse(renewal.expires) - Date.now() > MARGIN_MS;

/** Returns the token of a login; a new one if it expires. */
export async function freshToken(url: string, login: Login, file = loginsFile()): Promise<string> {
  if (isFresh(login)) return login.token;
  const { services } = await changeLogins(async (logins) => {
    const found = logins.services[url];
    if (!found) throw new Failure(`you are logged out of ${url}; log in with: stackyard login ${url}`);
    // Another command may have renewed it while this one waited.
    if (isFresh(found)) return logins;
    return { ...logins, services: { ...logins.services, [url]: await renewed(url, found) } };
  }, file);
  return services[url]?.token ?? "";
}

async function renewed(url: string, login: Login): Promise<Login> {
  const { renewal } = login;
  if (renewal?.refreshToken === undefined) throw expired(url, "the issuer gave no refresh token");
  const { issuer, clientId, refreshToken } = renewal;
  const { configOf, loginOf, refreshTokenGrant, ResponseBodyError } = await import("./openid.js");
  try {
    const tokens = await refreshTokenGrant(await configOf(issuer, clientId), refreshToken);
    return { ...login, ...loginOf({ issuer, clientId }, tokens, refreshToken) };
  } catch (error) {
    if (error instanceof ResponseBodyError) throw expired(url, error.error_description ?? error.error);
    throw new Failure(`the login at ${url} could not be renewed with ${issuer}: ${messageOf(error)}`);
  }
}

const expired = (url: string, why: string): Failure =>
  new Failure(`the login at ${url} has expired (${why}); log in again with: stackyard login ${url}`);
