import assert from "node:assert/strict";
import { type Command, CommanderError } from "commander";
import { program } from "../../../cli/program";
import { changeOf, defaultPlatform } from "../../../cli/runtime/upOptions";
import { createContext } from "../../../cli/context";
import { workspacesIn } from "../../../foundation/pulumi/backend";
import { checkFlags } from "../../../cli/fleet/requests";

/** Runs a command line that is refused, and gives what was said. */
async function refused(...argv: string[]): Promise<string> {
  const root = program(createContext(workspacesIn("/nowhere", undefined)));
  let said = "";
  const configure = (command: Command) => {
    command.configureOutput({ writeErr: (text) => (said += text), writeOut: (text) => (said += text) });
    for (const child of command.commands) configure(child);
  };
  configure(root);
  await assert.rejects(root.parseAsync(argv, { from: "user" }), CommanderError);
  return said;
}

describe("command line", () => {
  it("suggests the nearest command or option for an unknown one", async () => {
    assert.match(await refused("runtme"), /unknown command 'runtme'[\s\S]*Did you mean runtime\?/);
    assert.match(
      await refused("runtime", "hibernat", "x"),
      /unknown command 'hibernat'[\s\S]*Did you mean hibernate\?/,
    );
    assert.match(
      await refused("runtime", "up", "x", "--slot", "2"),
      /unknown option '--slot'[\s\S]*Did you mean --slots\?/,
    );
  });

  it("explains why a value is invalid", async () => {
    assert.match(
      await refused("runtime", "up", "x", "--slots", "0"),
      /'--slots <n>'.*'0' is invalid.*whole number from 1/,
    );
    assert.match(await refused("runtime", "up", "x", "--slots", "1.5"), /whole number from 1/);
    assert.match(await refused("runtime", "up", "x", "--annotation", "team"), /key=value/);
    assert.match(await refused("runtime", "status"), /missing required argument 'id'/);
    assert.match(await refused("runtime", "up", "x", "--disk-gb", "much"), /'--disk-gb <n>'.*Expected a number/);
    assert.match(
      await refused("runtime", "list", "--state", "asleep"),
      /Allowed choices are running, hibernated, failed/,
    );
    assert.match(await refused("runtime", "list", "-o", "xml"), /Allowed choices are json, yaml, wide, id/);
    assert.match(await refused("runtime", "up", "--all", "--max-failures", "-1"), /whole number from 0/);
  });

  it("takes --version after a command as the version of the runtime", async () => {
    assert.match(await refused("runtime", "up", "x", "--version"), /'--version <tag>' argument missing/);
    assert.match(await refused("--version"), /^\d+\.\d+\.\d+$/m);
  });

  it("has help for every command", async () => {
    for (const [path, word] of [
      [[], "provisioners"],
      [["runtime"], "hibernate"],
      [["runtime", "up"], "--annotation <key=value>"],
      [["runtime", "destroy"], "--yes"],
      [["provisioners", "import"], "--dry-run"],
    ] as const) {
      const help = await refused(...path, "--help");
      assert.ok(help.includes(word), `${path.join(" ")}: ${help}`);
    }
  });

  it("accepts only one way to select runtimes, before anything is read or changed", async () => {
    const error = async (...argv: string[]): Promise<string> => {
      const parsing = program(createContext(workspacesIn("/nowhere", undefined))).parseAsync(["runtime", ...argv], {
        from: "user",
      });
      return parsing.then(
        () => "no error",
        (thrown: Error) => `${thrown.name}: ${thrown.message}`,
      );
    };
    for (const verb of ["up", "hibernate", "wake", "destroy"]) {
      assert.match(await error(verb), /^UsageError: an id is missing/, verb);
      assert.match(await error(verb, "a", "--all"), /^UsageError: pass either ids, or --all and filters/, verb);
      assert.match(
        await error(verb, "a", "b", "-f", "x"),
        /^UsageError: pass ids, -f FILE, or --all and filters/,
        verb,
      );
      assert.match(await error(verb, "--all", "-f", "x"), /^UsageError: pass ids, -f FILE, or --all and filters/, verb);
      assert.match(await error(verb, "a", "b/c"), /^UsageError: deployment id: found "b\/c"/, verb);
      assert.match(await error(verb, "--all", "--wave", "x"), /^UsageError: --wave: found "x"/, verb);
    }
    assert.match(await error("up", "--provisioner", "spot"), /^UsageError: an id is missing/);
    assert.match(await error("up", "a", "b", "--move"), /^UsageError: --move is for one runtime/);
    assert.match(await error("up", "-f", "x", "--slots", "2"), /^UsageError: slots cannot be combined with -f/);
    assert.match(await error("check"), /^UsageError: an id is missing/);
  });

  it("turns flags into a change with only the given fields", () => {
    assert.deepEqual(changeOf({ slots: 2, platform: "prod" }, undefined), {
      deployment: {
        slots: 2,
        version: undefined,
        environment: undefined,
        diskGb: undefined,
        annotations: undefined,
        provisioner: undefined,
        resources: undefined,
      },
      platform: "organization/stackyard/prod",
      move: undefined,
    });
  });

  it("selects a ClickHouse database by its provisioner, the default provisioner, or none", () => {
    const asked = (clickhouse: string) => changeOf({ clickhouse }, undefined).deployment.resources;
    assert.deepEqual(asked("main"), { clickhouse: { provisioner: "main" } });
    assert.deepEqual(asked("default"), { clickhouse: {} });
    assert.deepEqual(asked("none"), {});
    assert.throws(
      () => checkFlags(changeOf({ clickhouse: "Main!" }, undefined)),
      /--clickhouse: found "Main!"; expected a legal name/,
    );
  });

  it("allows a move to the given provisioner, otherwise within the present one", () => {
    assert.equal(changeOf({ move: true, provisioner: "eu" }, "us").move, "eu");
    assert.equal(changeOf({ move: true }, "us").move, "us");
    assert.equal(changeOf({ provisioner: "eu" }, "us").move, undefined);
    assert.throws(() => changeOf({ move: true }, undefined), /--move needs --provisioner/);
  });

  it("takes the platform from the environment, otherwise the local one", () => {
    assert.equal(defaultPlatform({ STACKYARD_PLATFORM: "prod" }), "organization/stackyard/prod");
    assert.equal(defaultPlatform({}), "organization/stackyard/dev");
  });
});
