import { UsageError } from "../../foundation/errors";

/** URL and credentials of the service. */
export interface ServiceAccess {
  readonly url: string;
  readonly token: string;
  readonly tenant?: string;
  readonly fetch?: typeof fetch;
}

export interface AccessOptions {
  readonly service?: string;
  readonly tenant?: string;
}

/**
 * Returns the service that options or the environment select; undefined if they select none. The token only comes from
 * the environment, because other users can see command lines.
 */
export function accessOf(
  { service, tenant }: AccessOptions,
  env: NodeJS.ProcessEnv = process.env,
): ServiceAccess | undefined {
  const url = service ?? env.STACKYARD_SERVICE ?? "";
  const chosen = tenant ?? env.STACKYARD_TENANT;
  if (url === "") return undefined;
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    const found = JSON.stringify(url);
    const from = service === undefined ? "STACKYARD_SERVICE" : "--service";
    throw new UsageError(
      `${from}: found ${found}; expected the URL of the API, such as https://stackyard.example.com/graphql`,
    );
  }
  const token = env.STACKYARD_TOKEN ?? "";
  if (token === "") throw new UsageError("STACKYARD_TOKEN: found nothing; expected a token for the service");
  return { url: apiUrl(url), token, ...(chosen && { tenant: chosen }) };
}

/** Adds the usual path of the API to a URL without a path. */
function apiUrl(text: string): string {
  const url = new URL(text);
  if (url.pathname === "/") url.pathname = "/graphql";
  return url.href;
}

/** Returns the selected service. Throws if none is. */
export function serviceOf(options: AccessOptions): ServiceAccess {
  const access = accessOf(options);
  if (access) return access;
  throw new UsageError(
    "no service is selected; pass --service with the URL of its API, such as https://stackyard.example.com/graphql, or set STACKYARD_SERVICE",
  );
}
