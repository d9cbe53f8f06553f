import { Failure } from "../../foundation/errors";

/** Location of a state database. */
export interface StateAddress {
  readonly connection: { readonly connectionString: string; readonly application_name: string };
  /** For messages, without user and password. */
  readonly place: string;
  readonly table: string;
  /** Path of the URL. */
  readonly path: string;
}

export function stateAddress(url: string): StateAddress {
  const parsed = parse(url);
  const table = parsed.searchParams.get("table") ?? "pulumi_state";
  parsed.searchParams.delete("table");
  return {
    connection: { connectionString: parsed.toString(), application_name: "stackyard" },
    place: `${parsed.host}${parsed.pathname}`,
    table,
    path: parsed.pathname,
  };
}

function parse(url: string): URL {
  try {
    return new URL(url);
  } catch {
    throw new Failure("PULUMI_BACKEND_URL is not a URL; expected one such as postgres://user@host:5432/database");
  }
}
