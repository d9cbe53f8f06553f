/** The contract of a step of the account test, and what a step works with. */

import type { AwsAccount } from "./aws/account";
import type { Commands } from "./commands";
import type { Charged } from "./costs";
import type { AccountOptions } from "./options";
import type { RunRecord } from "./record";

export interface AccountStep {
  readonly name: string;
  /** What it does, in one sentence. */
  readonly does: string;
  /** How long it takes on AWS. */
  readonly minutes: number;
  /** What AWS charges for by the hour while the step runs. */
  readonly charged: Charged;
  /** Throws if AWS or the product does not do what is expected. May run again after an interruption. */
  run(test: AccountTest): Promise<void>;
}

export interface AccountTest {
  readonly options: AccountOptions;
  readonly names: TestNames;
  readonly record: RunRecord;
  readonly account: AwsAccount;
  readonly commands: Commands;
  /** Prints a line of progress. */
  readonly say: (line: string) => void;
}

/** Names of all that a run creates; each begins with the name of the run. */
export interface TestNames {
  /** CloudFormation stack of the state, the key and the roles. */
  readonly bootstrap: string;
  /** Stack of the platform. */
  readonly stack: string;
  readonly cluster: string;
  /** CloudFormation stacks of a network, and of a cluster in it that is imported. */
  readonly network: string;
  readonly former: string;
  /** Name of that cluster, and of the stack that takes it over. */
  readonly imported: string;
  /** Alias of the key of state and secrets. */
  readonly alias: string;
  readonly bucket: string;
  readonly roles: readonly string[];
}

export function testNames({ name, account, region }: Pick<AccountOptions, "name" | "account" | "region">): TestNames {
  return {
    bootstrap: `${name}-bootstrap`,
    stack: name,
    cluster: `${name}-main`,
    network: `${name}-network`,
    former: `${name}-former`,
    imported: `${name}-imported`,
    alias: `alias/${name}-state`,
    bucket: `${name}-state-${account}-${region}`,
    roles: [`${name}-preview`, `${name}-deploy`],
  };
}
