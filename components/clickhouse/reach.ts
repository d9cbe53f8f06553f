/** How runtimes reach a database. */
export interface Reach {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

/** The address that a URL says. */
export function reachOf(text: string): Reach {
  const { protocol, hostname, port } = new URL(text);
  const secure = protocol === "https:";
  return { host: hostname, port: port === "" ? (secure ? 8443 : 8123) : Number(port), secure };
}
