import * as autoscaling from "@aws-sdk/client-auto-scaling";
import type { TagArgs } from "@pulumi/aws/autoscaling";
import { connection, maker } from "./maker";

const client = new autoscaling.AutoScalingClient(connection());

/**
 * The group that EKS creates for a node group; moto's EKS only reports its name. It stays empty: EKS would choose the
 * image of the nodes, and moto starts no node without one.
 */
export async function makeGroup(AutoScalingGroupName: string, subnetIds: readonly string[], template: string) {
  const sizes = { MinSize: 0, MaxSize: 0, DesiredCapacity: 0 };
  const place = { VPCZoneIdentifier: subnetIds.join(","), LaunchTemplate: { LaunchTemplateId: template } };
  await client.send(new autoscaling.CreateAutoScalingGroupCommand({ AutoScalingGroupName, ...sizes, ...place }));
}

export const deleteGroup = (AutoScalingGroupName: string) =>
  client.send(new autoscaling.DeleteAutoScalingGroupCommand({ AutoScalingGroupName, ForceDelete: true }));

const tagOf = ({ autoscalingGroupName, tag }: { autoscalingGroupName: string; tag: { key: string } }) => ({
  ResourceId: autoscalingGroupName,
  ResourceType: "auto-scaling-group",
  Key: tag.key,
});
const set = (inputs: Parameters<typeof tagOf>[0] & { tag: { value: string; propagateAtLaunch: boolean } }) => {
  const { value: Value, propagateAtLaunch: PropagateAtLaunch } = inputs.tag;
  const Tags = [{ ...tagOf(inputs), Value, PropagateAtLaunch }];
  return client.send(new autoscaling.CreateOrUpdateTagsCommand({ Tags }));
};

export const tag = maker<TagArgs>({
  takes: ["autoscalingGroupName", "tag"],
  async create(inputs) {
    await set(inputs);
    return { id: `${inputs.autoscalingGroupName},${inputs.tag.key}` };
  },
  async update(_id, inputs) {
    await set(inputs);
  },
  delete: (_id, inputs) => client.send(new autoscaling.DeleteTagsCommand({ Tags: [tagOf(inputs)] })),
});
