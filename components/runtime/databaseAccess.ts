/** Address of a database for runtimes. */
export interface Reach {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

/** The address in a URL. Default ports: 8443 for https, 8123 for http. */
export function reachOf(text: string): Reach {
  const { protocol, hostname, port } = new URL(text);
  const secure = protocol === "https:";
  return { host: hostname, port: port === "" ? (secure ? 8443 : 8123) : Number(port), secure };
}

/** Connection and credentials of a database. */
export interface DatabaseAccess extends Reach {
  /** Address for writes. Default: the same as for reads. */
  readonly writer?: Reach;
  readonly database: string;
  readonly user: string;
  readonly password: string;
}

/**
 * Data of a Kubernetes Secret, with values in base64. `url` and `writerUrl` combine the other values, as ClickHouse clients
 * expect. Without a writer there is no `writerUrl`, so that Secrets of one address stay as they are.
 */
export function secretData(access: DatabaseAccess): Record<string, string> {
  const { host, port, writer, database, user, password } = access;
  const urlAt = ({ secure, host, port }: Reach): string =>
    `${secure ? "https" : "http"}://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}`;
  const writing = writer && { writerUrl: urlAt(writer) };
  const texts = { host, port: String(port), database, user, password, url: urlAt(access), ...writing };
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString("base64")]));
}
