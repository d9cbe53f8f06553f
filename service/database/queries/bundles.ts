import { sql } from "kysely";
import type { Connection } from "../database";
import type { BundleRow } from "../watchTables";
import { anyOf, readPage, type Order, type Page, type PageArgs } from "./page";

export interface BundleFilter {
  /** Platform stack, as organization/project/stack. */
  readonly platform?: string;
  readonly standing?: readonly NonNullable<BundleRow["standing"]>[];
}

/** A platform contains no space. */
const BY_PLATFORM: Order<BundleRow> = {
  keys: [sql.ref("platform"), sql.ref("urn")],
  cursorOf: ({ platform, urn }) => `${platform} ${urn}`,
  valuesOf: (cursor) => cursor.split(/ (.*)/s).slice(0, 2),
};

/** Bundles that are reconciled, by platform. */
export function bundlePage(
  database: Connection,
  { filter = {}, ...place }: PageArgs<BundleFilter>,
): Promise<Page<BundleRow>> {
  const { platform, standing } = filter;
  const matching = database
    .selectFrom("bundle")
    .$if(platform !== undefined, (query) => query.where("platform", "=", platform ?? ""))
    .$if(standing !== undefined, (query) => query.where("standing", "=", anyOf(standing ?? [])));
  return readPage(matching, BY_PLATFORM, place);
}
