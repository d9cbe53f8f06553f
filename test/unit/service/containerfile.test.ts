import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as path from "node:path";
import { version as nodeVersion } from "../../../toolchain/bootstrap/node-packages.json";
import { nodeFlagsOf } from "../../service/process";
import { projectRoot } from "../../../toolchain/root";
import { TOOLS } from "../../../toolchain/tools/table";

const read = (...parts: string[]): string => readFileSync(path.join(projectRoot(), ...parts), "utf8");
const versionOf = (name: string): string => TOOLS.find((tool) => tool.name === name)?.version ?? "none";

describe("the container file of the service", () => {
  const text = read("service", "Containerfile");
  const found = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, version = ""]) => version);

  it("has the versions of the toolchain", () => {
    assert.deepEqual(found(/^ARG NODE_IMAGE=\S+:([\d.]+)-/gm), [nodeVersion]);
    assert.deepEqual(found(/^ARG PULUMI_IMAGE=\S+:([\d.]+)$/gm), [versionOf("pulumi")]);
    assert.deepEqual(found(/version\.Version=v([\d.]+)"/g), [versionOf("pulumi")]);
    assert.deepEqual(found(/plugin install resource kubernetes ([\d.]+)/g), [versionOf("pulumi-resource-kubernetes")]);
    // The tag of the image is that of the newest patch.
    const [, go] = /^go (\d+\.\d+)/m.exec(read("toolchain", "go", "pulumi", "go.mod")) ?? [];
    assert.deepEqual(found(/^ARG GO_IMAGE=\S+:([\d.]+)-/gm), [go]);
  });

  it("starts the program with the flags of its first line, as a worker has them", () => {
    const flags = nodeFlagsOf(path.join(projectRoot(), "service", "bin", "stackyard-service"));
    const worker = read("engine", "workers", "engineWorker.ts");
    assert.match(worker, new RegExp(`SMALL_HEAP = \\[${flags.map((flag) => `"${flag}"`).join(", ")}\\]`));
    const [, command = ""] = /^ENTRYPOINT (.*)$/m.exec(text) ?? [];
    assert.deepEqual(JSON.parse(command), ["node", ...flags, "/app/service/bin/stackyard-service"]);
  });

  it("copies only files of the build context", () => {
    const context = read("service", "Containerfile.dockerignore").split("\n");
    const copied = found(/^COPY (?!--from)(.*) \S+$/gm).flatMap((files) => files.split(" "));
    assert.ok(copied.length > 10);
    assert.deepEqual(
      copied.filter((file) => !context.includes(`!${file}`)),
      [],
    );
  });
});
