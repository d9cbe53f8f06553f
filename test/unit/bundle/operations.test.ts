import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import { decodeConfig } from "../../../components/platform/config/decodeConfig";
import type { SourceOf } from "../../../foundation/bundleSources";
import { KUBECONFIG } from "../config/fixtures";

const root = path.join(__dirname, "../../..");
const example = path.join(root, "examples/operations");
const read = (...names: string[]): string => readFileSync(path.join(...names), "utf8");

/** Where a chart of the example names its service account. */
const ACCOUNT_AT: Readonly<Record<string, readonly string[]>> = {
  "fluent-bit": ["serviceAccount"],
  "external-secrets": ["serviceAccount"],
  velero: ["serviceAccount", "server"],
};

describe("the example with monitoring, logs, secrets, backups and costs", () => {
  const { config } = load(read(example, "Pulumi.dev.yaml")) as { config: Readonly<Record<string, unknown>> };
  const values = Object.fromEntries(Object.entries(config).map(([key, value]) => [key.split(":")[1], value]));
  const files = {
    read: (file: string): Buffer =>
      file.includes("kube") ? Buffer.from(KUBECONFIG) : readFileSync(path.resolve(example, file)),
    list: (folder: string) => readdirSync(path.resolve(example, folder)),
  };
  const { bundles, dataAccess } = decodeConfig({ values }, files);

  it("has every chart at a commit, and its dependencies in charts/", () => {
    const git = bundles.flatMap(({ content }) =>
      content.sources.filter((source): source is SourceOf<"git"> => source.type === "git"),
    );
    assert.equal(git.length, 11);
    for (const { repository, ref, into } of git) {
      assert.match(ref.commit ?? "", /^[0-9a-f]{40}$/, repository);
      assert.match(into ?? "crds", /^(charts\/[a-z-]+|crds)$/);
    }
  });

  it("gives roles to the service accounts of its charts, which they do not create themselves", () => {
    assert.deepEqual(Object.keys(dataAccess).sort(), Object.keys(ACCOUNT_AT).sort());
    for (const [name, at] of Object.entries(ACCOUNT_AT)) {
      const instance = bundles.find((one) => one.settings.bundle === name);
      const account = at.reduce<unknown>(
        (value, key) => (value as Record<string, unknown>)[key],
        instance?.content.values?.values,
      );
      const [[namespace, names] = []] = Object.entries(dataAccess[name]!.serviceAccounts);
      assert.deepEqual(account, { create: false, name: names?.[0] }, name);
      assert.equal(instance?.settings.namespace, namespace);
      assert.equal(dataAccess[name]!.accounts, "make");
    }
  });

  it("installs what has monitors after the kinds of the Prometheus operator", () => {
    const order = bundles.map(({ name }) => name);
    assert.equal(order[0], "monitoring");
    assert.ok(order.indexOf("stores") > order.indexOf("external-secrets"));
  });
});
