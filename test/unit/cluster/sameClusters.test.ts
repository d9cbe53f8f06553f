import assert from "node:assert/strict";
import { checkClusters } from "../../../components/platform/checks/sameClusters";
import type { PlatformConfig } from "../../../components/platform/config/platformConfig";
import type { StateResources } from "../../../components/resources/ownState";
import { mock } from "../runtime/mocks";

const config = {
  cluster: { type: "existing", access: { kubeconfig: "main", context: "a", server: "https://main" } },
  provisioners: {
    eu: { access: { kubeconfig: "eu", server: "https://eu" } },
    same: { access: { kubeconfig: "eu", server: "https://eu" } },
    here: {},
  },
  clickhouse: {},
} as unknown as PlatformConfig;
const set = (kubeconfig: string, clusterUid: string, context?: string) => ({
  type: "stackyard:index:ManifestSet",
  outputs: { kubeconfig, clusterUid, ...(context && { context }) },
});

describe("The clusters at the addresses of a platform", () => {
  let asked: string[];
  const found = async (uids: Readonly<Record<string, string>>, state: StateResources): Promise<void> => {
    asked = [];
    mock(
      () => ({}),
      ({ inputs: { cluster } }) => {
        asked.push(String(cluster));
        const uid = uids[String(cluster)];
        return uid === undefined ? { trouble: "no answer" } : { uid };
      },
    );
    await checkClusters(config, Promise.resolve(state));
  };
  const state: StateResources = {
    "a::ray": set("main", "1", "a"),
    "a::pool-eu": set("eu", "2"),
    "a::old": set("old", "3"),
  };

  it("are asked once each, and only where something is recorded", async () => {
    await found({ "https://main": "1", "https://eu": "2" }, state);
    assert.deepEqual(asked.sort(), ["https://eu", "https://main"]);
    await found({}, { "a::ray": set("main", "1", "b"), "a::pool": { type: "t", outputs: {} } });
    assert.deepEqual(asked, []);
  });

  it("are refused where another one is, with what is in the recorded one", async () => {
    await assert.rejects(found({ "https://main": "1", "https://eu": "9" }, state), {
      message: [
        "Another cluster is at the address of the one that this stack has resources in; nothing was changed.",
        "  - https://eu: found UID 9; expected 2, where these are: pool-eu",
        "Check where the address, tunnel or context leads. If the cluster with the recorded UID is gone for good, docs/data-safety.md says how to forget what was there.",
      ].join("\n"),
    });
  });

  it("don't stop a preview while one does not answer", async () => {
    await found({ "https://main": "1" }, state);
  });
});
