import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fetchRelease } from "../../../provider/resources/kymaInstallation/release";

const INSTALLATION =
  "{ apiVersion: installer.kyma-project.io/v1alpha1, kind: Installation, metadata: { name: kyma-installation } }";
const INSTALLER = "{ apiVersion: apps/v1, kind: Deployment, metadata: { name: kyma-installer } }";

describe("a release of Kyma", () => {
  let server: Server;
  let files: Readonly<Record<string, string | number>>;
  const asked: string[] = [];

  before(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? "");
      const file = files[request.url ?? ""] ?? 404;
      if (typeof file === "number") response.writeHead(file).end();
      else response.end(file);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  after(() => server.close());
  beforeEach(() => (files = { "/installer.yaml": `${INSTALLER}\n---\n${INSTALLATION}\n` }));

  const at = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const fetched = (digest?: string) =>
    fetchRelease(
      { installerUrl: at("/installer.yaml"), tillerUrl: at("/tiller.yaml"), ...(digest !== undefined && { digest }) },
      AbortSignal.timeout(10_000),
    );

  it("has the installer, its Installation and, if published, Tiller", async () => {
    const { installer, installation, tiller } = await fetched();
    assert.deepEqual(
      [installer.map(({ kind }) => kind), installation.kind, tiller],
      [["Deployment"], "Installation", []],
    );
    files = { ...files, "/tiller.yaml": "{ apiVersion: v1, kind: ServiceAccount, metadata: { name: tiller } }" };
    assert.equal((await fetched()).tiller[0]?.metadata.name, "tiller");
    // A bucket says so of what is not there.
    files = { ...files, "/tiller.yaml": 403 };
    assert.deepEqual((await fetched()).tiller, []);
  });

  it("is rejected without an installer or an Installation, or if the digest differs", async () => {
    const { digest } = await fetched();
    assert.equal((await fetched(digest)).digest, digest);
    await assert.rejects(fetched("0".repeat(64)), /have the digest [0-9a-f]{64}; expected 0{64}\. Nothing was changed/);
    files = { "/installer.yaml": INSTALLER };
    await assert.rejects(fetched(), /have no Installation kyma-installation/);
    files = {};
    await assert.rejects(fetched(), /there are no manifests of Kyma at http.*; check the version/);
  });
});
