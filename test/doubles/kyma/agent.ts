import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../../../kubernetes/client/client";
import { textAt, type KubeObject } from "../../../kubernetes/objects/objects";

const GROUP = "compass.kyma-project.io";
const API = `${GROUP}/v1alpha1`;
const NAME = "compass-connection";
const PAUSE_MS = 50;
const STATES = ["Connected", "ConnectionFailed", "Synchronized", "SynchronizationFailed", "MetadataUpdateFailed"];

/** The kind with which the agent reports its connection. */
export const CONNECTIONS: KubeObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `compassconnections.${GROUP}` },
  spec: {
    group: GROUP,
    scope: "Cluster",
    names: {
      kind: "CompassConnection",
      plural: "compassconnections",
      singular: "compassconnection",
      listKind: "CompassConnectionList",
    },
    versions: [
      {
        name: "v1alpha1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: { managementInfo: { type: "object", properties: { directorUrl: { type: "string" } } } },
              },
              status: { type: "object", properties: { connectionState: { type: "string", enum: STATES } } },
            },
          },
        },
      },
    ],
  },
};

/**
 * Simulates Compass' agent in a cluster: it connects with each token that it gets, with the results that a test
 * defines.
 */
export class AgentDouble {
  /** Tokens that it used, in order. */
  readonly tried: string[] = [];
  #running = true;
  readonly #done: Promise<void>;

  /** `states`: result of each attempt; the last one also applies to later attempts. */
  constructor(
    private readonly client: Client,
    private readonly namespace: string,
    private readonly states: readonly string[],
  ) {
    this.#done = this.#work();
  }

  async stop(): Promise<void> {
    this.#running = false;
    await this.#done;
  }

  async #work(): Promise<void> {
    const ref = { apiVersion: "v1", kind: "Secret", namespace: this.namespace, name: "compass-agent-configuration" };
    while (this.#running) {
      const secret = await this.client.get(ref);
      const token = Buffer.from(textAt(secret, "data", "TOKEN") ?? "", "base64").toString("utf8");
      if (token !== "" && !this.tried.includes(token)) {
        const state = this.states[Math.min(this.tried.length, this.states.length - 1)];
        this.tried.push(token);
        const report = { apiVersion: API, kind: "CompassConnection", metadata: { name: NAME } };
        await this.client.apply({ ...report, spec: {}, status: { connectionState: state } });
      }
      await sleep(PAUSE_MS);
    }
  }
}
