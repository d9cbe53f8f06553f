/** `npm run test:account`: runs delivery and EKS once on a real account. See test/account/README.md. */

import path from "node:path";
import { EXIT, Failure, messageOf, UsageError } from "../../foundation/errors";
import { projectRoot } from "../../toolchain/root";
import { AwsAccount } from "./aws/account";
import { checkCaller, checkRun } from "./check";
import { Commands } from "./commands";
import { confirm } from "./confirm";
import { planText } from "./costs";
import { readOptions, USAGE, type AccountOptions } from "./options";
import { alone, RunRecord } from "./record";
import { runCleanUp, runSteps } from "./runSteps";
import { testNames, type AccountTest } from "./step";
import { STEPS } from "./steps";

const EXIT_CODES = { done: EXIT.ok, failed: EXIT.failure, interrupted: EXIT.interrupted } as const;
const COMMAND = "npm run test:account --";
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(args: readonly string[]): Promise<number> {
  const given = readOptions(args, STEPS, (folder) => RunRecord.optionsIn(folder));
  if (given === undefined) {
    say(USAGE);
    return EXIT.ok;
  }
  const account = new AwsAccount(given.options.region);
  await checkCaller(given.options.account, account);
  const publicCidr = given.kept["public-cidr"] ?? `${await ownAddress()}/32`;
  const options: AccountOptions = { ...given.options, publicCidr };
  const chosen = STEPS.filter(({ name }) => options.steps.includes(name));
  const isExtended = await account.isExtended(options.kubernetesVersion);
  if (!options.cleanUp) say(`${planText(chosen, options.region, isExtended)}\n`);
  if (options.dryRun) return EXIT.ok;
  return alone(options.folder, async () => {
    const record = RunRecord.open(options.folder, { ...given.kept, "public-cidr": publicCidr });
    const commands = new Commands(projectRoot(), options.repository, record, account, say);
    const test: AccountTest = { options, names: testNames(options), record, account, commands, say };
    if (options.cleanUp) {
      const result = await runCleanUp(test);
      report(test);
      return EXIT_CODES[result];
    }
    await checkRun(test);
    const where = `account ${options.account}, ${options.region}, names ${options.name}-…, at most ${options.limitMinutes} minutes`;
    say(`${where}; recorded in ${options.folder}`);
    if (!options.yes && !(await confirm("Create this, which costs money?"))) return EXIT.ok;
    try {
      const result = await runSteps(test, STEPS);
      return EXIT_CODES[result];
    } finally {
      report(test);
    }
  });
}

/** Says what still exists and how to delete it. */
function report({ record, names }: AccountTest): void {
  const { existing } = record;
  if (existing.length === 0)
    return say(
      `Nothing of the run exists any more, but for the key of ${names.alias}, which AWS deletes after 7 days.`,
    );
  const width = Math.max(...existing.map(([what]) => what.length));
  const folder = `--folder ${path.relative(process.cwd(), record.folder) || "."}`;
  say("\nStill exists, and costs money:");
  for (const [what, command] of existing) say(`  ${what.padEnd(width)}  ${command}`);
  say(`Continue:       ${COMMAND} ${folder}`);
  say(`Delete it all:  ${COMMAND} ${folder} --clean-up`);
}

/** The public address of this machine. */
async function ownAddress(): Promise<string> {
  try {
    const response = await fetch("https://checkip.amazonaws.com", { signal: AbortSignal.timeout(10_000) });
    const text = (await response.text()).trim();
    if (response.ok && /^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return text;
    throw new Error(`checkip.amazonaws.com answers ${response.status}`);
  } catch (error) {
    throw new Failure(`the address of this machine is not known (${messageOf(error)}); expected --public-cidr`);
  }
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    const isExpected = error instanceof Failure || error instanceof UsageError;
    process.stderr.write(`error: ${isExpected ? error.message : String((error as Error).stack)}\n`);
    process.exit(error instanceof UsageError ? EXIT.usage : EXIT.failure);
  },
);
