import type { KeptDisk } from "../../../kubernetes/disks/kept";
import { ask, type ServiceAccess } from "../../service/client";
import type { ShownDisks, NamedDisks } from "./target";

interface ServiceDisk {
  readonly name: string;
  readonly deployment: string;
  readonly platform: string | null;
  readonly provisioner: string | null;
  readonly gib: number;
  readonly keptAt: string | null;
}

const DISK = "name deployment platform provisioner gib keptAt";

interface Page {
  readonly keptDisks: {
    readonly nodes: readonly ServiceDisk[];
    readonly unseen: readonly string[];
    readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
  };
}

const PAGE = `query ($after: String) { keptDisks(first: 100, after: $after) {
  nodes { ${DISK} } unseen pageInfo { endCursor hasNextPage } } }`;

/** Reads the kept disks that the service shows. */
export async function serviceDisks(access: ServiceAccess): Promise<ShownDisks> {
  const disks: KeptDisk[] = [];
  for (let after: string | null = null; ;) {
    const { keptDisks: page }: Page = await ask<Page>(access, PAGE, { after });
    disks.push(...page.nodes.map(keptDisk));
    after = page.pageInfo.endCursor;
    if (!page.pageInfo.hasNextPage) return { disks, unseen: page.unseen };
  }
}

const DELETE = `mutation ($names: [ID!]!, $dryRun: Boolean!) {
  deleteKeptDisks(names: $names, dryRun: $dryRun) { disks { ${DISK} } } }`;

/** Returns the disks with these names, and how to delete them. Throws if the service refuses to. */
export async function namedServiceDisks(access: ServiceAccess, names: readonly string[]): Promise<NamedDisks> {
  const request = (dryRun: boolean) =>
    ask<{ deleteKeptDisks: { readonly disks: readonly ServiceDisk[] } }>(access, DELETE, { names, dryRun });
  const { deleteKeptDisks: found } = await request(true);
  return { disks: found.disks.map(keptDisk), remove: async () => void (await request(false)) };
}

function keptDisk({ name: full, deployment, platform, provisioner, gib, keptAt }: ServiceDisk): KeptDisk {
  const [namespace = "", name = ""] = full.split("/");
  return {
    namespace,
    name,
    set: deployment,
    deployment,
    ...(platform !== null && { platform }),
    ...(provisioner !== null && { provisioner }),
    since: keptAt ?? "",
    bytes: gib * 2 ** 30,
  };
}
