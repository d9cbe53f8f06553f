import { Failure } from "../../foundation/errors";

/** URL and credentials of the service. */
export interface ServiceAccess {
  readonly url: string;
  /** Returns a token that is valid now. */
  readonly token: () => Promise<string>;
  readonly tenant?: string;
  readonly fetch?: typeof fetch;
}

interface Answer<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: { readonly advice?: string; readonly path?: string };
  }[];
}

/** The service rejected a request. */
export class Rejection extends Failure {
  constructor(
    message: string,
    /** The field of the request that it was rejected for. */
    readonly path?: string,
  ) {
    super(message);
  }
}

async function send(
  { url, token, tenant, fetch: given = fetch }: ServiceAccess,
  body: object,
  headers: object,
): Promise<Response> {
  return given(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${await token()}`,
      ...(tenant !== undefined && { tenant }),
      ...headers,
    },
    body: JSON.stringify(body),
  }).catch((error: Error & { cause?: { code?: string; message?: string } }) => {
    const why = error.cause?.code ?? error.cause?.message ?? error.message;
    throw new Failure(`the service at ${url} does not answer: ${why}`);
  });
}

/** Sends one request. Throws with the service's reason and advice if it is rejected. */
export async function ask<Data>(access: ServiceAccess, query: string, variables: object = {}): Promise<Data> {
  const response = await send(access, { query, variables }, { accept: "application/json" });
  const text = await response.text();
  let answer: Answer<Data>;
  try {
    answer = JSON.parse(text) as Answer<Data>;
  } catch {
    throw new Failure(`${access.url} answered ${response.status} and no GraphQL; is it the path of the API?`);
  }
  const { data, errors = [] } = answer;
  if (errors.length > 0) {
    const texts = errors.map(({ message, extensions }) => withAdvice(message, extensions?.advice));
    throw new Rejection(texts.join("\n"), errors[0]?.extensions?.path);
  }
  if (!data) throw new Failure(`${access.url} answered ${response.status} without data`);
  return data;
}

export const withAdvice = (reason: string, advice?: string | null): string =>
  advice ? `${reason}\n  ${advice}` : reason;

/** An event of an operation. */
export interface OperationEvent {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
}

const EVENTS = "subscription ($id: ID!, $after: ID) { operationEvents(id: $id, after: $after) { id kind text } }";

/** Yields the events of an operation until it ends. After a lost connection, continues with the next event. */
export async function* follow(access: ServiceAccess, id: string): AsyncGenerator<OperationEvent> {
  let after: string | undefined;
  for (let lost = 0; lost < 10; lost += 1) {
    const response = await send(access, { query: EVENTS, variables: { id, after } }, { accept: "text/event-stream" });
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (!response.body || !isStream) throw new Failure(`${access.url} answered ${response.status} and no events`);
    try {
      for await (const { event, data } of eventsOf(response.body)) {
        if (event === "complete") return;
        const { data: next, errors = [] } = JSON.parse(data) as Answer<{ operationEvents: OperationEvent }>;
        if (errors[0]) throw new Failure(withAdvice(errors[0].message, errors[0].extensions?.advice));
        if (!next) continue;
        after = next.operationEvents.id;
        lost = 0;
        yield next.operationEvents;
      }
    } catch (error) {
      if (error instanceof Failure) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Failure(`the connection to ${access.url} was lost; the operation ${id} goes on`);
}

/** Parses the server-sent events of a stream. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<{ event: string; data: string }> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const field = (name: string): string => new RegExp(`^${name}: ?(.*)$`, "m").exec(part)?.[1] ?? "";
      if (field("event") !== "") yield { event: field("event"), data: field("data") };
    }
  }
}
