import { STEPS } from "./steps";
import { Story } from "./story";

/** `make story` does more. */
const RECORDS = Number(process.env["RECORDS"] ?? (process.env["STORY"] === undefined ? 100_000 : 1_000_000));
const SIZE = { records: RECORDS, slice: Math.min(1000, RECORDS / 400), delayMs: 2000 };

/** Real Ray, JupyterHub, and Teraslice over a real search engine and S3 server, as processes; real kubelet, engine and provider. */
describe("a platform at work", function () {
  this.timeout(1_500_000);
  this.bail(true);
  let story: Story;

  before(async function () {
    const opened = await Story.open(SIZE);
    const { missing } = opened;
    if (missing.length > 0 && process.env["STORY"] !== undefined)
      throw new Error(`the story can't run here: ${missing.join("; ")}`);
    const { parent } = this.test!;
    if (!("platform" in opened)) {
      parent!.title += ` (pending: ${missing.join("; ")})`;
      return this.skip();
    }
    if (missing.length > 0) console.log(`      without a part: ${missing.join("; ")}`);
    story = opened;
  });
  after(async () => story?.close());

  for (const { title, part, run } of STEPS) {
    it(title, async function () {
      if (part !== undefined && story[part] === undefined) return this.skip();
      await run(story);
    });
  }
});
