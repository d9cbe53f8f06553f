import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/connect/connect";
import { listAt, textAt, type KubeObject, type Ref } from "../../../kubernetes/objects/objects";
import { RUNTIMES, runtimeRef } from "../../../service/runtimeResources/kind";
import { Gardener } from "../../doubles/gardener/gardener";
import { RUNTIME_CRD } from "../../doubles/runtimes/crd";
import { until } from "../../engine/cli/held";
import { blocksOf } from "../../fixtures/pages";
import { ask, ServiceProcess, TOKEN, type Reply } from "../process";
import { TestService } from "../service";

const CRD: Ref = {
  apiVersion: RUNTIME_CRD.apiVersion,
  kind: RUNTIME_CRD.kind,
  name: RUNTIME_CRD.metadata.name,
};

/** Other tests run beside these. */
const PATIENCE_S = 90;

/** A cluster with Runtimes, Gardener, and processes of the service between them. */
export class ResourcePlace {
  service!: ServiceProcess;
  private readonly processes: ServiceProcess[] = [];

  private constructor(
    readonly gardener: Gardener,
    readonly host: TestService,
    readonly kcp: Client,
    readonly namespace: string,
  ) {}

  static async start(): Promise<ResourcePlace> {
    const tag = randomBytes(2).toString("hex");
    const gardener = await Gardener.start({
      yard: process.env["STACKYARD_TEST_YARD"] ?? "",
      stepMs: 20,
      project: `k${tag}`,
    });
    const { project, kubeconfig } = gardener;
    const spec = { project, kubeconfig: { content: kubeconfig }, secretBindings: { gcp: "gcp" } };
    const host = await TestService.start({
      defaultProvisioner: "garden",
      provisioners: { garden: { type: "gardener", spec } },
    });
    const kcp = connect(readFileSync(host.project.place.kubeconfig, "utf8"), undefined, {});
    const place = new ResourcePlace(gardener, host, kcp, `kcp-${tag}`);
    for (const name of [place.namespace, place.elsewhere]) {
      await kcp.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
    }
    await kcp.remove(CRD);
    await until("there is no CRD of an earlier test", async () => (await kcp.get(CRD)) === undefined);
    place.service = await place.begin();
    return place;
  }

  /** A namespace that the service does not serve. */
  get elsewhere(): string {
    return `${this.namespace}-other`;
  }

  /** Starts a process of the service. */
  async begin(): Promise<ServiceProcess> {
    const { host } = this;
    const begun = await ServiceProcess.start({
      ...host.project.place.env,
      APP_DATABASE_URL: host.place.url,
      APP_PLATFORM: "here",
      APP_LIMIT_REQUESTS_PER_MINUTE: "100000",
      APP_GARDENER_KUBECONFIG_PATH: "/nowhere",
      APP_RUNTIMES_NAMESPACE: this.namespace,
      APP_RUNTIMES_KUBECONFIG_PATH: host.project.place.kubeconfig,
      KUBECONFIG: "",
    });
    this.processes.push(begun);
    return begun;
  }

  async install(): Promise<void> {
    await this.kcp.apply(RUNTIME_CRD);
    const isServed = () => this.kcp.list({ ...RUNTIMES, namespace: this.namespace }).then(Boolean, () => false);
    await until("the CRD is served", isServed);
  }

  /** The Runtime of the documentation, under another id and name. */
  example(id: string, change: (spec: Spec) => void = () => undefined): KubeObject {
    const [block] = blocksOf("docs/runtime-resources.md").filter(({ language }) => language === "yaml");
    const text = (block?.text ?? "")
      .replaceAll("018f6c1e-0000-7000-8000-000000000001", id)
      .replaceAll("kcp-system", this.namespace)
      .replace("c-acme", id);
    const runtime = load(text) as KubeObject & { readonly spec: Spec };
    change(runtime.spec);
    return runtime;
  }

  /** Without administrators: the clusters of all Shoots are one here, and each would bind them. */
  bare(id: string, change: (spec: Spec) => void = () => undefined): KubeObject {
    return this.example(id, (spec) => {
      spec.security.administrators = [""];
      change(spec);
    });
  }

  runtime(id: string): Promise<KubeObject | undefined> {
    return this.kcp.get(runtimeRef(this.namespace, id));
  }

  merge(id: string, patch: object): Promise<KubeObject> {
    return this.kcp.merge(runtimeRef(this.namespace, id), patch as never);
  }

  /** Waits until a Runtime has a state, and a text in the message of a condition. */
  async untilState(id: string, state: string, text = ""): Promise<KubeObject> {
    let last: KubeObject | undefined;
    const isSo = async (): Promise<boolean> => {
      last = await this.runtime(id);
      const said = listAt(last, "status", "conditions").map(({ message }) => message);
      return textAt(last, "status", "state") === state && said.join("\n").includes(text);
    };
    await until(`Runtime ${id} is ${state}${text && ` because of ${text}`}`, isSo, PATIENCE_S).catch(
      (error: unknown) => {
        throw new Error(`${String(error)}: ${JSON.stringify(last?.["status"])}\n${this.service.log.slice(-3000)}`);
      },
    );
    return last!;
  }

  async delete(id: string): Promise<void> {
    await this.kcp.remove(runtimeRef(this.namespace, id));
  }

  async gone(id: string): Promise<void> {
    await until(`Runtime ${id} is gone`, async () => (await this.runtime(id)) === undefined, PATIENCE_S).catch(
      async (error: unknown) => {
        throw new Error(
          `${String(error)}: ${JSON.stringify(await this.runtime(id))}\n${this.service.log.slice(-3000)}`,
        );
      },
    );
  }

  secret(id: string): Promise<KubeObject | undefined> {
    return this.kcp.get({ apiVersion: "v1", kind: "Secret", namespace: this.namespace, name: `kubeconfig-${id}` });
  }

  /** Reasons of the conditions by type. */
  reasons(runtime: KubeObject | undefined): Record<string, string> {
    const all = listAt(runtime, "status", "conditions");
    return Object.fromEntries(
      all.map(({ type, status, reason }) => [String(type), `${String(status)} ${String(reason)}`] as const),
    );
  }

  ask(query: string): Promise<Reply> {
    return ask(this.service.url, query, TOKEN, "red");
  }

  async get<T>(query: string): Promise<T> {
    const { data, errors } = await this.ask(query);
    assert.equal(errors, undefined, JSON.stringify(errors));
    return Object.values(data ?? {})[0] as T;
  }

  async end(): Promise<void> {
    for (const each of this.processes) await each.stop();
    await this.kcp.remove(CRD);
    for (const name of [this.namespace, this.elsewhere])
      await this.kcp.remove({ apiVersion: "v1", kind: "Namespace", name });
    await this.host.remove();
    await this.gardener.stop();
  }
}

/** What the tests change of a spec. */
export interface Spec {
  shoot: {
    name: string;
    networking: { dualStack?: boolean; vpcNetwork?: string };
    kubernetes: { kubeAPIServer: { additionalOidcConfig: object[] } };
    secretBindingName: string;
    provider: { workers: { maximum: number }[] };
  };
  security: { administrators: string[] };
}
