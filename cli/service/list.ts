import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../context";
import { structured } from "../options/output";
import { accessOf, ask } from "./client";
import type { ReadOptions } from "./options";

export interface ServiceListOptions extends ReadOptions {
  readonly limit?: number;
}

const LOOK_MS = 2000;

/** Reads pages of a list until there are enough nodes. */
export async function readList<Node>(
  list: { readonly field: string; readonly filterType: string; readonly fields: string; readonly filter: object },
  options: ServiceListOptions,
): Promise<readonly Node[]> {
  const access = accessOf(options);
  const { field, filterType, fields, filter } = list;
  const query = `query ($filter: ${filterType}, $first: Int, $after: String) {
    ${field}(filter: $filter, first: $first, after: $after) { nodes { ${fields} } pageInfo { endCursor hasNextPage } } }`;
  const nodes: Node[] = [];
  const wanted = options.limit ?? 50;
  let after: string | null = null;
  do {
    const first = Math.min(100, wanted - nodes.length);
    interface Page {
      readonly nodes: readonly Node[];
      readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
    }
    const answer: Record<string, Page> = await ask(access, query, { filter, first, after });
    const page = answer[field];
    nodes.push(...(page?.nodes ?? []));
    after = page?.pageInfo.hasNextPage === true ? page.pageInfo.endCursor : null;
  } while (after !== null && nodes.length < wanted);
  return nodes;
}

/** Prints a list. With `--watch`, prints it again whenever it changes, until interrupted. */
export async function printList<Node>(
  context: Context,
  read: () => Promise<readonly Node[]>,
  text: (nodes: readonly Node[], columns: number | undefined) => string,
  options: ReadOptions,
): Promise<void> {
  for (let before: string | undefined; ; await sleep(LOOK_MS)) {
    const nodes = await read();
    const known = JSON.stringify(nodes);
    const columns = process.stdout.isTTY ? process.stdout.columns : undefined;
    if (known !== before) context.print(structured(nodes, options) ?? text(nodes, columns));
    before = known;
    if (options.watch !== true) return;
  }
}
