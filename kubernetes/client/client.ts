/** A client for the verbs of the Kubernetes API that we use, over plain JSON. */

import { apiError, isConflict, isExpired, isNotFound } from "./apiError";
import type { ServerConnection } from "./connection";
import { Discovery, type KnownKinds } from "./discovery";
import { describe, type KubeObject, type Ref } from "../objects/objects";
import type { ImpersonatedUser } from "../access/kubeconfig";
import type { ApplyOptions, ClientOptions, DeleteOptions, ListOptions, Sent, ServicePort, Warn } from "./options";
import { delayBefore, retryAfterSeconds } from "./retry";
import { retrying } from "../../foundation/backOff";
import type { Json } from "../../foundation/json/isObject";

export const FIELD_MANAGER = "stackyard";
const TIMEOUT_MS = 35_000; // An API server itself ends requests after 34 seconds.
const PAGE = 500;

/** Requests only metadata, if there may be many objects or their content does not matter. */
const METADATA = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
const METADATA_LIST = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

export class Client {
  readonly discovery: Discovery;

  constructor(
    readonly connection: ServerConnection,
    private readonly options: ClientOptions = {},
    known?: KnownKinds,
  ) {
    this.discovery = new Discovery((path) => this.json("list the kinds of the cluster", path), known);
  }

  /** The same connection and discovery cache, with other options. */
  with(options: ClientOptions): Client {
    return new Client(this.connection, options, this.discovery.known);
  }

  /** The same cluster, impersonating another identity. */
  as(identity: ImpersonatedUser): Client {
    return new Client(this.connection.as(identity), this.options, this.discovery.known);
  }

  /** Reads an object. Returns undefined if it does not exist. */
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

  /** Lists all objects of a kind, within the ref's namespace if it has one. */
  async list(ref: Omit<Ref, "name">, options: ListOptions = {}): Promise<KubeObject[]> {
    // Between two pages, the server may forget the version of the first one.
    const again = (error: unknown, attempt: number) => (isExpired(error) && attempt < 4 ? 0 : undefined);
    return retrying(() => this.#pages(ref, options), again, this.options.signal);
  }

  async #pages(ref: Omit<Ref, "name">, options: ListOptions): Promise<KubeObject[]> {
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
      // Items of a list lack these two fields.
      for (const item of page.items ?? []) found.push(keep({ ...item, apiVersion: ref.apiVersion, kind: ref.kind }));
      next = page.metadata?.continue ?? "";
    } while (next !== "" && found.length < most);
    return found;
  }

  /**
   * Server-side apply. Takes over fields from other managers, because the program is the source of truth for the fields
   * it sets; without `force`, such a field is a conflict ({@link isFieldConflict}).
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

  /** Creates an object. An existing one of the same name is a conflict. */
  async create(object: KubeObject): Promise<KubeObject> {
    const { namespace, name } = object.metadata;
    const ref = { apiVersion: object.apiVersion, kind: object.kind, namespace, name };
    const query = queryOf({ fieldManager: FIELD_MANAGER, fieldValidation: "Strict" });
    const path = (await this.discovery.path({ ...ref, name: "" })) + query;
    return this.call(`create ${describe(ref)}`, { method: "POST", path, body: JSON.stringify(object) });
  }

  /**
   * Replaces labels, annotations and data of an object. If it has changed since its `resourceVersion` was read, that is
   * a conflict. Needs only the right to patch, as an apply does.
   */
  async replace(object: KubeObject): Promise<KubeObject> {
    const { namespace, name, labels, annotations, resourceVersion } = object.metadata;
    const ref = { apiVersion: object.apiVersion, kind: object.kind, namespace, name };
    const values = { "metadata/labels": labels, "metadata/annotations": annotations, data: object["data"] };
    return this.call(`change ${describe(ref)}`, {
      method: "PATCH",
      path: (await this.discovery.path(ref)) + queryOf({ fieldManager: FIELD_MANAGER }),
      contentType: "application/json-patch+json",
      body: JSON.stringify([
        { op: "replace", path: "/metadata/resourceVersion", value: resourceVersion },
        ...Object.entries(values).flatMap(([at, value]) => (value ? [{ op: "add", path: `/${at}`, value }] : [])),
      ]),
    });
  }

  /** Sends a create request as a dry run. An existing object of the same name is a conflict. */
  async tryCreate(object: KubeObject): Promise<void> {
    const { namespace, name } = object.metadata;
    const ref = { apiVersion: object.apiVersion, kind: object.kind, namespace, name };
    const query = queryOf({ fieldManager: FIELD_MANAGER, fieldValidation: "Strict", dryRun: "All" });
    const path = (await this.discovery.path({ ...ref, name: "" })) + query;
    await this.call(`check ${describe(ref)}`, { method: "POST", path, body: JSON.stringify(object) });
  }

  /** JSON merge patch of an existing object, or of its subresource, such as `/status`. */
  async merge(ref: Ref, patch: Json, { dryRun = false, of = "" } = {}): Promise<KubeObject> {
    const query = queryOf({ fieldManager: FIELD_MANAGER, dryRun: dryRun ? "All" : undefined });
    return this.call(`change ${describe(ref)}`, {
      method: "PATCH",
      path: (await this.discovery.path(ref)) + of + query,
      contentType: "application/merge-patch+json",
      body: JSON.stringify(patch),
    });
  }

  /**
   * Starts a deletion. Returns false if the object is already gone, or was replaced by another one with a different
   * UID.
   */
  async remove(ref: Ref, options: DeleteOptions = {}): Promise<boolean> {
    const { propagationPolicy = "Background", uid, resourceVersion } = options;
    const body = {
      apiVersion: "v1",
      kind: "DeleteOptions",
      propagationPolicy,
      ...(uid === undefined ? {} : { preconditions: { uid, ...(resourceVersion && { resourceVersion }) } }),
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

  /** Creates a review, such as a SelfSubjectAccessReview. Nothing is stored. */
  async review(apiVersion: string, kind: string, spec: Json): Promise<KubeObject> {
    const path = `/apis/${apiVersion}/${kind.toLowerCase()}s`;
    return this.call(`ask for a ${kind}`, { method: "POST", path, body: JSON.stringify({ apiVersion, kind, spec }) });
  }

  /** Requests something that is issued but not stored, such as a token, from a subresource of an object. */
  async issue(ref: Ref, subresource: string, body: KubeObject | Json): Promise<KubeObject> {
    const path = `${await this.discovery.path(ref)}/${subresource}`;
    return this.call(`create ${subresource} of ${describe(ref)}`, { method: "POST", path, body: JSON.stringify(body) });
  }

  /** Reads the last lines of a container's log. */
  async log(pod: Ref, container: string, previous: boolean, lines = 5): Promise<string> {
    const limitBytes = String(400 * lines);
    const query = queryOf({ container, previous: String(previous), tailLines: String(lines), limitBytes });
    const path = `${await this.discovery.path(pod)}/log${query}`;
    const answer = await this.#exchange(`read the log of ${describe(pod)}`, { method: "GET", path, accept: "*/*" });
    return answer.trim();
  }

  /**
   * Sends a request to a program in the cluster through the API server's service proxy, so no other network access is
   * needed. `path` is the program's own path. A response other than a success is an error with the program's message.
   * The API server sets no timeout for such a request. `patienceMs`: how long it is repeated, if not as long as others.
   */
  async ask(
    action: string,
    service: ServicePort,
    sent: Sent,
    timeoutMs?: number,
    patienceMs?: number,
  ): Promise<string> {
    const { namespace, name, port } = service;
    const [place, program] = [encodeURIComponent(namespace), encodeURIComponent(name)];
    const proxy = `/api/v1/namespaces/${place}/services/http:${program}:${port}/proxy`;
    return this.#exchange(
      action,
      { accept: "*/*", ...sent, path: proxy + sent.path },
      undefined,
      timeoutMs,
      patienceMs,
    );
  }

  /** GET, parsed as JSON. */
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

  /** Retries are safe: apply, patch and delete are idempotent, and a repeated create is a conflict. */
  async #exchange(
    action: string,
    sent: Sent,
    warn?: Warn,
    timeoutMs = TIMEOUT_MS,
    patienceMs = this.options.patienceMs ?? 20_000,
  ): Promise<string> {
    const { signal } = this.options;
    const started = Date.now();
    const once = async (): Promise<string> => {
      signal?.throwIfAborted();
      const answer = await this.connection.send({ ...sent, timeoutMs, signal });
      if (answer.status < 200 || answer.status >= 300)
        throw apiError(`could not ${action}`, answer.status, answer.body, retryAfterSeconds(answer.retryAfter));
      if (warn) answer.warnings.forEach(warn);
      return answer.body;
    };
    return retrying(once, (error, attempt) => delayBefore(error, attempt, Date.now() - started, patienceMs), signal);
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
