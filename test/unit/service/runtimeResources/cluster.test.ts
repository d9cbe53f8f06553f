import assert from "node:assert/strict";
import { EnvironmentError, readEnvironment } from "../../../../service/environment";
import { runtimesCluster } from "../../../../service/runtimeResources/cluster";

const read = (env: Record<string, string>) =>
  readEnvironment({ APP_OIDC_ISSUER: "https://issuer.example.com", ...env });

describe("the cluster with the Runtimes", () => {
  it("is read only if the environment names a namespace", () => {
    const own = () => assert.fail("it is not asked for");
    assert.equal(runtimesCluster(read({}), own), undefined);
    assert.equal(read({}).APP_RUNTIMES_KUBECONFIG_EXPIRATION, 86_400_000);
  });

  it("must be there then", () => {
    const values = read({ APP_RUNTIMES_NAMESPACE: "kcp-system" });
    assert.throws(
      () => runtimesCluster(values, () => undefined),
      /APP_RUNTIMES_NAMESPACE: found no cluster; expected a cluster with Runtimes, by APP_RUNTIMES_KUBECONFIG_PATH/,
    );
    const missing = read({ APP_RUNTIMES_NAMESPACE: "kcp-system", APP_RUNTIMES_KUBECONFIG_PATH: "/nowhere/kubeconfig" });
    assert.throws(() => runtimesCluster(missing, () => undefined), EnvironmentError);
  });

  it("has a namespace with a valid name, and kubeconfigs as Gardener issues them", () => {
    assert.throws(
      () => read({ APP_RUNTIMES_NAMESPACE: "Kcp", APP_RUNTIMES_KUBECONFIG_EXPIRATION: "5m" }),
      /APP_RUNTIMES_NAMESPACE: found "Kcp"; expected the name of a namespace[^]*found "5m"; expected a duration from 10m to 24h/,
    );
  });
});
