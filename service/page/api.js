// The API, as the pages of the service call it.

const endpoint = document.querySelector('meta[name="endpoint"]').content;

export const session = { token: "", tenant: "", ...JSON.parse(sessionStorage.getItem("session") ?? "{}") };

export function remember(token, tenant) {
  Object.assign(session, { token, tenant });
  sessionStorage.setItem("session", JSON.stringify(session));
}

/** Fields of an operation that every view shows. */
export const OPERATION =
  "id kind state stage message durationSeconds requestedBy requestedAt error { reason advice } deploymentId deployment { id stack }";

export class Refused extends Error {
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

const headers = () => ({
  "content-type": "application/json",
  ...(session.token && { authorization: `Bearer ${session.token}` }),
  ...(session.tenant && { tenant: session.tenant }),
});

export async function queryApi(query, variables) {
  const body = JSON.stringify({ query, variables });
  const response = await fetch(endpoint, { method: "POST", headers: headers(), body });
  const { data, errors } = await response.json();
  if (!errors?.length) return data;
  const [{ message, extensions }] = errors;
  throw new Refused([message, extensions?.advice].filter(Boolean).join("; "), extensions?.code);
}

/** Calls `hear` for each event of an operation; resolves when the stream ends. */
export async function followEvents(id, after, hear, signal) {
  const query = "subscription ($id: ID!, $after: ID) { operationEvents(id: $id, after: $after) { id kind text at } }";
  const body = JSON.stringify({ query, variables: { id, after } });
  const accept = { ...headers(), accept: "text/event-stream" };
  const response = await fetch(endpoint, { method: "POST", headers: accept, body, signal });
  if (!response.ok || !response.headers.get("content-type")?.startsWith("text/event-stream")) return;
  let rest = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + chunk).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const text = part.match(/^data: ?(.*)$/m)?.[1];
      const event = text && JSON.parse(text).data?.operationEvents;
      if (event) hear(event);
    }
  }
}
