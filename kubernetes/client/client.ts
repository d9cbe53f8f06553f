/** The few verbs of the Kubernetes API that we use, over plain JSON. */

import { setTimeout as sleep } from "node:timers/promises";
import { apiError, isConflict, isNotFound } from "./apiError";
import type { Connection } from "./connection";
import { Discovery } from "./discovery";
import type { Known } from "./discovery";
import { describe } from "./objects";
import type { Identity } from "../access/kubeconfig";
import type { KubeObject, Ref } from "./objects";
import type { ApplyOptions, ClientOptions, DeleteOptions, ListOptions, Sent, ServicePort, Warn } from "./options";
import { delayBefore, retryAfterSeconds } from "./retry";
import type { Json } from "../../foundation/json/isObject";

export const FIELD_MANAGER = "stackyard";
const TIMEOUT_MS = 35_000; // An API server ends what takes longer than 34 seconds by itself.
const PAGE = 500;

/** Only what every object has: what is requested when there may be many, or what they hold does not matter. */
const METADATA = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
const METADATA_LIST = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

export class Client {
  readonly discovery: Discovery;

  constructor(
    readonly connection: Connection,
    private readonly options: ClientOptions = {},
    known?: Known,
  ) {
    this.discovery = new Discovery((path) => this.json("list the kinds of the cluster", path), known);
  }

  /** The same connection and knowledge for another piece of work. */
  with(options: ClientOptions): Client {
    return new Client(this.connection, options, this.discovery.known);
  }

  /** The same cluster as another user sees it. */
  as(identity: Identity): Client {
    return new Client(this.connection.as(identity), this.options, this.discovery.known);
  }

  /** The object; undefined when it is not there. */
  async get(ref: Ref, { metadataOnly = false } = {}): Promise<KubeObject | undefined> {
    try {
      const path = await this.discovery.path(ref);
      const accept = metadataOnly ? METADATA : undefined;
      const found = await this.call<KubeObject>(`read ${describe(ref)}`, { method: "GET", path, accept });
      return metadataOnly ? { ...found, apiVersion: ref.apiVersion, kind: ref.kind } : found;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** All objects of a kind, of one namespace when the ref has one. */
  async list(ref: Omit<Ref, "name">, options: ListOptions = {}): Promise<KubeObject[]> {
    const path = await this.discovery.path({ ...ref, name: "" });
    const found: KubeObject[] = [];
    const { label, field, metadataOnly = false, most = Infinity, keep = (object) => object } = options;
    const accept = metadataOnly ? METADATA_LIST : undefined;
    let next = "";
    do {
      const query = queryOf({
        limit: String(Math.min(PAGE, most)),
        continue: next,
        labelSelector: label,
        fieldSelector: field,
      });
      const action = `list ${ref.kind} objects${ref.namespace === undefined ? "" : ` in ${ref.namespace}`}`;
      const page = await this.call<ListPage>(action, { method: "GET", path: path + query, accept });
      // Items of a list come without these two.
      for (const item of page.items ?? []) found.push(keep({ ...item, apiVersion: ref.apiVersion, kind: ref.kind }));
      next = page.metadata?.continue ?? "";
    } while (next !== "" && found.length < most);
    return found;
  }

  /**
   * Server-side apply. Takes fields over from other managers, because the program is the truth about the fields it names;
   * without `force` that is a {@link isFieldConflict}.
   */
  async apply(object: KubeObject, { dryRun = false, force = true, warn }: ApplyOptions = {}): Promise<KubeObject> {
    const { namespace, name } = object.metadata;
    const ref = { apiVersion: object.apiVersion, kind: object.kind, namespace, name };
    const query = queryOf({
      fieldManager: FIELD_MANAGER,
      force: String(force),
      fieldValidation: "Strict",
      dryRun: dryRun ? "All" : undefined,
    });
    const path = (await this.discovery.path(ref)) + query;
    const contentType = "application/apply-patch+yaml";
    const sent: Sent = { method: "PATCH", path, contentType, body: JSON.stringify(object) };
    return this.call(`${dryRun ? "check" : "apply"} ${describe(ref)}`, sent, warn);
  }

  /** What the API server says to it as a new object, without keeping it. One of its name that exists is a conflict. */
  async tryCreate(object: KubeObject): Promise<void> {
    const { namespace, name } = object.metadata;
    const ref = { apiVersion: object.apiVersion, kind: object.kind, namespace, name };
    const query = queryOf({ fieldManager: FIELD_MANAGER, fieldValidation: "Strict", dryRun: "All" });
    const path = (await this.discovery.path({ ...ref, name: "" })) + query;
    await this.call(`check ${describe(ref)}`, { method: "POST", path, body: JSON.stringify(object) });
  }

  /** JSON merge patch of an object that exists. */
  async merge(ref: Ref, patch: Json, { dryRun = false } = {}): Promise<KubeObject> {
    const query = queryOf({ fieldManager: FIELD_MANAGER, dryRun: dryRun ? "All" : undefined });
    return this.call(`change ${describe(ref)}`, {
      method: "PATCH",
      path: (await this.discovery.path(ref)) + query,
      contentType: "application/merge-patch+json",
      body: JSON.stringify(patch),
    });
  }

  /** Begins a deletion. Returns false when it was gone already, or is another object by now. */
  async remove(ref: Ref, { propagationPolicy = "Background", uid }: DeleteOptions = {}): Promise<boolean> {
    const body = {
      apiVersion: "v1",
      kind: "DeleteOptions",
      propagationPolicy,
      ...(uid === undefined ? {} : { preconditions: { uid } }),
    };
    try {
      const path = await this.discovery.path(ref);
      await this.call(`delete ${describe(ref)}`, { method: "DELETE", path, body: JSON.stringify(body) });
      return true;
    } catch (error) {
      if (isNotFound(error) || (uid !== undefined && isConflict(error))) return false;
      throw error;
    }
  }

  /** Asks the API server for a judgement, such as a SelfSubjectAccessReview. Nothing is stored. */
  async review(apiVersion: string, kind: string, spec: Json): Promise<KubeObject> {
    const path = `/apis/${apiVersion}/${kind.toLowerCase()}s`;
    return this.call(`ask for a ${kind}`, { method: "POST", path, body: JSON.stringify({ apiVersion, kind, spec }) });
  }

  /** Asks for something that is issued and not stored, such as a token, by a subresource of an object. */
  async issue(ref: Ref, subresource: string, body: KubeObject | Json): Promise<KubeObject> {
    const path = `${await this.discovery.path(ref)}/${subresource}`;
    return this.call(`create ${subresource} of ${describe(ref)}`, { method: "POST", path, body: JSON.stringify(body) });
  }

  /** Last lines of a container's log. */
  async log(pod: Ref, container: string, previous: boolean, lines = 5): Promise<string> {
    const limitBytes = String(400 * lines);
    const query = queryOf({ container, previous: String(previous), tailLines: String(lines), limitBytes });
    const path = `${await this.discovery.path(pod)}/log${query}`;
    const answer = await this.#exchange(`read the log of ${describe(pod)}`, { method: "GET", path, accept: "*/*" });
    return answer.trim();
  }

  /**
   * Asks a program in the cluster, through the API server's proxy to its service: who may reach the API server reaches it.
   * `path` is the program's own. An answer that is not a success is an error with the program's words. The API server itself
   * lets such a request take as long as the program does.
   */
  async ask(action: string, service: ServicePort, sent: Sent, timeoutMs?: number): Promise<string> {
    const { namespace, name, port } = service;
    const [place, program] = [encodeURIComponent(namespace), encodeURIComponent(name)];
    const proxy = `/api/v1/namespaces/${place}/services/http:${program}:${port}/proxy`;
    return this.#exchange(action, { accept: "*/*", ...sent, path: proxy + sent.path }, undefined, timeoutMs);
  }

  /** GET as JSON. */
  async json<T>(action: string, path: string): Promise<T> {
    return this.call<T>(action, { method: "GET", path });
  }

  private async call<T>(action: string, sent: Sent, warn?: Warn): Promise<T> {
    const body = await this.#exchange(action, sent, warn);
    try {
      return JSON.parse(body) as T;
    } catch (cause) {
      const what = `${this.connection.server} answered something that is not JSON`;
      throw new Error(`could not ${action}: ${what}; is it the URL of a Kubernetes API server?`, { cause });
    }
  }

  /** All our requests may be repeated: applying, patching and deleting twice is the same as once. */
  async #exchange(action: string, sent: Sent, warn?: Warn, timeoutMs = TIMEOUT_MS): Promise<string> {
    const { signal, patienceMs = 20_000 } = this.options;
    const started = Date.now();
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      try {
        const answer = await this.connection.send({ ...sent, timeoutMs, signal });
        if (answer.status >= 200 && answer.status < 300) {
          if (warn) answer.warnings.forEach(warn);
          return answer.body;
        }
        throw apiError(`could not ${action}`, answer.status, answer.body, retryAfterSeconds(answer.retryAfter));
      } catch (error) {
        const delay = delayBefore(error, attempt, Date.now() - started, patienceMs);
        if (delay === undefined) throw error;
        await sleep(delay, undefined, { signal });
      }
    }
  }
}

interface ListPage {
  readonly items?: readonly KubeObject[];
  readonly metadata?: { readonly continue?: string };
}

function queryOf(parameters: Readonly<Record<string, string | undefined>>): string {
  const entries = Object.entries(parameters).filter((entry): entry is [string, string] => !!entry[1]);
  return entries.length === 0 ? "" : `?${new URLSearchParams(entries).toString()}`;
}
