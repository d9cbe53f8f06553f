import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { inMoto } from "../../doubles/aws/moto";

const graphs = path.join(__dirname, "../../fixtures/graphs");
interface Node {
  readonly type: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

describe("the double of AWS", () => {
  const before = process.env["STACKYARD_AWS_MOTO"];
  afterEach(() => {
    if (before === undefined) delete process.env["STACKYARD_AWS_MOTO"];
    else process.env["STACKYARD_AWS_MOTO"] = before;
  });

  for (const stage of ["staging", "prod"]) {
    it(`passes all inputs of ${stage} to moto, unless moto does not know the type`, async () => {
      process.env["STACKYARD_AWS_MOTO"] = "http://127.0.0.1:1";
      const nodes = JSON.parse(readFileSync(path.join(graphs, `${stage}.json`), "utf8")) as Node[];
      const aws = nodes.filter(({ type }) => type.startsWith("aws:"));
      assert.ok(aws.length > 50, String(aws.length));
      for (const { type, inputs } of aws) {
        const maker = await inMoto(type);
        const silent = Object.keys(inputs).filter((key) => maker && !maker.takes.includes(key));
        assert.deepEqual(silent, [], type);
      }
    });
  }

  it("works without moto", async () => {
    delete process.env["STACKYARD_AWS_MOTO"];
    assert.equal(await inMoto("aws:ec2/vpc:Vpc"), undefined);
  });

  it("rejects a type for which the support of moto is not declared", async () => {
    process.env["STACKYARD_AWS_MOTO"] = "http://127.0.0.1:1";
    await assert.rejects(inMoto("aws:s3/bucket:Bucket"), /nobody said whether moto knows aws:s3\/bucket:Bucket/);
  });

  it("rejects an input that it does not pass to moto", async () => {
    process.env["STACKYARD_AWS_MOTO"] = "http://127.0.0.1:1";
    const vpc = await inMoto("aws:ec2/vpc:Vpc");
    const inputs = { cidrBlock: "10.0.0.0/16", instanceTenancy: "dedicated" };
    await assert.rejects(async () => vpc?.create(inputs), /does not pass moto the instanceTenancy of aws:ec2\/vpc:Vpc/);
  });
});
