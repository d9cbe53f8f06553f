import { projectRoot } from "../../../toolchain/root";
import { terasliceStack } from "../../../toolchain/yard/processNode/teraslice";
import { testYard } from "../runtime/yard";
import { STEPS } from "./steps";
import { Story } from "./story";

/** `make story` does more. */
const SIZE =
  process.env["STORY"] === undefined
    ? { records: 100_000, slice: 250, delayMs: 2000 }
    : { records: 1_000_000, slice: 1000, delayMs: 2000 };

/** Real Teraslice over a real search engine, as processes; real kubelet, engine and provider. */
describe("a platform whose Teraslice moves records", function () {
  this.timeout(1_500_000);
  this.bail(true);
  let story: Story | undefined;

  before(async function () {
    const stack = await terasliceStack(projectRoot());
    if ("missing" in stack) {
      this.test!.parent!.title += ` (pending: ${stack.missing})`;
      return this.skip();
    }
    story = await Story.open(await testYard(), process.env["STACKYARD_TEST_YARD"] ?? "", stack, SIZE);
  });
  after(async () => story?.close());

  for (const { title, run } of STEPS) it(title, () => run(story!));
});
