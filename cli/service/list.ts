import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../context";
import { structured } from "../options/output";
import { ask, type ServiceAccess } from "./client";
import { serviceOf } from "./access";
import type { ServiceListOptions } from "./options";

const LOOK_MS = 2000;
/** The cost of a query is limited. */
const PAGE = 50;

/** A list of the API. */
interface List {
  readonly field: string;
  readonly filterType: string;
  readonly fields: string;
  readonly filter: object;
}

/** Reads pages of a list until there are `wanted` nodes. */
export async function readList<Node>(
  access: ServiceAccess,
  { field, filterType, fields, filter }: List,
  wanted = 50,
): Promise<readonly Node[]> {
  const query = `query ($filter: ${filterType}, $first: Int, $after: String) {
    ${field}(filter: $filter, first: $first, after: $after) { nodes { ${fields} } pageInfo { endCursor hasNextPage } } }`;
  const nodes: Node[] = [];
  let after: string | null = null;
  do {
    const first = Math.min(PAGE, wanted - nodes.length);
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

/** Prints a list of the service, by `text` if it is not empty. */
export async function printList<Node>(
  context: Context,
  list: List,
  text: (nodes: readonly Node[], columns: number | undefined) => string,
  options: ServiceListOptions,
): Promise<void> {
  const access = await serviceOf(options);
  const read = () => readList<Node>(access, list, options.limit);
  await whenChanged(read, options.watch, (nodes) => {
    const columns = process.stdout.isTTY ? process.stdout.columns : undefined;
    const shown = nodes.length > 0 ? text(nodes, columns) : `no ${list.field}`;
    context.print(structured(nodes, options) ?? shown);
  });
}

/** Reads and shows something; with `watch`, shows it again whenever it changes, until interrupted. */
export async function whenChanged<Shown>(
  read: () => Promise<Shown>,
  watch: boolean | undefined,
  show: (shown: Shown) => void,
): Promise<void> {
  for (let before: string | undefined; ; await sleep(LOOK_MS)) {
    const shown = await read();
    const known = JSON.stringify(shown);
    if (known !== before) show(shown);
    before = known;
    if (watch !== true) return;
  }
}
