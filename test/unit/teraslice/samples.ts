import assert from "node:assert/strict";
import type { TerasliceSettings } from "../../../components/teraslice/settings";
import { planTeraslice } from "../../../components/teraslice/cluster/plan";
import { decode, goodWith, linesOf } from "../config/fixtures";

export const CONNECTORS = { "elasticsearch-next": { default: { node: ["http://opensearch.search.svc:9200"] } } };

/** A platform's config with Teraslice, whose settings have other values. */
export const withTeraslice = (more: object = {}, settings: object = {}, connectors: object = CONNECTORS) =>
  goodWith({ teraslice: { settings, terafoundation: { connectors }, ...more } });

/** Settings of that config, complete. */
export function settingsOf(...args: Parameters<typeof withTeraslice>): TerasliceSettings {
  const { teraslice } = decode(withTeraslice(...args));
  assert.ok(teraslice);
  return teraslice;
}

/** The one fault of that config. */
export function fault(expected: RegExp, ...args: Parameters<typeof withTeraslice>): void {
  const lines = linesOf(withTeraslice(...args));
  assert.equal(lines.length, 1, lines.join("\n"));
  assert.match(lines[0] ?? "", expected);
}

/** As much of an object as the tests look at. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Planned = any;

export const objectsOf = (...args: Parameters<typeof withTeraslice>): Planned[] => planTeraslice(settingsOf(...args));

/** The one object of this kind, or of this kind and name. */
export function only(objects: readonly Planned[], kind: string, name?: string): Planned {
  const found = objects.filter((each) => each.kind === kind && (name === undefined || each.metadata.name === name));
  assert.equal(found.length, 1, `${kind} ${name ?? ""}: ${found.length}`);
  return found[0];
}

/** Connections of every type with all their secrets. */
export const SECRETIVE = {
  "elasticsearch-next": {
    default: {
      node: ["https://search.example.com"],
      username: "tera",
      password: { secret: "search", key: "password" },
    },
  },
  s3: {
    lake: {
      endpoint: "https://s3.example.com",
      accessKeyId: { secret: "lake", key: "id" },
      secretAccessKey: { secret: "lake", key: "secret" },
    },
  },
  kafka: {
    events: { brokers: ["kafka-0.kafka.svc:9092"], ssl_key_password: { secret: "kafka", key: "key-password" } },
  },
};
