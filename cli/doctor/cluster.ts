import type { ClusterAccess } from "../../components/cluster/access/kubeconfig";
import type { ClusterConfig } from "../../components/cluster/clusterConfig";
import { KNOWN_MINORS } from "../../components/cluster/onEks/minors";
import type { ClusterNeed } from "../../components/contract/needs";
import { messageOf } from "../../foundation/errors";
import type { Client } from "../../kubernetes/client/client";
import { ifKnown, unlessForbidden } from "../../kubernetes/client/lookUp";
import { connect } from "../../kubernetes/connect/connect";
import { findingsOf, type Finding } from "./finding";
import { rightsFindings } from "./rights";

const { ok, warning, fault } = findingsOf("cluster");
const PATIENCE_MS = 3_000;
const MOST_MS = 60_000;

/** Checks each existing cluster of a platform for what is needed of it. */
export async function clusterFindings(
  cluster: ClusterConfig | undefined,
  needs: readonly ClusterNeed[],
): Promise<Finding[]> {
  const own = cluster?.type === "existing" ? cluster.access : undefined;
  const keyOf = ({ kubeconfig, context }: ClusterAccess): string => JSON.stringify([kubeconfig, context]);
  const placed = needs.flatMap((need) => {
    const access = need.access ?? own;
    return access === undefined ? [] : [{ need, access }];
  });
  const places = Map.groupBy(placed, ({ access }) => keyOf(access));
  if (own !== undefined && !places.has(keyOf(own))) places.set(keyOf(own), []);
  const found = [...places.values()].map((there) =>
    placeFindings(
      there[0]?.access ?? own!,
      there.map(({ need }) => need),
    ),
  );
  return (await Promise.all(found)).flat();
}

async function placeFindings(access: ClusterAccess, needs: readonly ClusterNeed[]): Promise<Finding[]> {
  const { server, kubeconfig, context } = access;
  const signal = AbortSignal.timeout(MOST_MS);
  const client = connect(kubeconfig, context, { patienceMs: PATIENCE_MS, signal });
  try {
    const { gitVersion } = await client.json<{ readonly gitVersion: string }>("read its version", "/version");
    return [
      versionFinding(server, gitVersion),
      ...(await classFindings(client, needs)),
      ...(await apiFindings(client, needs)),
      ...(await rightsFindings(client, needs)),
    ];
  } catch (error) {
    const why = signal.aborted ? `no answer within ${MOST_MS / 1000} s` : messageOf(error);
    const how = `check address, network and credentials: kubectl${context ? ` --context ${context}` : ""} get --raw /version`;
    return [fault(`${server} can't be asked: ${why}`, how)];
  }
}

function versionFinding(server: string, gitVersion: string): Finding {
  const [, minor = ""] = /^v?(\d+\.\d+)/.exec(gitVersion) ?? [];
  const text = `${server} runs Kubernetes ${gitVersion}`;
  if ((KNOWN_MINORS as readonly string[]).includes(minor)) return ok(text);
  return warning(text, `the platform is tested with ${KNOWN_MINORS[0]} to ${KNOWN_MINORS.at(-1)}`);
}

/** Classes, and the annotation of a default one. */
const CLASSES = {
  storageClass: {
    kind: { apiVersion: "storage.k8s.io/v1", kind: "StorageClass" },
    annotation: "storageclass.kubernetes.io/is-default-class",
    missing: "install a storage driver with such a class, or name another class there",
  },
  ingressClass: {
    kind: { apiVersion: "networking.k8s.io/v1", kind: "IngressClass" },
    annotation: "ingressclass.kubernetes.io/is-default-class",
    missing: "install its controller, or name another class there",
  },
} as const;

async function classFindings(client: Client, needs: readonly ClusterNeed[]): Promise<Finding[]> {
  const found = (["storageClass", "ingressClass"] as const).map(async (type) => {
    const wanted = needs.flatMap((need) => (need.type === type ? [need] : []));
    if (wanted.length === 0) return [];
    const { kind, annotation, missing } = CLASSES[type];
    const all = await unlessForbidden(client.list(kind, { metadataOnly: true }));
    const title = kind.kind;
    if (all === undefined) {
      return [warning(`may not list ${title} objects, so they are not checked`, `allow list of ${title}`)];
    }
    const names = all.map(({ metadata }) => metadata.name).sort();
    const defaults = all.flatMap(({ metadata }) =>
      metadata.annotations?.[annotation] === "true" ? [metadata.name] : [],
    );
    return [...Map.groupBy(wanted, ({ name }) => name)].map(([name, users]) => {
      if (name === undefined ? defaults.length > 0 : names.includes(name)) {
        return ok(`${title} ${name ?? `${defaults.join(", ")} is the default`}`);
      }
      const there = names.length === 0 ? "it has none" : `it has ${names.join(", ")}`;
      const remedy =
        name === undefined && names.length > 0
          ? `kubectl annotate ${title.toLowerCase()} ${names[0]} ${annotation}=true`
          : missing;
      return lacking(
        users,
        `the cluster has no ${name === undefined ? `default ${title}` : `${title} ${name}`} (${there})`,
        remedy,
      );
    });
  });
  return (await Promise.all(found)).flat();
}

async function apiFindings(client: Client, needs: readonly ClusterNeed[]): Promise<Finding[]> {
  const wanted = needs.flatMap((need) => (need.type === "api" ? [need] : []));
  const found = [...Map.groupBy(wanted, ({ apiVersion, kind }) => `${apiVersion} ${kind}`)].map(
    async ([title, [first, ...others]]) => {
      const { apiVersion, kind } = first!;
      const isThere = (await ifKnown(client.discovery.resource(apiVersion, kind))) !== null;
      if (isThere) return ok(title);
      const other = first!.isOptional ? `for example by stackyard:${first!.path}` : "or change the setting";
      const remedy = `install what serves ${apiVersion}, ${other}`;
      return lacking([first!, ...others], `the cluster does not serve ${title}`, remedy);
    },
  );
  return Promise.all(found);
}

/** A fault if one of those who need it can't do without it. */
function lacking(users: readonly ClusterNeed[], text: string, remedy: string): Finding {
  const who = [...new Set(users.map(({ path }) => `stackyard:${path}`))].join(", ");
  const isFault = users.some(({ isOptional }) => isOptional !== true);
  return isFault ? fault(`${text}, which ${who} needs`, remedy) : warning(text, remedy);
}
