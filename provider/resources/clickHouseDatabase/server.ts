/** Client for the HTTP interface of a ClickHouse server. */

import { setTimeout as sleep } from "node:timers/promises";

/** The server rejected the request. */
export class ClickHouseError extends Error {
  override readonly name = "ClickHouseError";
  constructor(
    message: string,
    /** ClickHouse's error code; undefined if another program responded. */
    readonly code: number | undefined,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The server is unreachable. */
export class ClickHouseUnreachable extends Error {
  override readonly name = "ClickHouseUnreachable";
}

/** Longer than the server's limit for a statement on a cluster (`distributed_ddl_task_timeout`, 180 s). */
const TIMEOUT_MS = 200_000;
const TRIES = 4;
const LONGEST_MESSAGE = 400;
/** Temporary errors of the server or of a proxy in front of it. */
const PASSING = new Set([429, 502, 503, 504]);

/** The parts of a URL such as `https://user:password@host:8443`. */
interface ServerEndpoint {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly user: string;
  readonly password: string;
}

/** Parses a URL; undefined if it is invalid. */
export function serverEndpoint(text: string): ServerEndpoint | undefined {
  if (!/^https?:\/\/\S+$/.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if ((url.pathname !== "/" && url.pathname !== "") || url.search !== "" || url.hash !== "") return undefined;
  const secure = url.protocol === "https:";
  const port = url.port === "" ? (secure ? 8443 : 8123) : Number(url.port);
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  return { host: url.hostname, port, secure, user: user === "" ? "default" : user, password };
}

export class ClickHouseServer {
  constructor(
    private readonly endpoint: ServerEndpoint,
    private readonly signal: AbortSignal,
    private readonly tries = TRIES,
  ) {}

  /** `host:port`, for messages. */
  get place(): string {
    return `${this.endpoint.host}:${this.endpoint.port}`;
  }

  as(user: string, password: string): ClickHouseServer {
    return new ClickHouseServer({ ...this.endpoint, user, password }, this.signal, this.tries);
  }

  /** Runs a statement with retries. All our statements are safe to repeat. */
  async run(action: string, statement: string): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#send(statement).catch((error: unknown) => {
        this.signal.throwIfAborted();
        return error instanceof Error ? error : new Error(String(error));
      });
      if (!(answer instanceof Error)) {
        if (answer.ok) return answer.text;
        if (!PASSING.has(answer.status)) throw refusal(action, this.place, answer.status, answer.text);
      }
      if (attempt >= this.tries || (answer instanceof Error && answer.name === "TimeoutError")) {
        const why = answer instanceof Error ? reasonOf(answer) : `HTTP ${answer.status}`;
        throw new ClickHouseUnreachable(
          `could not ${action}: the ClickHouse server ${this.place} does not answer: ${why}`,
        );
      }
      await sleep(250 * 2 ** attempt, undefined, { signal: this.signal });
    }
  }

  async rows(action: string, query: string): Promise<Record<string, unknown>[]> {
    const text = await this.run(action, query);
    try {
      return (JSON.parse(text) as { data: Record<string, unknown>[] }).data;
    } catch (cause) {
      const what = `${this.place} answered something that is not JSON; is it the HTTP port of a ClickHouse server?`;
      throw new ClickHouseError(`could not ${action}: ${what}`, undefined, { cause });
    }
  }

  async #send(statement: string): Promise<{ ok: boolean; status: number; text: string }> {
    const { host, port, secure, user, password } = this.endpoint;
    // Without the parameter, a statement that fails midway on a cluster returns 200 with an error at the end of the
    // body.
    const response = await fetch(`${secure ? "https" : "http"}://${host}:${port}/?wait_end_of_query=1`, {
      method: "POST",
      // Custom headers don't support all characters of a password.
      headers: {
        Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
        "Content-Type": "text/plain; charset=utf-8",
      },
      body: statement,
      redirect: "error",
      signal: AbortSignal.any([this.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    return { ok: response.ok, status: response.status, text: await response.text() };
  }
}

/**
 * Extracts `Code: 516. DB::Exception: default: Authentication failed…`, without the statement, which may contain
 * secrets.
 */
function refusal(action: string, place: string, status: number, text: string): ClickHouseError {
  const [, number, said] = /Code: (\d+)\. DB::Exception: ([\s\S]*)/.exec(text) ?? [];
  const code = number === undefined ? undefined : Number(number);
  const shown = (said ?? `HTTP ${status}: ${text}`).split("\n")[0]?.trim().slice(0, LONGEST_MESSAGE) ?? "";
  const masked = shown.replace(/'[0-9a-f]{64}'/g, "'…'");
  return new ClickHouseError(`could not ${action} on ${place}: ${masked}${adviceFor(code)}`, code);
}

function adviceFor(code: number | undefined): string {
  if (code === 516) return ". User or password of the provisioner's url is wrong";
  if (code === 497)
    return ". The user of the provisioner's url needs access_management and the rights that it hands on, with GRANT OPTION";
  if (code === 514)
    return ". The server keeps users in files only; give it a local_directory or a replicated user directory";
  if (code === 701) return ". Set the provisioner's cluster to one of system.clusters, or omit it";
  return "";
}

const reasonOf = (error: Error): string =>
  error.cause instanceof Error && error.cause.message !== "" ? error.cause.message : error.message;
