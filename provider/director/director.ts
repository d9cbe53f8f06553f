/** Client of a Director, Compass' registry of runtimes, through its GraphQL API. */

import { setTimeout as sleep } from "node:timers/promises";
import { Guard } from "../../foundation/net/address";
import { Unavailable } from "../../foundation/net/errors";
import { exchange, shownUrl, responseText } from "../../foundation/net/http";
import { retrying } from "../../foundation/backOff";
import { isObject, jsonIn, type Json } from "../../foundation/json/isObject";
import { DirectorError, directorError, DirectorUnreachable } from "./errors";
import { DirectorTokens, type ClientCredentials } from "./tokens";

export interface DirectorAccess extends ClientCredentials {
  /** URL of the GraphQL API. */
  readonly url: string;
  readonly tenant: string;
  /** Skip TLS verification (insecure). */
  readonly skipCertVerification?: boolean;
}

/** Status of a runtime in the Director. */
type DirectorCondition = "INITIAL" | "PROVISIONING" | "CONNECTED" | "FAILED";
interface RuntimeInput {
  readonly name: string;
  readonly description?: string;
  readonly labels?: Json;
  readonly statusCondition?: DirectorCondition;
}
interface RegisteredRuntime {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly labels: Json;
  readonly condition?: DirectorCondition;
}
interface OneTimeToken {
  readonly token: string;
  readonly connectorURL: string;
}

const TRIES = 3;
const PAUSE_MS = 1_000;

export class Director {
  readonly #tokens: DirectorTokens;
  readonly #url: URL;

  constructor(
    private readonly access: DirectorAccess,
    private readonly signal: AbortSignal,
    private readonly pauseMs = PAUSE_MS,
  ) {
    this.#url = new URL(access.url);
    this.#tokens = new DirectorTokens(access, this.#trust, signal);
  }

  /**
   * Registers a runtime once. `mark` is a label unique to this runtime: after a lost response, it shows whether the
   * runtime is already registered.
   */
  async register(input: RuntimeInput, mark: { readonly key: string; readonly value: string }): Promise<string> {
    const labels = { ...input.labels, [mark.key]: mark.value };
    const query = "mutation($in: RuntimeInput!) { result: registerRuntime(in: $in) { id } }";
    for (let attempt = 1; ; attempt++) {
      try {
        const action = `register the runtime ${input.name}`;
        return idOf(action, await this.#once(action, query, { in: { ...input, labels } }));
      } catch (error) {
        if (!isPassing(error) || attempt >= TRIES) throw error;
        await sleep(this.#pauseMs(attempt), undefined, { signal: this.signal });
        const there = await this.find(mark.key, mark.value);
        if (there !== undefined) return there;
      }
    }
  }

  /** Returns the id of the runtime with this label. */
  async find(key: string, value: string): Promise<string | undefined> {
    const query = "query($filter: [LabelFilter!]) { result: runtimes(filter: $filter, first: 2) { data { id } } }";
    const filter = [{ key, query: JSON.stringify(value) }];
    const found = (await this.#ask("look for the runtime", query, { filter }))?.["data"];
    const [first] = Array.isArray(found) ? (found as Json[]) : [];
    return typeof first?.["id"] === "string" ? first["id"] : undefined;
  }

  /** Undefined if the runtime does not exist. */
  async get(id: string): Promise<RegisteredRuntime | undefined> {
    const query = "query($id: ID!) { result: runtime(id: $id) { id name description labels status { condition } } }";
    const action = `read the runtime ${id}`;
    const found = await this.#ask(action, query, { id }).catch(goneAsUndefined);
    if (found === undefined) return undefined;
    expectId(action, found, id);
    const { name, description, labels, status } = found;
    return {
      id,
      name: String(name),
      ...(typeof description === "string" ? { description } : {}),
      labels: isObject(labels) ? labels : {},
      ...(isObject(status) ? { condition: status["condition"] as DirectorCondition } : {}),
    };
  }

  /**
   * Replaces all data of a runtime: labels that `input` does not have are removed, and a missing condition becomes
   * INITIAL.
   */
  async update(id: string, input: RuntimeInput): Promise<void> {
    const query = "mutation($id: ID!, $in: RuntimeInput!) { result: updateRuntime(id: $id, in: $in) { id } }";
    const action = `change the runtime ${id}`;
    expectId(action, await this.#ask(action, query, { id, in: input }), id);
  }

  /** Changes labels and condition, and keeps the rest. */
  async amend(
    id: string,
    change: { readonly labels?: Json; readonly statusCondition?: DirectorCondition },
  ): Promise<void> {
    const now = await this.get(id);
    if (!now) throw new DirectorError(`change the runtime ${id}`, "there is no such runtime", "NotFound");
    const { name, description, condition } = now;
    const labels = { ...now.labels, ...change.labels };
    await this.update(id, { name, description, labels, statusCondition: change.statusCondition ?? condition });
  }

  /** Succeeds if the runtime or its tenant does not exist. */
  async unregister(id: string): Promise<void> {
    const query = "mutation($id: ID!) { result: unregisterRuntime(id: $id) { id } }";
    const action = `unregister the runtime ${id}`;
    try {
      expectId(action, await this.#ask(action, query, { id }), id);
    } catch (error) {
      if (!(error instanceof DirectorError && error.gone)) throw error;
    }
  }

  /** Returns a token with which the agent in the runtime connects once. */
  async oneTimeToken(id: string): Promise<OneTimeToken> {
    const query = "mutation($id: ID!) { result: requestOneTimeTokenForRuntime(id: $id) { token connectorURL } }";
    const action = `get a token for the agent of the runtime ${id}`;
    const { token, connectorURL } = (await this.#ask(action, query, { id })) ?? {};
    if (typeof token === "string" && token !== "" && typeof connectorURL === "string") return { token, connectorURL };
    throw new DirectorError(action, "a result without token or connectorURL", undefined);
  }

  /** Retries transient failures. Only for requests that are safe to repeat. */
  #ask(action: string, query: string, variables: Json): Promise<Json | undefined> {
    return retrying(
      () => this.#once(action, query, variables),
      (error, attempt) => (isPassing(error) && attempt < TRIES ? this.#pauseMs(attempt) : undefined),
      this.signal,
    );
  }

  async #once(action: string, query: string, variables: Json): Promise<Json | undefined> {
    const first = await this.#post(action, query, variables);
    if (first.status !== 401) return resultOf(action, shownUrl(this.#url), first);
    this.#tokens.refused();
    return resultOf(action, shownUrl(this.#url), await this.#post(action, query, variables));
  }

  async #post(action: string, query: string, variables: Json): Promise<{ status: number; text: string }> {
    try {
      const answer = await exchange({
        url: this.#url,
        guard: new Guard(this.#url),
        authorization: `Bearer ${await this.#tokens.token()}`,
        headers: { accept: "application/json", tenant: this.access.tenant },
        payload: {
          method: "POST",
          type: "application/json",
          body: Buffer.from(JSON.stringify({ query, variables })),
        },
        trust: this.#trust,
        signal: this.signal,
      });
      return { status: answer.status, text: await responseText(answer, "the Director's answer") };
    } catch (error) {
      this.signal.throwIfAborted();
      if (error instanceof DirectorUnreachable) {
        throw new DirectorUnreachable(`could not ${action}: ${error.message}`, error.passing, { cause: error });
      }
      if (!(error instanceof Unavailable)) throw error;
      throw new DirectorUnreachable(`could not ${action}: ${error.message}`, error.passing, { cause: error });
    }
  }

  get #trust() {
    return { insecureSkipTLSVerify: this.access.skipCertVerification === true };
  }

  #pauseMs(attempt: number): number {
    return this.pauseMs * 2 ** (attempt - 1);
  }
}

const isPassing = (error: unknown): boolean =>
  (error instanceof DirectorUnreachable || error instanceof DirectorError) && error.passing;

function goneAsUndefined(error: unknown): undefined {
  if (error instanceof DirectorError && error.gone) return undefined;
  throw error;
}

/** Returns the result of a GraphQL response; undefined if it is null. */
function resultOf(action: string, place: string, { status, text }: { status: number; text: string }): Json | undefined {
  const answer = jsonIn(text); // Undefined if a proxy in front of the Director sent it.
  const errors = isObject(answer) ? answer["errors"] : undefined;
  if (Array.isArray(errors) && errors.length > 0) throw directorError(action, errors[0]);
  const data = isObject(answer) ? answer["data"] : undefined;
  if (status !== 200 || !isObject(data)) {
    const passing = status === 429 || status >= 500;
    throw new DirectorUnreachable(
      `could not ${action}: ${place} answers with HTTP status ${status} and no GraphQL result; is it the URL of a Director?`,
      passing,
    );
  }
  const { result } = data;
  return isObject(result) ? result : undefined;
}

function idOf(action: string, result: Json | undefined): string {
  const id = result?.["id"];
  if (typeof id === "string" && id !== "") return id;
  throw new DirectorError(action, "a result without an id", undefined);
}

function expectId(action: string, result: Json | undefined, id: string): void {
  const found = idOf(action, result);
  if (found !== id) throw new DirectorError(action, `the runtime ${found} instead`, undefined);
}
