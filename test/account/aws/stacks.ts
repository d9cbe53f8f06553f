/** Stacks of CloudFormation. */

import * as cf from "@aws-sdk/client-cloudformation";
import { Failure, messageOf } from "../../../foundation/errors";

/** The tag of all that a run creates, whose value is the id of the run. */
export const RUN_TAG = "stackyard-account-test";

const MOST_SECONDS = 3600;

export class Stacks {
  private readonly client: cf.CloudFormationClient;

  constructor(
    region: string,
    /** Tag of each stack, and so of its resources. */
    private readonly tag: { readonly Key: string; readonly Value: string },
  ) {
    this.client = new cf.CloudFormationClient({ region });
  }

  /** The outputs of a stack; undefined if there is none. */
  async outputs(StackName: string): Promise<Readonly<Record<string, string>> | undefined> {
    const found = await this.find(StackName);
    const named = (found?.Outputs ?? []).flatMap(({ OutputKey, OutputValue = "" }) =>
      OutputKey === undefined ? [] : [[OutputKey, OutputValue] as const],
    );
    return found && Object.fromEntries(named);
  }

  /** Creates a stack, or waits for it if an interrupted run has begun to; its outputs. */
  async create(StackName: string, TemplateBody: string): Promise<Readonly<Record<string, string>>> {
    if ((await this.own(StackName)) === undefined) {
      const Capabilities = [cf.Capability.CAPABILITY_NAMED_IAM];
      const asked = { StackName, TemplateBody, Capabilities, Tags: [this.tag] };
      await this.client.send(new cf.CreateStackCommand(asked));
    }
    await this.finished(StackName, cf.waitUntilStackCreateComplete);
    return (await this.outputs(StackName)) ?? {};
  }

  /** Deletes a stack, if it is there. */
  async delete(StackName: string): Promise<void> {
    if ((await this.own(StackName)) === undefined) return;
    await this.client.send(new cf.DeleteStackCommand({ StackName }));
    await this.finished(StackName, cf.waitUntilStackDeleteComplete);
  }

  /** Throws if another run, or a user, created the stack. */
  private async own(StackName: string): Promise<cf.Stack | undefined> {
    const found = await this.find(StackName);
    if (found !== undefined && !found.Tags?.some(({ Key, Value }) => Key === this.tag.Key && Value === this.tag.Value))
      throw new Failure(
        `found the stack ${StackName} of CloudFormation, which this run did not create; take another --name`,
      );
    return found;
  }

  private async find(StackName: string): Promise<cf.Stack | undefined> {
    try {
      const { Stacks: found = [] } = await this.client.send(new cf.DescribeStacksCommand({ StackName }));
      return found.find(({ StackStatus }) => StackStatus !== "DELETE_COMPLETE");
    } catch (error) {
      if (/does not exist/.test(messageOf(error))) return undefined;
      throw error;
    }
  }

  private async finished(StackName: string, wait: typeof cf.waitUntilStackCreateComplete): Promise<void> {
    try {
      await wait({ client: this.client, maxWaitTime: MOST_SECONDS, minDelay: 2, maxDelay: 20 }, { StackName });
    } catch {
      const { StackEvents = [] } = await this.client.send(new cf.DescribeStackEventsCommand({ StackName }));
      const reasons = StackEvents.flatMap(({ ResourceStatus, LogicalResourceId, ResourceStatusReason }) =>
        ResourceStatus?.endsWith("FAILED") ? [`  ${LogicalResourceId}: ${ResourceStatusReason ?? "no reason"}`] : [],
      );
      throw new Failure([`the stack ${StackName} of CloudFormation failed:`, ...reasons].join("\n"));
    }
  }
}

/** The stacks of a run. */
export const stacksOf = ({
  account,
  record,
}: {
  readonly account: { readonly region: string };
  readonly record: { readonly id: string };
}): Stacks => new Stacks(account.region, { Key: RUN_TAG, Value: record.id });
