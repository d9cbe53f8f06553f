import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { connect } from "../../../kubernetes/connect/connect";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { temporaryFolder } from "../../unit/bundles/samples";
import { testKubeconfig } from "../manifests/yard";
import { verifying } from "./verifying";

const group = `t${randomBytes(3).toString("hex")}.example.com`;

const crd = (properties: object, required: readonly string[] = []): KubeObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: "Cluster",
    names: { kind: "Widget", plural: "widgets", singular: "widget", listKind: "WidgetList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties, required } } },
        },
      },
    ],
  },
});
const widget = (spec: object): KubeObject => ({
  apiVersion: `${group}/v1`,
  kind: "Widget",
  metadata: { name: "w" },
  spec,
});

describe("stackyard bundle verify with a cluster", () => {
  const folder = temporaryFolder();
  const client = async () => connect(await testKubeconfig(), undefined, {});
  const sizes = { size: { type: "integer" }, mode: { type: "string", enum: ["slow", "fast"] } };

  const verified = verifying(folder);

  before(async () => {
    const api = await client();
    await api.apply(crd(sizes));
    for (let tries = 0; ; tries++) {
      try {
        await api.apply(widget({ size: 3, mode: "slow" }));
        return;
      } catch (error) {
        if (tries === 50) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  });
  after(async () => {
    const { apiVersion, kind, metadata } = crd({});
    await (await client()).remove({ apiVersion, kind, name: metadata.name });
  });

  it("accepts a CRD that the cluster already has with defaults", async () => {
    assert.match(await verified([crd(sizes)]), /is a plain\+v0 bundle with 1 object$/);
  });

  it("accepts a new CRD and one that only adds fields", async () => {
    assert.match(await verified([crd({ ...sizes, note: { type: "string" } })]), /with 1 object$/);
    const other = crd(sizes);
    assert.match(await verified([{ ...other, metadata: { name: `others.${group}` } }]), /with 1 object$/);
  });

  it("reports breaking CRD changes and existing objects that become invalid", async () => {
    const { mode } = sizes;
    const next = crd({ size: { type: "integer", maximum: 2 }, mode: { ...mode, enum: ["fast"] } });
    const text = await verified([next]);
    assert.match(text, /its CRDs would break what is in the cluster:\n/);
    assert.match(
      text,
      new RegExp(
        `- widgets\\.${group} v1 \\^\\.spec\\.size: .* it was no maximum, it would be maximum 2 \\(widgets\\.${group}/boundsNarrowed\\)`,
      ),
    );
    assert.match(text, /\^\.spec\.mode: .*it would be one without "slow" \(\S+\/enumNarrowed\)/);
    assert.match(text, /v1: Widget w \^\.spec\.size: it must be <= 2/);
    assert.ok(
      text.includes(
        `  - to allow what follows: --allow widgets.${group}/enumNarrowed widgets.${group}/boundsNarrowed\n`,
      ),
      text,
    );
    // Allowed checks leave what is really there.
    const rest = await verified([next], { allow: [`widgets.${group}/boundsNarrowed`, "enumNarrowed"] });
    assert.deepEqual(rest.split("\n").slice(2), [
      `  - widgets.${group} v1: Widget w ^.spec.size: it must be <= 2`,
      `  - widgets.${group} v1: Widget w ^.spec.mode: it must be one of ["fast"]`,
    ]);
    assert.match(
      await verified([crd({ size: { type: "integer", maximum: 9 }, mode })], { allow: ["boundsNarrowed"] }),
      /with 1 object$/,
    );
  });

  it("lists the checks when --allow names an unknown one", async () => {
    assert.match(
      await verified([crd(sizes)], { allow: ["fieldsRemoved"] }),
      /--allow: found "fieldsRemoved"; expected one of .*fieldRemoved/,
    );
  });
});
