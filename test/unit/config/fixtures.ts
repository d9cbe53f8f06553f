import assert from "node:assert/strict";
import { ConfigError, renderPath, type Fault } from "../../../foundation/schema/faults";
import { decodeConfig, type RawConfig } from "../../../components/platform/config/decodeConfig";
import type { Files } from "../../../foundation/schema/files";
import type { ClusterAccess } from "../../../components/cluster/access/kubeconfig";
import type { KubernetesSettings } from "../../../components/runtime/types/kubernetes/spec";
import type { PlatformConfig } from "../../../components/platform/config/platformConfig";

/** Files in memory by path. */
export function filesOf(content: Readonly<Record<string, string>>): Files {
  return {
    read: (path) => {
      const text = Object.hasOwn(content, path) ? content[path] : undefined;
      if (text === undefined) throw Object.assign(new Error(`no ${path}`), { code: "ENOENT" });
      return Buffer.from(text);
    },
    list: (folder) => {
      const names = Object.keys(content).filter((name) => name.startsWith(`${folder}/`));
      if (names.length === 0) throw Object.assign(new Error(`no ${folder}`), { code: "ENOENT" });
      return names.map((name) => name.slice(folder.length + 1)).sort();
    },
  };
}

export const KUBECONFIG = `
apiVersion: v1
kind: Config
current-context: main
contexts:
  - { name: main, context: { cluster: one, user: admin } }
  - { name: other, context: { cluster: two, user: guest } }
clusters:
  - { name: one, cluster: { server: "https://10.0.0.1:6443", certificate-authority: pki/ca.crt } }
  - { name: two, cluster: { server: "https://10.0.0.2:6443" } }
users:
  - { name: admin, user: { client-certificate: pki/admin.crt, client-key: pki/admin.key } }
  - { name: guest, user: { token: guest-token } }
`;

/** Access to the platform's cluster, which is there already. */
export function accessOf({ cluster }: PlatformConfig): ClusterAccess {
  assert.equal(cluster?.type, "existing");
  return cluster.access;
}

/** A provisioner, with the settings of the type kubernetes. */
export function kubernetesIn({ provisioners }: PlatformConfig, name: string) {
  const config = provisioners[name];
  assert.ok(config?.type === "kubernetes", `${name} is of type ${config?.type}`);
  return { ...config, settings: config.settings as KubernetesSettings };
}

export const LEDGER = "postgres://yard@127.0.0.1:5432/ledger";

export const WORKLOAD = `apiVersion: apps/v1
kind: StatefulSet
spec:
  replicas: 1
`;

export const FILES = filesOf({
  "yard/kubeconfig": KUBECONFIG,
  "yard/pki/ca.crt": "CA",
  "yard/pki/admin.crt": "CERT",
  "yard/pki/admin.key": "KEY",
  "templates/statefulset.yaml": WORKLOAD,
  ".yard/ledger-url": `${LEDGER}\n`,
});

const shared = {
  type: "static",
  spec: { runtimes: [{ host: "http://localhost:9091", slots: 50 }] },
};

const dedicated = {
  type: "kubernetes",
  spec: { namespace: "runtimes", host: "https://*.example.com", image: "example/runtime" },
};

/** A config without faults. */
export const GOOD = {
  cluster: { type: "existing", kubeconfig: { path: "yard/kubeconfig" } },
  provisioners: { shared, dedicated },
  defaultProvisioner: "shared",
  environments: { dev: { provisioner: "dedicated" } },
};

/** {@link GOOD} with other values in some keys. */
export const goodWith = (values: Record<string, unknown>): Record<string, unknown> => ({ ...GOOD, ...values });

/** {@link GOOD} with a Kubernetes provisioner whose spec has other values. */
export const kubernetesWith = (spec: Record<string, unknown>): Record<string, unknown> =>
  goodWith({ provisioners: { shared, dedicated: { ...dedicated, spec: { ...dedicated.spec, ...spec } } } });

/** {@link GOOD} with these runtimes in its pool. */
export const poolOf = (...runtimes: unknown[]): Record<string, unknown> =>
  goodWith({ provisioners: { shared: { ...shared, spec: { runtimes } }, dedicated } });

export function decode(values: Record<string, unknown>, raw: Partial<RawConfig> = {}, files = FILES): PlatformConfig {
  return decodeConfig({ values, ...raw }, files);
}

/** The faults of a config, none when it is accepted. */
export function faultsOf(
  values: Record<string, unknown>,
  raw: Partial<RawConfig> = {},
  files = FILES,
): readonly Fault[] {
  try {
    decode(values, raw, files);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

/** The faults as lines without the namespace: `provisioners.eu: found …`. */
export function linesOf(values: Record<string, unknown>, raw: Partial<RawConfig> = {}, files = FILES): string[] {
  return faultsOf(values, raw, files).map(({ path, message }) => `${renderPath(path)}: ${message}`);
}
