import type { Client } from "../../kubernetes/client/client";
import type { KubeObject } from "../../kubernetes/objects/objects";
import { runtimeRef } from "./kind";
import { statusAfter, type Verdict } from "./status";

/** Reads and writes the Runtimes of a namespace. A Runtime that was replaced by another one is a conflict. */
export class RuntimeObjects {
  constructor(
    readonly client: Client,
    readonly namespace: string,
  ) {}

  get(name: string): Promise<KubeObject | undefined> {
    return this.client.get(this.refOf(name));
  }

  /** A Runtime that has changed meanwhile is a conflict. */
  async setFinalizers({ metadata }: KubeObject, finalizers: readonly string[]): Promise<void> {
    const { name, resourceVersion } = metadata;
    await this.client.merge(this.refOf(name), { metadata: { resourceVersion, finalizers } });
  }

  async annotate({ metadata }: KubeObject, annotations: Readonly<Record<string, string | null>>): Promise<void> {
    const { name, uid } = metadata;
    await this.client.merge(this.refOf(name), { metadata: { uid, annotations } });
  }

  /** Writes the status, unless it says the same already. */
  async say({ metadata: { name, uid }, ...runtime }: KubeObject, verdict: Verdict): Promise<void> {
    const status = statusAfter(runtime["status"], verdict, new Date());
    if (status) await this.client.merge(this.refOf(name), { metadata: { uid }, status }, { of: "/status" });
  }

  private refOf(name: string) {
    return runtimeRef(this.namespace, name);
  }
}
