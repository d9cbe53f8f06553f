import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { ChartRepository } from "../../doubles/chartRepository";
import { committedConfig, configure, doubleCharts, withNodes, worldWithAws } from "../eks/world";
import type { World } from "../runtime/world";
import { UNKNOWN } from "../../../foundation/pulumi/resource";
import { testYard } from "../runtime/yard";
import { graphOf } from "./graph";

const root = path.join(__dirname, "../../..");
const fileOf = (stage: string): string => path.join(root, "test/fixtures/graphs", `${stage}.json`);

/**
 * What each environment consists of, as committed. A change of the program shows in the diff of these files; they are
 * written again by `UPDATE_SNAPSHOTS=1 npx mocha --config .mocharc.engine.yaml --spec test/engine/snapshots/graph.test.ts`.
 */
describe("the graph of", function () {
  this.timeout(60_000);
  let world: World;
  let repository: ChartRepository;
  let charts: object;

  before(async () => {
    world = worldWithAws(await testYard());
    ({ repository, charts } = await doubleCharts(world.folder));
  });
  after(async () => {
    await repository.stop();
    world.remove();
  });

  const plain = (text: string): string =>
    text
      .replaceAll(world.place.kubeconfig, "KUBECONFIG")
      .replaceAll(world.folder, "FOLDER")
      .replaceAll(root, "CHECKOUT")
      .replaceAll(UNKNOWN, "(known when it is made)")
      .replace(/("(?:clusterIdentifier|identifier)":\s*")[0-9a-f-]{36}/g, "$1CLUSTER")
      .replace(/("instance":\s*")[0-9a-f]{64}/g, "$1INSTANCE")
      .replace(/https:\/\/127\.0\.0\.1:\d+/g, "https://SERVER")
      .replace(/http:\/\/127\.0\.0\.1:\d+/g, "http://CHARTS")
      .replace(/("stackyard\.dev\/secret": ")[0-9a-f]+/g, "$1CHECKSUM");

  for (const stage of ["dev", "staging", "prod", "staging-karpenter", "staging-auto"]) {
    it(`${stage} is the committed one, and has no secret in it`, async () => {
      const [file = "", nodes] = stage.split("-");
      const local = (text: string): string =>
        text
          .replace("path: .yard/kubeconfig", `path: ${world.place.kubeconfig}`)
          .replace(/(docs\/examples\/\S+)/g, `${root}/$1`);
      const committed = committedConfig(file, local);
      const config = { ...(nodes === undefined ? committed : withNodes(committed, nodes as "auto")), charts };
      if (stage === "dev") {
        await world.configure("platform", stage, "stackyard", config);
        await world.must("platform", "config", "set", "-s", stage, "--secret", "ledger", world.place.ledgerUrl);
      } else await configure(world, stage, config);
      const graph = graphOf(await world.must("platform", "preview", "-s", stage, "--json"), plain);
      const text = `${JSON.stringify(graph, undefined, 1)}\n`;
      assert.doesNotMatch(text, /s3cret-of-auth0|PRIVATE KEY|client-key-data: [A-Za-z0-9+/]/);
      if (process.env["UPDATE_SNAPSHOTS"]) writeFileSync(fileOf(stage), text);
      assert.deepEqual(graph, JSON.parse(readFileSync(fileOf(stage), "utf8")));
    });
  }
});
