import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
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
const set = (kubeconfig: string, clusterUid: string, context?: string, cluster?: string) => ({
  type: "stackyard:index:ManifestSet",
  outputs: { kubeconfig, clusterUid, ...(context && { context }), ...(cluster && { cluster }) },
});

describe("the clusters at the addresses of a platform", () => {
  let asked: string[];
  let questions: unknown[];
  const found = async (uids: Readonly<Record<string, string>>, state: StateResources): Promise<void> => {
    [asked, questions] = [[], []];
    mock(
      () => ({}),
      ({ inputs: { kubeconfig, owned } }) => {
        asked.push(String(kubeconfig));
        questions.push(owned);
        const uid = uids[String(kubeconfig)];
        return uid === undefined ? { trouble: "no answer" } : { uid, others: ["stack a/b in s3://c", ""] };
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
    await found({ main: "1", eu: "2" }, state);
    assert.deepEqual(asked.sort(), ["eu", "main"]);
    await found({}, { "a::ray": set("main", "1", "b"), "a::pool": { type: "t", outputs: {} } });
    assert.deepEqual(asked, []);
  });

  it("are refused where another one is, with what is in the recorded one", async () => {
    await assert.rejects(found({ main: "1", eu: "9" }, state), {
      message: [
        "Another cluster or garden is at the address of the one that this stack has resources in; nothing was changed.",
        "  - https://eu: found UID 9; expected 2, where these are: pool-eu",
        "Check where the address, tunnel or context leads. If the one with the recorded UID is gone for good, docs/data-safety.md says how to forget what was there.",
      ].join("\n"),
    });
  });

  it("are refused where one was made again with other credentials, and not where another context leads elsewhere", async () => {
    const before = (context: string): StateResources => ({ "a::ray": set("before", "1", context, "https://main") });
    await assert.rejects(found({ main: "9" }, before("a")), /https:\/\/main: found UID 9; expected 1, .*: ray\n/);
    await found({ main: "1" }, before("a"));
    await found({ main: "9" }, before("b"));
  });

  it("are asked for the owners of sets and bundles, and what another stack has is a warning", async () => {
    const owned = (type: string, name: string, more: object = {}) => ({
      type,
      outputs: {
        ...{ kubeconfig: "eu", clusterUid: "2", namespace: "ns", name, ownerId: "id", generation: 3 },
        ...more,
      },
    });
    const lines: string[] = [];
    const { warn } = pulumi.log;
    Object.assign(pulumi.log, { warn: (line: string) => Promise.resolve(lines.push(line)) });
    try {
      await found(
        { eu: "2" },
        {
          "x::ray": owned("stackyard:index:ManifestSet", "ray"),
          "x::shop": owned("stackyard:index:BundleRelease", "shop"),
          "x::namespace": owned("stackyard:index:ManifestSet", "namespace", { shared: true }),
        },
      );
    } finally {
      Object.assign(pulumi.log, { warn });
    }
    const record = { namespace: "ns", owner: "id", generation: 3 };
    assert.deepEqual(
      (questions as [Record<string, unknown>[]])[0].map(({ urn, namespace, name, owner, generation }) => ({
        urn,
        namespace,
        name,
        owner,
        generation,
      })),
      [
        { urn: "x::ray", ...record, name: "ray.owner" },
        { urn: "x::shop", ...record, name: "bundle-shop" },
      ],
    );
    assert.match(
      lines.join(),
      /^set ns\/ray belongs to stack a\/b in s3:\/\/c\. This stack can't .* stackyard adopt ns\/ray --stack \S+$/,
    );
  });

  it("are refused where another stack has the set of a Helm release of this one", async () => {
    const outputs = {
      kubeconfig: "eu",
      clusterUid: "2",
      namespace: "hub",
      name: "secret",
      ownerId: "id",
      generation: 3,
      release: { namespace: "hub", name: "hub", digest: "" },
    };
    const release = {
      type: "kubernetes:helm.sh/v3:Release",
      outputs: { namespace: "hub", name: "hub" },
    };
    const urn = "urn:pulumi:a::b::s:JupyterHub$x:Release::r";
    const secret = { "urn:pulumi:a::b::s:JupyterHub$x:Set::s": { type: "stackyard:index:ManifestSet", outputs } };
    await assert.rejects(
      found({ eu: "2" }, { ...secret, [urn]: release }),
      /^Error: Helm release hub\/hub belongs to the owner of set hub\/secret: stack a\/b in s3:.* forget it: pulumi state delete --target-dependents 'urn:pulumi:a::b::s:JupyterHub\$x:Release::r'$/,
    );
    await found({ eu: "2" }, { ...secret, [urn]: { ...release, outputs: { namespace: "hub", name: "other" } } });
  });

  it("don't stop a preview while one does not answer", async () => {
    await found({ main: "1" }, state);
  });
});
