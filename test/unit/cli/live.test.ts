import assert from "node:assert/strict";
import { mock } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { Live } from "../../../cli/terminal/live";

/** What is written, in pieces. */
function recorder(columns?: number): { stream: NodeJS.WriteStream; written: string[] } {
  const written: string[] = [];
  const stream = { columns, write: (text: string) => written.push(text) };
  return { stream: stream as unknown as NodeJS.WriteStream, written };
}

describe("the live line", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setInterval", "Date"] }));
  afterEach(() => mock.timers.reset());

  it("counts the seconds on a terminal, within its width", () => {
    const { stream, written } = recorder(20);
    const live = new Live(stream, true);
    live.begin("  reading a rather long name");
    mock.timers.tick(1000);
    mock.timers.tick(1000);
    live.end();
    mock.timers.tick(5000);
    const lines = written.map((text) => stripVTControlCharacters(text).trimEnd()).filter((text) => text.trim() !== "");
    assert.deepEqual(lines, ["  reading a rather…", "  reading … (1.0 s)", "  reading … (2.0 s)"]);
  });

  it("is printed every few seconds without a terminal, but not for a short command", () => {
    const { stream, written } = recorder();
    const live = new Live(stream, false);
    live.begin("reading");
    mock.timers.tick(4000);
    assert.deepEqual(written, []);
    live.status("waiting");
    live.status("waiting");
    mock.timers.tick(5000);
    mock.timers.tick(5000);
    live.end();
    assert.deepEqual(written, ["waiting\n", "waiting (5.0 s)\n", "waiting (10 s)\n"]);
  });
});
