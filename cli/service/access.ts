import { UsageError } from "../../foundation/errors";
import type { ServiceAccess } from "./client";
import { freshToken } from "./stored/renew";
import { loginsFile, readLogins } from "./stored/store";

export interface AccessOptions {
  readonly service?: string;
  readonly tenant?: string;
}

/**
 * Returns the service that options, the environment or the stored login select; undefined if none does. A token never
 * comes from an option, because other users can see command lines; and the one of the environment is sent only to a
 * service that the command line or the environment names.
 */
export async function accessOf(
  { service, tenant }: AccessOptions,
  env: NodeJS.ProcessEnv = process.env,
): Promise<ServiceAccess | undefined> {
  const file = loginsFile(env);
  const { current, services } = await readLogins(file);
  const [from, named] = service === undefined ? ["STACKYARD_SERVICE", env.STACKYARD_SERVICE] : ["--service", service];
  const url = named ? apiUrl(named, from) : current;
  if (url === undefined) return undefined;
  const login = services[url];
  const given = named ? env.STACKYARD_TOKEN : undefined;
  if (!given && !login) {
    throw new UsageError(`there is no login at ${url}; log in with: stackyard login ${url}, or set STACKYARD_TOKEN`);
  }
  const chosen = tenant ?? env.STACKYARD_TENANT ?? login?.tenant;
  const token = async (): Promise<string> => given || (login ? freshToken(url, login, file) : "");
  return { url, token, ...(chosen && { tenant: chosen }) };
}

/** Returns the selected service. Throws if none is. */
export async function serviceOf(options: AccessOptions): Promise<ServiceAccess> {
  const access = await accessOf(options);
  if (access) return access;
  throw new UsageError("no service is selected; log in with: stackyard login URL, or pass --service URL");
}

/** Parses the URL of a service, and adds the usual path of the API to one without a path. */
export function apiUrl(text: string, from: string): string {
  if (!URL.canParse(text) || !/^https?:/.test(text)) {
    throw new UsageError(
      `${from}: found ${JSON.stringify(text)}; expected the URL of a service, such as https://stackyard.example.com`,
    );
  }
  const url = new URL(text);
  if (url.pathname === "/") url.pathname = "/graphql";
  return url.href;
}
