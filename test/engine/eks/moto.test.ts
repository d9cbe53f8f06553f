import * as eks from "@aws-sdk/client-eks";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { acquireLock, releaseLock } from "../../../engine/locks/acquire";
import { listLocks, openLocks } from "../../../engine/locks/locks";
import { connection } from "../../doubles/aws/moto/maker";
import { startMoto, type MotoServer } from "../../doubles/aws/moto/server";
import type { World } from "../runtime/world";
import { testYard } from "../runtime/yard";
import { MotoAccount } from "./motoAccount";
import { worldWithAws } from "./world";

const PROGRAM = readFileSync(path.join(__dirname, "../../fixtures/programs/moto.ts"), "utf8");
const document = (statement: object): string => JSON.stringify({ Version: "2012-10-17", Statement: [statement] });
const trust = { Effect: "Allow", Principal: { Service: "ec2.amazonaws.com" } };

describe("the double of AWS with moto behind it", function () {
  this.timeout(60_000);
  let world: World | undefined;
  let moto: MotoServer | undefined;
  let account: MotoAccount;
  let untouched: readonly string[];
  let said: string;

  const up = (...args: string[]) => world!.pulumi("cases", "up", "-s", "dev", "--yes", "--skip-preview", ...args);
  before(async function () {
    // The first time moto is included.
    this.timeout(300_000);
    const started = await startMoto();
    if ("missing" in started) return this.skip();
    moto = started;
    account = new MotoAccount(moto.address);
    untouched = await account.content();
    world = worldWithAws(await testYard(), moto.address);
    world.setEnv("AWS_REGION", "eu-central-1");
    world.program("cases", PROGRAM);
    await world.must("cases", "stack", "init", "dev");
    world.setEnv("EDITION", "wrong");
    said = (await up("--continue-on-error")).text;
  });
  after(async () => {
    await moto?.stop();
    world?.remove();
  });

  const refusals: [string, string, RegExp][] = [
    ["a subnet outside its network", "outside", /InvalidSubnet\.Range/],
    ["a trust document that names a resource", "trust", /MalformedPolicyDocument.*Has prohibited field Resource/],
    ["a policy whose action has no service prefix", "policy", /MalformedPolicyDocument.*must be prefaced by a vendor/],
    ["an unknown managed policy", "attachment", /policy\/NoSuch does not exist/],
    ["a cluster with a missing role", "roleless", /NoSuchEntity.*nobody/],
    ["a node group without a cluster", "clusterless", /No cluster found for name: nowhere/],
    ["an unknown version of a launch template", "versionless", /InvalidLaunchTemplateId\.VersionNotFound/],
  ];
  for (const [what, name, says] of refusals) {
    it(`rejects ${what} with moto's message`, () => {
      const block = said.split(/\n\n/).find((each) => each.includes(`(${name}):`)) ?? said;
      assert.match(block, says);
    });
  }

  /** Its id in the state of the stack, which is moto's. */
  const vpc = async (): Promise<string> => {
    const { deployment } = JSON.parse(await world!.must("cases", "stack", "export", "-s", "dev")) as {
      deployment: { resources: { type: string; id?: string }[] };
    };
    return deployment.resources.find(({ type }) => type === "aws:ec2/vpc:Vpc")?.id ?? "";
  };

  it("creates valid resources in moto", async () => {
    assert.deepEqual(await account.details(await vpc()), {
      vpc: { a: "1", b: "1" },
      public: false,
      routes: ["0.0.0.0/0"],
      trust: document({ ...trust, Action: "sts:AssumeRole" }),
      policy: document({ Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::data/*" }),
      key: ["first", false],
      retention: 30,
      cidrs: ["203.0.113.0/24"],
      template: 1,
      nodes: [1, { a: "1", b: "1" }, ["a"]],
      tag: "1",
    });
  });

  it("updates resources in place in moto", async () => {
    world!.setEnv("EDITION", "second");
    const { ok, text } = await up();
    assert.ok(ok, text);
    assert.doesNotMatch(text, /replac|deleted/);
    assert.deepEqual(await account.details(await vpc()), {
      vpc: { a: "2", c: "2" },
      public: true,
      routes: ["192.0.2.0/24"],
      trust: document({ ...trust, Action: ["sts:AssumeRole", "sts:TagSession"] }),
      policy: document({ Effect: "Allow", Action: "s3:PutObject", Resource: "arn:aws:s3:::data/*" }),
      key: ["second", true],
      retention: 90,
      cidrs: ["198.51.100.0/24"],
      template: 2,
      nodes: [2, { a: "2", c: "2" }, ["c"]],
      tag: "2",
    });
  });

  it("answers without moto only where moto has no such API", async () => {
    const client = new eks.EKSClient(connection(moto!.address));
    await client.send(new eks.ListClustersCommand({}));
    const cluster = { clusterName: "the-cluster" };
    const principal = { ...cluster, principalArn: "arn:aws:iam::123456789012:role/the-role" };
    await assert.rejects(client.send(new eks.ListAddonsCommand(cluster)));
    await assert.rejects(client.send(new eks.ListAccessEntriesCommand(cluster)));
    await assert.rejects(client.send(new eks.ListAssociatedAccessPoliciesCommand(principal)));
    await assert.rejects(client.send(new eks.ListPodIdentityAssociationsCommand(cluster)));
  });

  it("grants each stack lock in a bucket only once", async () => {
    const { host } = new URL(moto!.address);
    const bucket = (method: string) => fetch(`${moto!.address}/states`, { method });
    await bucket("PUT");
    const url = `s3://states/team?region=eu-central-1&endpoint=${host}&disableSSL=true&s3ForcePathStyle=true`;
    const before = { ...process.env };
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: "double", AWS_SECRET_ACCESS_KEY: "double" });
    try {
      const store = await openLocks({ folder: "/", backend: url });
      assert.ok(store);
      const wanted = (user: string) => ({ project: "stackyard", stack: "prod", user, since: "2026-01-01T00:00:00Z" });
      const tried = await Promise.allSettled(["ada", "bob", "eve"].map((user) => acquireLock(store, wanted(user))));
      const [winner, ...others] = tried.flatMap((each) => (each.status === "fulfilled" ? [each.value.lock] : []));
      assert.ok(winner);
      assert.deepEqual(others, []);
      await acquireLock(store, { ...wanted("eve"), stack: "staging" });
      assert.deepEqual(
        (await listLocks(store)).map(({ lock }) => [lock.stack, lock.user]),
        [
          ["prod", winner.user],
          ["staging", "eve"],
        ],
      );
      await assert.rejects(releaseLock(store, winner, { user: "mallory" }), /stackyard\/prod is locked by/);
      await releaseLock(store, winner, { user: "mallory" }, { force: true });
      await releaseLock(store, { ...winner, stack: "staging" }, { user: "eve" });
      assert.deepEqual(await listLocks(store), []);
      const gone = await openLocks({ folder: "/", backend: url.replace("states", "nowhere") });
      await assert.rejects(acquireLock(gone!, winner), /S3 answers 404 to PUT [^]*NoSuchBucket/);
    } finally {
      for (const key of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]) {
        if (before[key] === undefined) delete process.env[key];
        else process.env[key] = before[key];
      }
      await bucket("DELETE");
    }
  });

  it("deletes the resources in moto", async () => {
    await world!.must("cases", "destroy", "-s", "dev", "--yes", "--skip-preview");
    assert.deepEqual(await account.content(), untouched);
  });
});
