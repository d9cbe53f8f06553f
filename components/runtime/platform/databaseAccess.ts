/** Connection and credentials of a database. */
export interface DatabaseAccess {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly database: string;
  readonly user: string;
  readonly password: string;
}

/**
 * Data of a Kubernetes Secret, with values in base64. `url` combines the other values, as ClickHouse clients expect.
 */
export function secretData(access: DatabaseAccess): Record<string, string> {
  const { host, port, secure, database, user, password } = access;
  const url = `${secure ? "https" : "http"}://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}`;
  const texts = { host, port: String(port), database, user, password, url };
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString("base64")]));
}
