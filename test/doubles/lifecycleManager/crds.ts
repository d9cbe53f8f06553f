import type { KubeObject } from "../../../kubernetes/objects/objects";

/** The smallest CRDs that refuse what those of Lifecycle Manager do: see the README. */

const GROUP = "operator.kyma-project.io";
const text = { type: "string" };
const channel = { type: "string", pattern: "^[a-z]+$", minLength: 3, maxLength: 32 };
const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const state = {
  type: "string",
  enum: ["Processing", "Deleting", "Ready", "Error", "", "Warning", "Unmanaged"],
};

const list = (keys: readonly string[], properties: object, required: readonly string[]) => ({
  type: "array",
  items: { type: "object", properties, required },
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": keys,
});

const kyma = {
  spec: {
    type: "object",
    required: ["channel"],
    properties: {
      channel,
      skipMaintenanceWindows: { type: "boolean" },
      modules: list(
        ["name"],
        {
          ...{ name: text, channel, controller: text, remoteModuleTemplateRef: text },
          customResourcePolicy: { type: "string", enum: ["CreateAndDelete", "Ignore"], default: "CreateAndDelete" },
          managed: { type: "boolean", default: true },
        },
        ["managed", "name"],
      ),
    },
  },
  status: { ...anything, properties: { state } },
};

const meta = {
  spec: {
    type: "object",
    required: ["moduleName"],
    properties: {
      ...{ moduleName: { type: "string", pattern: "^([a-z]{3,}(-[a-z]{3,})*)?$" }, ocmComponentName: text },
      channels: list(["channel"], { channel, version: text }, ["channel", "version"]),
      mandatory: { type: "object", required: ["version"], properties: { version: text } },
    },
    "x-kubernetes-validations": [
      {
        rule: "(has(self.mandatory) && !has(self.channels)) || (!has(self.mandatory) && has(self.channels))",
        message: "exactly one of 'mandatory' or 'channels' must be specified",
      },
    ],
  },
};

const template = {
  spec: { type: "object", properties: { version: text, moduleName: text, mandatory: { type: "boolean" } } },
};

const crd = (kind: string, properties: object): KubeObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${kind.toLowerCase()}s.${GROUP}` },
  spec: {
    group: GROUP,
    scope: "Namespaced",
    names: { kind, listKind: `${kind}List`, plural: `${kind.toLowerCase()}s`, singular: kind.toLowerCase() },
    versions: [
      {
        ...{ name: "v1beta2", served: true, storage: true },
        ...("status" in properties && { subresources: { status: {} } }),
        schema: { openAPIV3Schema: { type: "object", properties } },
      },
    ],
  },
});

export const KYMA_CRD = crd("Kyma", kyma);
export const CRDS: readonly KubeObject[] = [KYMA_CRD, crd("ModuleReleaseMeta", meta), crd("ModuleTemplate", template)];
