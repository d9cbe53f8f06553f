import { EventRule } from "@pulumi/aws/cloudwatch/eventRule";
import { EventTarget } from "@pulumi/aws/cloudwatch/eventTarget";
import { Queue } from "@pulumi/aws/sqs/queue";
import { QueuePolicy } from "@pulumi/aws/sqs/queuePolicy";
import * as pulumi from "@pulumi/pulumi";
import { component } from "../resources/package";
import { LIMITS, limited } from "../cluster/awsNames";
import { POLICY_LIMIT, renderDocument } from "../cluster/serviceAccountRole/document";

/** Events that EC2 and AWS Health send before they stop an instance. */
const EVENTS: Readonly<Record<string, { readonly source: string; readonly type: string }>> = {
  health: { source: "aws.health", type: "AWS Health Event" },
  spot: { source: "aws.ec2", type: "EC2 Spot Instance Interruption Warning" },
  rebalance: { source: "aws.ec2", type: "EC2 Instance Rebalance Recommendation" },
  state: { source: "aws.ec2", type: "EC2 Instance State-change Notification" },
  capacity: { source: "aws.ec2", type: "EC2 Capacity Reservation Instance Interruption Warning" },
};

/** Older events are useless: a spot instance stops two minutes after its event. */
const KEPT_SECONDS = 300;

interface InterruptionsArgs {
  /** Name of the cluster. Plain, because names depend on it. */
  readonly cluster: string;
}

/** A queue of events about instances that AWS is going to stop, so that Karpenter drains their nodes in time. */
export class Interruptions extends pulumi.ComponentResource {
  readonly queueName: pulumi.Output<string>;
  readonly queueArn: pulumi.Output<string>;

  constructor(name: string, { cluster }: InterruptionsArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("Interruptions"), name, {}, opts);
    const parent = { parent: this };
    const queue = new Queue(
      name,
      {
        name: limited(`${cluster}-karpenter`, LIMITS.queue),
        messageRetentionSeconds: KEPT_SECONDS,
        sqsManagedSseEnabled: true,
      },
      parent,
    );
    const rules = Object.entries(EVENTS).map(([key, { source, type }]) => ({
      key,
      rule: new EventRule(
        `${name}/${key}`,
        {
          name: limited(`${cluster}-karpenter-${key}`, LIMITS.eventRule),
          eventPattern: JSON.stringify({ source: [source], "detail-type": [type] }),
        },
        parent,
      ),
    }));
    const policy = pulumi
      .all([queue.arn, pulumi.all(rules.map(({ rule }) => rule.arn))])
      .apply(([queueArn, ruleArns]) => queuePolicy(queueArn, ruleArns));
    const allowed = new QueuePolicy(name, { queueUrl: queue.id, policy }, parent);
    for (const { key, rule } of rules) {
      const target = { rule: rule.name, targetId: "karpenter", arn: queue.arn };
      new EventTarget(`${name}/${key}`, target, { parent: this, dependsOn: allowed });
    }
    this.queueName = queue.name;
    this.queueArn = queue.arn;
    this.registerOutputs({ queueName: this.queueName });
  }
}

/** Allows only these rules to send, and requires encryption in transit. */
const queuePolicy = (queueArn: string, ruleArns: readonly string[]): string =>
  renderDocument(
    [
      {
        sid: "Rules",
        effect: "Allow",
        principal: { Service: "events.amazonaws.com" },
        actions: ["sqs:SendMessage"],
        resources: [queueArn],
        conditions: { ArnEquals: { "aws:SourceArn": ruleArns } },
      },
      {
        sid: "Plain",
        effect: "Deny",
        principal: { AWS: "*" },
        actions: ["sqs:*"],
        resources: [queueArn],
        conditions: { Bool: { "aws:SecureTransport": "false" } },
      },
    ],
    POLICY_LIMIT,
  );
