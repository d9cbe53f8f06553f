import type { Values } from "./environment";

/** The variables that locate the database. */
export const DATABASE_VARIABLES = [
  "APP_DATABASE_URL",
  "APP_DATABASE_USER",
  "APP_DATABASE_PASSWORD",
  "APP_DATABASE_HOST",
  "APP_DATABASE_PORT",
  "APP_DATABASE_NAME",
  "APP_DATABASE_SSL_MODE",
  "APP_DATABASE_SSL_ROOT_CERT",
] as const;

export type DatabaseValues = Pick<Values, (typeof DATABASE_VARIABLES)[number]>;

/** Returns the URL of the database, as given or built from its parts. */
export function databaseUrl(values: DatabaseValues): string {
  if (values.APP_DATABASE_URL !== undefined) return values.APP_DATABASE_URL;
  const url = new URL("postgres://host");
  url.hostname = values.APP_DATABASE_HOST;
  url.port = String(values.APP_DATABASE_PORT);
  url.username = encodeURIComponent(values.APP_DATABASE_USER);
  url.password = encodeURIComponent(values.APP_DATABASE_PASSWORD);
  url.pathname = `/${encodeURIComponent(values.APP_DATABASE_NAME)}`;
  if (values.APP_DATABASE_SSL_MODE !== "disable") url.searchParams.set("sslmode", values.APP_DATABASE_SSL_MODE);
  if (values.APP_DATABASE_SSL_ROOT_CERT !== undefined) {
    url.searchParams.set("sslrootcert", values.APP_DATABASE_SSL_ROOT_CERT);
  }
  return url.toString();
}
