import {
  OperationNodeTransformer,
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type PrimitiveValueListNode,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
  type ValueNode,
} from "kysely";
import { isObject } from "../../../foundation/json/isObject";
import { opened, RequestOf, sealed } from "./requests";
import type { Vault } from "./vault";

/** Columns that contain requests, in any table. */
const COLUMNS = ["desiredConfig", "change", "previousConfig"];

/**
 * Seals secrets in requests on writes and opens them on reads, so that code outside the database sees plain values. It
 * must come after the plugin that maps column names.
 */
export class SealPlugin implements KyselyPlugin {
  private readonly sealer: Sealer;

  constructor(private readonly vault: Vault) {
    this.sealer = new Sealer(vault);
  }

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    return this.sealer.transformNode(node, queryId);
  }

  transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return Promise.resolve({ ...result, rows: result.rows.map((row) => this.open(row)) });
  }

  private open(row: UnknownRow): UnknownRow {
    const text = (name: string): string | undefined => {
      const value = row[name];
      return typeof value === "string" ? value : undefined;
    };
    const owner = { tenant: text("tenant"), deployment: text("deploymentId") ?? text("id") };
    const requests = COLUMNS.flatMap((name) => {
      const request = row[name];
      return isObject(request) ? [[name, opened(this.vault, owner, request)] as const] : [];
    });
    return requests.length === 0 ? row : { ...row, ...Object.fromEntries(requests) };
  }
}

class Sealer extends OperationNodeTransformer {
  constructor(private readonly vault: Vault) {
    super();
  }

  protected override transformValue(node: ValueNode): ValueNode {
    return { ...node, value: this.sealed(node.value) };
  }

  protected override transformPrimitiveValueList(node: PrimitiveValueListNode): PrimitiveValueListNode {
    return { ...node, values: node.values.map((value) => this.sealed(value)) };
  }

  private readonly sealed = (value: unknown): unknown =>
    value instanceof RequestOf ? sealed(this.vault, value) : value;
}
