import assert from "node:assert/strict";
import { converted, operator, webhook, type Options } from "./operators";

const facts = (...apiVersions: string[]) => ({ kubeVersion: "v1.30.2-eks-1234567", apiVersions });

const needing = (
  dependencies: object[],
  more: Parameters<typeof operator>[0] = () => undefined,
): Record<string, string> =>
  operator((made) => {
    made.files["metadata/dependencies.yaml"] = JSON.stringify({ dependencies });
    more(made);
  });
const gvk = (kind: string) => ({ group: "db.example.com", version: "v1", kind });
const KIND = "db.example.com/v1";

const error = async (files: Record<string, string>, options: Options): Promise<Error> => {
  try {
    await converted(files, options);
  } catch (found) {
    assert.ok(found instanceof Error);
    return found;
  }
  return assert.fail("it has what it needs");
};

describe("a requirement of an operator", () => {
  it("may be a kind in the cluster, wherever the bundle names it", async () => {
    const files = needing([{ type: "olm.gvk", value: gvk("A") }], ({ csv, files: more }) => {
      more["metadata/properties.yaml"] = JSON.stringify({
        properties: [
          { type: "olm.gvk.required", value: gvk("B") },
          { type: "olm.gvk", value: gvk("Provided") },
          { type: "olm.package", value: { packageName: "itself", version: "1.0.0" } },
        ],
      });
      csv.metadata.annotations["olm.properties"] = JSON.stringify([{ type: "olm.gvk.required", value: gvk("C") }]);
      csv.spec.customresourcedefinitions.required.push({ name: "ds.db.example.com", version: "v1", kind: "D" });
      csv.spec["nativeAPIs"] = [{ group: "apps", version: "v1", kind: "Deployment" }];
      csv.spec["apiservicedefinitions"] = { required: [{ name: "v1.e", ...gvk("E") }] };
    });
    const { message } = await error(files, { facts: facts("apps/v1/Deployment", `${KIND}/C`) });
    const missing = [...message.matchAll(/the cluster has no kind (\w+) in (\S+): /g)].map(
      ([, kind, at]) => `${at}/${kind}`,
    );
    assert.deepEqual(
      missing.toSorted(),
      ["A", "B", "D", "E"].map((kind) => `${KIND}/${kind}`),
    );
    const all = ["A", "B", "C", "D", "E"].map((kind) => `${KIND}/${kind}`);
    await converted(files, { facts: facts("apps/v1/Deployment", ...all) });
    // Without a cluster nobody can know.
    await converted(files);
  });

  it("may be a kind of the operator itself", async () => {
    const own = { group: "cache.example.com", version: "v1", kind: "Memcached" };
    await converted(needing([{ type: "olm.gvk", value: own }]), { facts: facts() });
  });

  it("may be met by a kind that is still to be created, for which a preview waits", async () => {
    const files = needing([{ type: "olm.gvk", value: gvk("A") }]);
    await converted(files, { facts: facts(), isComing: (kind) => kind === `${KIND}/A` });
    await error(files, { facts: facts(), isComing: (kind) => kind !== `${KIND}/A` });
  });

  it("is reported for a cluster if dependencies.yaml cannot be read", async () => {
    for (const text of [
      "dependencies: [x]",
      "dependencies:\n- a: [\n",
      "dependencies:\n- { type: olm.gvk, value: {} }\n",
    ]) {
      const files = operator((made) => (made.files["metadata/dependencies.yaml"] = text));
      assert.ok((await converted(files)).length > 0);
      const { message } = await error(files, { facts: facts() });
      assert.match(
        message,
        /needs what a cluster can't report: what metadata\/dependencies\.yaml says, which can't be read; /,
      );
      const assume = ["what metadata/dependencies.yaml says, which can't be read"];
      assert.ok((await converted(files, { facts: facts(), values: { assume } })).length > 0);
    }
  });

  it("may be a Kubernetes version", async () => {
    const least = (version: string) => operator(({ csv }) => (csv.spec["minKubeVersion"] = version));
    for (const fine of ["1.30.0", "v1.30.2", "1.16"]) await converted(least(fine), { facts: facts() });
    const { message } = await error(least("1.31.0"), { facts: facts() });
    assert.match(message, /the operator needs Kubernetes 1\.31\.0 or newer; the cluster has v1\.30\.2-eks-1234567/);
  });

  it("may be a package, which a value must assume to exist", async () => {
    const files = needing([{ type: "olm.package", value: { packageName: "postgres", version: ">=1.2.0 <2" } }]);
    const { message } = await error(files, { facts: facts() });
    assert.match(message, /needs what a cluster can't report: package postgres >=1\.2\.0 <2; make sure that it exists/);
    assert.match(message, /value assume: \["package postgres >=1\.2\.0 <2"\]$/);
    await converted(files, { facts: facts(), values: { assume: ["package postgres >=1.2.0 <2"] } });
    await error(files, { facts: facts(), values: { assume: ["package postgres >=1.1.0 <2"] } });
  });

  it("may combine kinds and packages", async () => {
    const constraint = (value: object) => needing([{ type: "olm.constraint", value }]);
    const packaged = { package: { packageName: "postgres", versionRange: ">=1" } };
    const either = { failureMessage: "needs a database", any: { constraints: [{ gvk: gvk("A") }, packaged] } };
    await converted(constraint(either), { facts: facts(`${KIND}/A`) });
    await converted(constraint(either), { facts: facts(), values: { assume: ["package postgres >=1"] } });
    await converted(constraint(either), { facts: facts(), values: { assume: ["needs a database"] } });
    assert.match(
      (await error(constraint(either), { facts: facts() })).message,
      /can't report: needs a database; make sure/,
    );
    const both = { all: { constraints: [{ gvk: gvk("A") }, { gvk: gvk("B") }] } };
    await converted(constraint(both), { facts: facts(`${KIND}/A`, `${KIND}/B`) });
    const { message } = await error(constraint(both), { facts: facts(`${KIND}/A`) });
    assert.match(message, /needs what the cluster has not: all of db\.example\.com\/v1\/A, db\.example\.com\/v1\/B/);
    const none = { failureMessage: "A must not be there", not: { constraints: [{ gvk: gvk("A") }] } };
    await converted(constraint(none), { facts: facts() });
    assert.match(
      (await error(constraint(none), { facts: facts(`${KIND}/A`) })).message,
      /has not: A must not be there/,
    );
    const cel = { failureMessage: "needs what is certified", cel: { rule: "properties.exists(p, p.type == 'x')" } };
    assert.match((await error(constraint(cel), { facts: facts() })).message, /can't report: needs what is certified/);
  });

  it("includes an issuer of certificates if the operator has webhooks", async () => {
    const files = operator(({ csv }) =>
      csv.spec.webhookdefinitions.push(webhook("ValidatingAdmissionWebhook", "v.cache.example.com")),
    );
    const { message } = await error(files, { facts: facts() });
    assert.match(
      message,
      /no kind Certificate in cert-manager\.io\/v1: .*install cert-manager first, or on OpenShift set/,
    );
    assert.match(message, /no kind Issuer in cert-manager\.io\/v1/);
    await converted(files, { facts: facts("cert-manager.io/v1/Certificate", "cert-manager.io/v1/Issuer") });
    const openshift = { values: { certificates: "openshift" } };
    assert.match(
      (await error(files, { ...openshift, facts: facts() })).message,
      /no kind ServiceCA in operator\.openshift/,
    );
    await converted(files, { ...openshift, facts: facts("operator.openshift.io/v1/ServiceCA") });
  });
});
