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
