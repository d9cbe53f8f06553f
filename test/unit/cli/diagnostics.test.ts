import assert from "node:assert/strict";
import { crashOf, distinctMessages, isStackRemoved, plainMessage } from "../../../engine/pulumi/diagnostics";

describe("a diagnostic of the engine", () => {
  it("loses colour marks and the prefixes of gRPC and the engine", () => {
    const message =
      "<{%reset%}>error: rpc error: code = Unknown desc = 1 error occurred:\n\t* the pool is full<{%reset%}>\n";
    assert.equal(plainMessage(message), "the pool is full");
    assert.equal(plainMessage("updating urn:pulumi:a::b::c::d: rpc error: code = Internal desc = no"), "no");
  });

  it("loses what surrounds the refusal of a late write", () => {
    const message =
      "pre-step event returned an error: failed to save snapshot: An IO error occurred while writing the new snapshot file: " +
      'blob (key ".pulumi/stacks/p/s.json") (code=Unknown): pq: the lock of stack p/s was removed. Run it again (55000)';
    assert.equal(plainMessage(message), "the lock of stack p/s was removed. Run it again");
  });

  it("loses stack frames, but keeps all lines of its message", () => {
    const message =
      "Unhandled exception: Error: two faults:\n  a\n  b\n    at f (/x/y.ts:1:2)\n    at node:internal/z:3:4";
    assert.equal(plainMessage(message), "two faults:\n  a\n  b");
  });

  it("is empty if it only reports another failure", () => {
    assert.equal(plainMessage("<{%reset%}>update failed<{%reset%}>"), "");
    assert.equal(plainMessage("One or more errors occurred. Check logs for more details"), "");
  });

  it("suggests to run the command again if the engine lost a provider", () => {
    for (const message of [
      "kubernetes (resource) plugin [kubernetes] did not begin responding to RPC connections",
      "creating urn:pulumi:a::b::c::d: rpc error: code = Unavailable desc = error reading from server: EOF",
      'rpc error: code = Unavailable desc = connection error: desc = "transport: dial tcp 127.0.0.1:1: connect: connection refused"',
    ]) {
      assert.match(plainMessage(message), /^a provider ended in the middle \(.*\); .*Run the command again/);
    }
    const cluster = "the cluster at https://c cannot be reached: nothing listens there (connection refused)";
    assert.equal(plainMessage(cluster), cluster);
  });

  it("has the reason of a crash, and its stack trace only on request", () => {
    const stack = "goroutine 1 [running]:\nmain.main()\n\tmain.go:67 +0x6d";
    const byHandler = `====\nThe Pulumi CLI encountered a fatal error. This is a bug!\nPanic:            nil map\n\n${stack}`;
    for (const message of [byHandler, `panic: nil map\n\n${stack}`]) {
      assert.match(
        plainMessage(message),
        /^the engine \(pulumi\) crashed: nil map\. Run the command again.*for a report to Pulumi$/,
      );
      process.env["STACKYARD_TRACE"] = "1";
      try {
        assert.match(plainMessage(message), /main\.go:67/);
      } finally {
        delete process.env["STACKYARD_TRACE"];
      }
    }
    assert.equal(crashOf("panic: a word of a program"), undefined);
  });

  it("reports that the stack was removed if the engine crashes because of that", () => {
    const stack = "goroutine 1 [running]:\ngithub.com/pulumi/pulumi/pkg/v3/backend/diy.(*diyBackend).getTarget(0x1)";
    const message = `Panic:            runtime error: invalid memory address or nil pointer dereference\n\n${stack}`;
    assert.equal(plainMessage(message), "another process removed the stack at this moment; run the command again");
    assert.equal(isStackRemoved(message), true);
    assert.equal(isStackRemoved("no stack named 'acme' found"), false);
  });

  it("names a file that the engine could not write, and what to do", () => {
    const lock = "/s/.pulumi/locks/organization/p/acme/1.json.17.tmp";
    const both = (why: string) => `2 errors occurred:\n    1) write ${lock}: ${why}\n    2) Unknown\n\n`;
    const said = (text: string) => plainMessage(`error: ${text}`);
    assert.equal(
      said(both("no space left on device")),
      `${lock}: no space left on device. Make space on that disk and run the command again`,
    );
    assert.match(
      said(both("read-only file system")),
      /^\S+: read-only file system\. Mount that file system for writing/,
    );
    const saving = `saving update info: blob (key "a") (code=Unknown): open /s/a.attrs: permission denied`;
    assert.match(said(saving), /^\/s\/a\.attrs: permission denied\. Give your user the rights/);
    assert.equal(said("read /s/a: no space left on device, they say"), "read /s/a: no space left on device, they say");
  });

  it("names the variables of a missing or wrong passphrase", () => {
    const deserializing = "error: could not deserialize deployment: ";
    for (const [message, expected] of [
      [`${deserializing}failed to decrypt: incorrect passphrase, please set PULUMI_CONFIG_PASSPHRASE`, /found another/],
      ["error: getting stack configuration: get stack secrets manager: incorrect passphrase", /found another/],
      [`${deserializing}passphrase must be set with PULUMI_CONFIG_PASSPHRASE or …_FILE`, /none is set/],
    ] as const) {
      assert.match(plainMessage(message), expected);
      assert.match(plainMessage(message), /PULUMI_CONFIG_PASSPHRASE, or PULUMI_CONFIG_PASSPHRASE_FILE/);
      assert.doesNotMatch(plainMessage(message), /deserialize/);
    }
  });

  it("is reported once, even if a longer diagnostic contains it", () => {
    assert.deepEqual(distinctMessages(["error: full", "full", "update failed", "the pool is full: 3 free", "other"]), [
      "the pool is full: 3 free",
      "other",
    ]);
  });
});
