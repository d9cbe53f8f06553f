import { getNodeValue, type Node } from "jsonc-parser";
import type { Member } from "./tree";

/** A converted ClickHouse provisioner, without its password, and notes about it. */
interface ImportedClickHouse {
  /** Undefined if the text has no server. */
  readonly entry?: { readonly type: "static"; readonly spec: Readonly<Record<string, string>> };
  readonly notes: readonly { readonly node: Node; readonly message: string }[];
}

/**
 * Converts a provisioner. Keys are case-insensitive, as in the original. DDL and the writes of runtimes were sent to
 * `write_dsn`, their reads to `dsn`.
 */
export function importClickHouse(name: string, at: Node, fields: readonly Member[]): ImportedClickHouse {
  const find = (key: string): Member | undefined => fields.find((field) => field.key.toLowerCase() === key);
  const textOf = (key: string): string | undefined => {
    const value: unknown = find(key) && getNodeValue(find(key)?.value as Node);
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const notes = fields
    .filter(({ key }) => key.toLowerCase().endsWith("_env"))
    .map(({ key, at: node }) => ({
      node,
      message: `${key} is skipped: no config is read from environment variables`,
    }));
  const set = `pulumi config set --secret --path 'clickhouse.${name}.spec.url'`;
  const [reader, writer] = [httpUrl(textOf("dsn")), httpUrl(textOf("write_dsn"))];
  const url = writer ?? reader;
  if (url === undefined) {
    const message = `provisioner ${name} is skipped: its ClickHouse server is not given; write clickhouse.${name} with type static and ${set}`;
    return { notes: [...notes, { node: at, message }] };
  }
  const cluster = textOf("cluster");
  const isSplit = writer !== undefined && reader !== undefined && reader !== writer;
  const message = `provisioner ${name} is in stackyard:clickhouse now, at the HTTP port and without user and password; set these with: ${set} https://USER:PASSWORD@HOST:8443`;
  return {
    entry: {
      type: "static",
      spec: {
        url,
        ...(isSplit ? { runtimeUrl: reader, runtimeWriterUrl: writer } : {}),
        ...(cluster === undefined ? {} : { cluster }),
      },
    },
    notes: [...notes, { node: at, message }],
  };
}

/**
 * Converts a DSN of Go's driver to a URL of the HTTP interface. The port of the native protocol is replaced by the
 * default HTTP port.
 */
function httpUrl(dsn: string | undefined): string | undefined {
  const [, scheme = "", rest = ""] = /^(\w+):\/\/(\S+)$/.exec(dsn ?? "") ?? [];
  if (!["clickhouse", "tcp", "native", "http", "https"].includes(scheme) || !URL.canParse(`http://${rest}`))
    return undefined;
  const { hostname, port, searchParams } = new URL(`http://${rest}`);
  const secure = scheme === "https" || searchParams.get("secure") === "true" || port === "9440";
  const own = scheme.startsWith("http") && port !== "" ? port : secure ? "8443" : "8123";
  return `${secure ? "https" : "http"}://${hostname}:${own}`;
}
