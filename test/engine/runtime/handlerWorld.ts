import { randomBytes } from "node:crypto";
import type { Context } from "../../../foundation/pulumi/resource";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/connect/connect";

export interface Logged {
  readonly severity: string;
  readonly message: string;
}

/** A namespace of its own in the test cluster, and what a handler of our provider is called with. */
export class HandlerWorld {
  readonly namespace: string;
  readonly client: Client;
  readonly logged: Logged[] = [];
  /** Name of the state backend of its resources. */
  backend = "file:///state";

  /** `prefix`: what the namespace's name begins with. */
  constructor(
    readonly kubeconfig: string,
    prefix: string,
  ) {
    this.namespace = `${prefix}-${randomBytes(4).toString("hex")}`;
    this.client = connect(kubeconfig, undefined, {});
  }

  async open(): Promise<this> {
    await this.client.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: this.namespace } });
    return this;
  }

  async close(): Promise<void> {
    await this.client.remove({ apiVersion: "v1", kind: "Namespace", name: this.namespace });
  }

  context(more: Partial<Context> = {}): Context {
    return {
      urn: "urn:test",
      backend: this.backend,
      preview: false,
      signal: new AbortController().signal,
      timeoutSeconds: undefined,
      log: (severity, message) => this.logged.push({ severity, message }),
      ...more,
    };
  }

  said = (severity: string): string =>
    this.logged
      .filter((one) => one.severity === severity)
      .map((one) => one.message)
      .join("\n");
}
