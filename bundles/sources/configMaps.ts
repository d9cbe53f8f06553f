/** Files in ConfigMaps of a cluster. */

import type { SourceOf } from "../../foundation/bundleSources";
import { isNotFound } from "../../kubernetes/client/apiError";
import type { Client } from "../../kubernetes/client/client";
import type { KubeObject } from "../../kubernetes/objects/objects";
import { Refused, Unavailable } from "../errors";
import { TreeBuilder } from "../tree/builder";
import { cleanDirectory } from "../tree/paths";
import { byCode, type FileTree } from "../tree/tree";
import { byContent } from "./byContent";
import { inCluster, isName } from "./inCluster";
import type { SourceAccess, SourceKind } from "./kind";

export type ConfigMapsSource = SourceOf<"configMaps">;

/** A ConfigMap may have a megabyte, so they are read in small pages. */
const PAGE = 8;
const LABEL = /^([a-z0-9.-]{1,253}\/)?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;
const VALUE = /^([A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?$/;

export const configMaps: SourceKind<ConfigMapsSource> = {
  describe: ({ namespace, labels, names }) => `ConfigMaps ${namespace}/${names?.join("+") ?? selectorOf(labels ?? {})}`,
  cacheKey: ({ path }) => ({ type: "configMaps", path: folderOf(path) }),
  ...byContent(read, () => "the content", "it was changed"),
};

const folderOf = (path: string | undefined): string => cleanDirectory(path ?? "manifests");

const selectorOf = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");

async function read(source: ConfigMapsSource, access: SourceAccess): Promise<FileTree> {
  check(source);
  const builder = new TreeBuilder({ directory: "", keep: access.keep, image: false });
  const folder = folderOf(source.path);
  const owners = new Map<string, string>();
  await inCluster(source, access.signal, async (client) => {
    for await (const map of mapsOf(source, client)) {
      for (const [key, content] of filesIn(map)) {
        const path = builder.entry(folder === "" ? key : `${folder}/${key}`);
        const { name } = map.metadata;
        const owner = owners.get(path);
        if (owner !== undefined)
          throw new Refused(`${path} is in the ConfigMaps ${owner} and ${name}; expected it in one only`);
        owners.set(path, name);
        if (!builder.wants(path)) continue;
        builder.room(path, content.length);
        builder.file(path, content);
      }
    }
  });
  return builder.build();
}

/** Checked because they become part of a URL. */
function check({ namespace, labels, names }: ConfigMapsSource): void {
  const wrong = (what: string): never => {
    throw new Refused(`${what}; expected a namespace, and either names of ConfigMaps or labels`);
  };
  if (!isName(namespace)) wrong(`found the namespace ${JSON.stringify(namespace)}`);
  for (const name of names ?? []) if (!isName(name)) wrong(`found the name ${JSON.stringify(name)}`);
  if (names?.length === 0 || (labels !== undefined && Object.keys(labels).length === 0)) wrong("found an empty list");
  for (const [key, value] of Object.entries(labels ?? {})) {
    if (!LABEL.test(key) || !VALUE.test(value)) wrong(`found the label ${JSON.stringify(`${key}=${value}`)}`);
  }
}

async function* mapsOf({ namespace, labels, names }: ConfigMapsSource, client: Client): AsyncGenerator<KubeObject> {
  const all = `/api/v1/namespaces/${namespace}/configmaps`;
  for (const name of names ?? []) {
    try {
      yield await client.json<KubeObject>(`read ConfigMap ${namespace}/${name}`, `${all}/${name}`);
    } catch (error) {
      if (isNotFound(error)) throw new Unavailable(`there is no ConfigMap ${namespace}/${name}`, false);
      throw error;
    }
  }
  if (labels === undefined) return;
  const labelSelector = selectorOf(labels);
  let next = "";
  let found = 0;
  do {
    const query = new URLSearchParams({
      labelSelector,
      limit: String(PAGE),
      ...(next === "" ? {} : { continue: next }),
    });
    const page = await client.json<Page>(`list ConfigMaps in ${namespace}`, `${all}?${query.toString()}`);
    for (const map of page.items ?? []) {
      found++;
      yield map;
    }
    next = page.metadata?.continue ?? "";
  } while (next !== "");
  if (found === 0)
    throw new Unavailable(`there is no ConfigMap with the labels ${labelSelector} in ${namespace}`, false);
}

interface Page {
  readonly items?: readonly KubeObject[];
  readonly metadata?: { readonly continue?: string };
}

function filesIn(map: KubeObject): [string, Buffer][] {
  const texts = Object.entries((map["data"] ?? {}) as Record<string, string>);
  const bytes = Object.entries((map["binaryData"] ?? {}) as Record<string, string>);
  const files = [
    ...texts.map(([key, text]): [string, Buffer] => [key, Buffer.from(text)]),
    ...bytes.map(([key, text]): [string, Buffer] => [key, Buffer.from(text, "base64")]),
  ];
  return files.sort(([a], [b]) => byCode(a, b));
}
