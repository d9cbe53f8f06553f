import * as http from "node:http";
import type { AddressInfo } from "node:net";
import { dump } from "js-yaml";
import type { KubeObject } from "../../../kubernetes/objects/objects";

const GROUP = "installer.kyma-project.io";
const API = `${GROUP}/v1alpha1`;

/** KWOK only handles kinds that exist when it reads the Stages. */
export const definition: KubeObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `installations.${GROUP}` },
  spec: {
    group: GROUP,
    scope: "Namespaced",
    names: { kind: "Installation", plural: "installations", singular: "installation", listKind: "InstallationList" },
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
                properties: {
                  version: { type: "string" },
                  url: { type: "string" },
                  profile: { type: "string", enum: ["evaluation", "production", ""] },
                  components: {
                    type: "array",
                    items: {
                      type: "object",
                      required: ["name", "namespace"],
                      properties: {
                        name: { type: "string" },
                        namespace: { type: "string" },
                        source: { type: "object", properties: { url: { type: "string" } } },
                      },
                    },
                  },
                },
              },
              status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
            },
          },
        },
      },
    ],
  },
};

/** The content of a release: the installer with its dependencies, and the Installation that lists what to install. */
export function manifests(version: string): KubeObject[] {
  const metadata = { namespace: "kyma-installer", name: "kyma-installer" };
  const labels = { name: "kyma-installer" };
  const pod = { containers: [{ name: "kyma-installer", image: `kyma-installer:${version}` }] };
  return [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "kyma-installer" } },
    { apiVersion: "v1", kind: "ServiceAccount", metadata },
    definition,
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata,
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: pod } },
    },
    {
      apiVersion: API,
      kind: "Installation",
      metadata: {
        name: "kyma-installation",
        namespace: "default",
        labels: { action: "install", "kyma-project.io/installation": "" },
      },
      spec: { version, url: "", components: [{ name: "cluster-essentials", namespace: "kyma-system" }] },
    },
  ];
}

interface Behaviour {
  readonly name: string;
  readonly action: string;
  readonly state: string;
  readonly status: string;
  readonly next?: string;
}

/**
 * The installer's behaviour as KWOK Stages: it removes the label, is busy for a moment, and then is done or has an
 * error.
 */
export function installerStages(behaviour: "installs" | "fails" | "recovers"): KubeObject[] {
  const log = `errorLog: [{ component: istio, log: "timed out", occurrences: 1 }]`;
  const done = "state: Installed\ndescription: Kyma installed\nerrorLog: null";
  const error = `state: Error\ndescription: install istio\n${log}`;
  const stages: Behaviour[] = [
    { name: "begins", action: "install", state: "", status: "state: InProgress\ndescription: installing istio" },
    { name: "ends", action: "", state: "InProgress", status: behaviour === "installs" ? done : error },
    ...(behaviour === "recovers" ? [{ name: "recovers", action: "", state: "Error", status: done }] : []),
  ];
  const selected = ({ action, state }: Behaviour) => [
    ...(action === ""
      ? [{ key: ".metadata.labels.action", operator: "DoesNotExist" }]
      : [{ key: ".metadata.labels.action", operator: "In", values: [action] }]),
    ...(state === "" ? [] : [{ key: ".status.state", operator: "In", values: [state] }]),
  ];
  const took = { root: "", template: "metadata: { labels: { action: null } }", type: "merge" };
  return stages.map((one) => ({
    apiVersion: "kwok.x-k8s.io/v1alpha1",
    kind: "Stage",
    metadata: { name: `kyma-installer-${one.name}` },
    spec: {
      resourceRef: { apiGroup: API, kind: "Installation" },
      selector: { matchExpressions: selected(one) },
      delay: { durationMilliseconds: 200 },
      next: {
        patches: [...(one.action === "" ? [] : [took]), { root: "status", template: one.status, type: "merge" }],
      },
    },
  }));
}

/** A bucket with the manifests of releases. */
export class ReleasesDouble {
  readonly files = new Map<string, string>();
  readonly #server = http.createServer((request, response) => {
    const content = this.files.get(request.url ?? "");
    response.writeHead(content === undefined ? 404 : 200).end(content);
  });

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Publishes a release and returns its URLs. */
  publish(version: string): { readonly installerUrl: string; readonly tillerUrl: string } {
    const text = manifests(version)
      .map((one) => dump(one))
      .join("---\n");
    this.files.set(`/${version}/kyma-installer-cluster.yaml`, text);
    const base = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${version}`;
    return { installerUrl: `${base}/kyma-installer-cluster.yaml`, tillerUrl: `${base}/tiller.yaml` };
  }
}
