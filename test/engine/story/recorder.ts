import { writeFileSync } from "node:fs";
import { timeline, type Sample, type Span } from "./picture";

/** What the picture of `make story` shows of the records; a test adds to it. */
export const samples: Sample[] = [];

const spans: Span[] = [];

/** Milliseconds since the process started. */
export const now = (): number => Date.now() - performance.timeOrigin;

/** Notes each test of a run, and draws them into the file that `STORY` names. */
export const mochaHooks = {
  afterEach(this: Mocha.Context): void {
    const { title = "", duration = 0, state } = this.currentTest ?? {};
    spans.push({ title, from: now() - duration, to: now(), failed: state === "failed" });
  },
  afterAll(): void {
    const file = process.env["STORY"];
    if (file !== undefined && spans.length > 0) writeFileSync(file, timeline(spans, samples));
  },
};
