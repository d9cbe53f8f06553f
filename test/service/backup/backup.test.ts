import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { connect } from "../../../service/database/serviceDatabase";
import { byId as deploymentById } from "../../../service/database/queries/deployments";
import { byId } from "../../../service/database/queries/operations";
import { ENDED, type OperationRow } from "../../../service/database/tables";
import { Operations } from "../../../service/operations";
import { holdLedger, until, waitsForLedger } from "../../engine/cli/held";
import { MARK } from "../../engine/soak/harm";
import { blocksOf } from "../../fixtures/pages";
import { kill, remaining } from "../processes";
import { CALLER, TestService } from "../service";
import { OtherPostgres, postgresPrograms } from "./otherPostgres";

const run = randomBytes(3).toString("hex");
const VERSION = { deployment: { version: "1", slots: 1 } };

/** The command of the page that begins so. */
function documented(program: string): string {
  const lines = blocksOf("docs/service-operations.md").flatMap(({ text }) => text.split("\n"));
  return lines.find((line) => line.startsWith(`${program} `)) ?? assert.fail(`the page has no command ${program}`);
}

describe("a backup of the service", () => {
  let service: TestService;
  let bin: string;
  let other: OtherPostgres | undefined;
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-backup-"));

  before(async function () {
    this.timeout(300_000);
    const programs = await postgresPrograms();
    if ("missing" in programs) return this.skip();
    bin = programs.bin;
    service = await TestService.start({
      defaultProvisioner: "pool",
      provisioners: { pool: { type: "static", spec: { runtimes: [{ host: `http://${run}.localhost`, slots: 9 }] } } },
    });
    await service.host({ [MARK]: `${run}-lost-` });
  });
  after(async () => {
    await service?.remove();
    await other?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const sh = (command: string, url: string): void => {
    const env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}`, APP_DATABASE_URL: url };
    execFileSync("sh", ["-euc", command], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  };

  it("is restored to another PostgreSQL after the machine is lost, and its operations continue", async () => {
    assert.equal((await service.done("kept", "provision", VERSION)).state, "succeeded");
    const release = await holdLedger(service.project.place);
    let halfDone: OperationRow;
    try {
      halfDone = await service.ask("kept", "update", { deployment: { slots: 2 } });
      await until("it waits for the ledger", () => waitsForLedger(service.project.place));
      sh(documented("pg_dump"), service.place.url);
      // The machine is lost, with everything that ran on it.
      assert.equal(kill(`${run}-lost-`, "service"), 1);
      await until("nothing of it remains", () => Promise.resolve(remaining(`${run}-lost-`).length === 0));
    } finally {
      await release();
    }

    other = await OtherPostgres.start(bin, new URL(service.place.url).pathname.slice(1));
    sh(documented("pg_restore"), other.url);
    const state = new URL(other.url);
    state.searchParams.set("sslmode", "disable");
    const env = { HOST_DATABASE: other.url, PULUMI_BACKEND_URL: state.href, [MARK]: `${run}-new-` };
    const restored = await service.host(env);
    const connection = connect({ connectionString: other.url });
    const database = connection.kysely;
    try {
      const ended = async ({ id }: Pick<OperationRow, "id">): Promise<OperationRow> => {
        await until("the operation has ended", async () => ENDED.has((await byId(database, undefined, id))!.state));
        return (await byId(database, undefined, id))!;
      };
      const done = await ended(halfDone);
      assert.deepEqual([done.state, done.error], ["succeeded", null], restored.said());
      assert.equal((await deploymentById(database, undefined, "kept"))?.outputs["cpu"], 2);
      const operations = new Operations({ database, defaultPlatform: "organization/stackyard/here" });
      const asked = { deployment: "kept", kind: "deprovision" as const };
      assert.equal((await ended(await operations.request(asked, CALLER))).state, "succeeded");
      assert.ok((await deploymentById(database, undefined, "kept"))?.deletedAt);
    } finally {
      await connection.close();
    }
  }).timeout(300_000);
});
