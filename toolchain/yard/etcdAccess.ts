import * as fs from "node:fs";
import * as path from "node:path";
import { parse, stringify } from "yaml";
import { writePrivateSync } from "../../foundation/wholeFile";
import type { Layout } from "./layout";
import type { Ports } from "./ports";

/*
 * Write access to etcd is equivalent to cluster-admin, and kwokctl's etcd is open to all users of the machine. The
 * yard's etcd requires client certificates of the cluster's own CA, which only the API server has.
 */

type Arguments = Readonly<Record<string, string>>;

/** Arguments by program. */
function argumentsOf(layout: Layout, ports: Pick<Ports, "etcd" | "etcdPeer">): Readonly<Record<string, Arguments>> {
  const pki = (file: string): string => path.join(layout.cluster, "pki", file);
  const [client, peer] = [`https://127.0.0.1:${ports.etcd}`, `https://127.0.0.1:${ports.etcdPeer}`];
  const identity = { "cert-file": pki("admin.crt"), "key-file": pki("admin.key"), "trusted-ca-file": pki("ca.crt") };
  const same = Object.entries({ ...identity, "client-cert-auth": "true" });
  return {
    etcd: {
      "listen-client-urls": client,
      "advertise-client-urls": client,
      "listen-peer-urls": peer,
      "initial-advertise-peer-urls": peer,
      "initial-cluster": `node0=${peer}`,
      ...Object.fromEntries([...same, ...same.map(([key, value]) => [`peer-${key}`, value] as const)]),
    },
    "kube-apiserver": {
      "etcd-servers": client,
      "etcd-cafile": pki("ca.crt"),
      "etcd-certfile": pki("admin.crt"),
      "etcd-keyfile": pki("admin.key"),
    },
  };
}

/** Arguments that kwokctl sets itself, which must be overridden instead of added. */
const isOwn = (key: string): boolean => /-urls$|^initial-cluster$|^etcd-servers$/.test(key);

/** For kwokctl's `componentsPatches`. */
export function etcdPatches(layout: Layout, ports: Pick<Ports, "etcd" | "etcdPeer">) {
  return Object.entries(argumentsOf(layout, ports)).map(([name, args]) => ({
    name,
    extraArgs: Object.entries(args).map(([key, value]) => ({ key, value, override: isOwn(key) })),
  }));
}

interface Stored {
  components: { name: string; args: string[] }[];
}

/**
 * Adds these arguments to a cluster from before etcd required certificates, for its next start; its data stays. Returns
 * whether this was necessary.
 */
export function closeEtcd(layout: Layout, ports: Pick<Ports, "etcd" | "etcdPeer">): boolean {
  const file = path.join(layout.cluster, "kwok.yaml");
  if (!fs.existsSync(file)) return false;
  const text = fs.readFileSync(file, "utf8");
  if (text.includes("--client-cert-auth=true")) return false;
  const stored = parse(text) as Stored;
  const wanted = argumentsOf(layout, ports);
  for (const component of stored.components) {
    const args = wanted[component.name];
    if (args === undefined) continue;
    const kept = component.args.filter((arg) => !Object.keys(args).some((key) => arg.startsWith(`--${key}=`)));
    component.args = [...kept, ...Object.entries(args).map(([key, value]) => `--${key}=${value}`)];
  }
  writePrivateSync(file, stringify(stored));
  return true;
}
