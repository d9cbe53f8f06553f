import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { duration, say } from "../../../toolchain/bootstrap/progress";
import { timeline, type Sample, type Span } from "./picture";

/** What the picture of `make story` shows of the records; a test adds to it. */
export const samples: Sample[] = [];

const spans: Span[] = [];

/** Milliseconds since the process started. */
export const now = (): number => Date.now() - performance.timeOrigin;

/** Announces and notes each test of a run, and draws them into the file that `STORY` names. */
export const mochaHooks = {
  beforeEach(this: Mocha.Context): void {
    say(`    • ${duration(now())}: ${this.currentTest?.title}`);
  },
  afterEach(this: Mocha.Context): void {
    const { title = "", duration: ms = 0, state } = this.currentTest ?? {};
    spans.push({ title, from: now() - ms, to: now(), failed: state === "failed" });
  },
  afterAll(): void {
    const file = process.env["STORY"];
    if (file === undefined || spans.length === 0) return;
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, timeline(spans, samples));
  },
};
