import assert from "node:assert/strict";
import { leftovers } from "../../../../cli/eks/leftovers/judge";
import type { Seen, SearchedCluster } from "../../../../cli/eks/leftovers/seen";
import { ownServices } from "../../../../cli/eks/leftovers/leftovers";
import type { PlatformConfig } from "../../../../components/platform/config/platformConfig";

const target: SearchedCluster = {
  name: "acme",
  region: "eu-central-1",
  ownsVpc: true,
  ownServices: ["jupyterhub/proxy-public"],
};
const owned = { "kubernetes.io/cluster/acme": "owned" };
const claim = { "kubernetes.io/created-for/pvc/name": "data", "kubernetes.io/created-for/pvc/namespace": "runtimes" };
const arn = (path: string): string => `arn:aws:elasticloadbalancing:eu-central-1:123456789012:${path}`;

const seen = (kind: Seen["kind"], id: string, more: Partial<Seen> = {}): Seen => ({
  ...{ kind, id, state: "in-use", tags: {}, inOwnVpc: true },
  ...more,
});
const volume = seen("volume", "vol-1", { tags: { ...owned, ...claim }, inOwnVpc: false });
const judged = (isRunning: boolean, ...all: Seen[]) => leftovers({ isRunning, seen: all }, target);
const ids = (isRunning: boolean, ...all: Seen[]): string[] => judged(isRunning, ...all).map(({ id }) => id);

describe("the leftovers of a destroy on EKS", () => {
  it("include disks of claims, with the command to delete them", () => {
    const [found] = judged(true, volume);
    assert.equal(found?.belongsTo, "claim runtimes/data");
    assert.equal(found.blocksVpc, false);
    assert.match(found.fix, /kubectl -n runtimes delete persistentvolumeclaim data$/);
    const [left] = judged(false, { ...volume, state: "available" });
    assert.match(
      left?.fix ?? "",
      /create-snapshot .*delete it: aws ec2 delete-volume --volume-id vol-1 --region eu-central-1$/,
    );
  });

  it("exclude disks of running nodes", () => {
    const root = seen("volume", "vol-2", { tags: owned });
    assert.deepEqual(ids(true, root), []);
    assert.deepEqual(ids(false, { ...root, state: "available" }), ["vol-2"]);
  });

  it("include load balancers of Ingresses and Services, which block the deletion of the VPC", () => {
    const alb = arn("loadbalancer/app/k8s-runtimes/1");
    const tags = { "elbv2.k8s.aws/cluster": "acme", "ingress.k8s.aws/stack": "runtimes/acme" };
    const [found] = judged(true, seen("load balancer", alb, { tags }));
    assert.equal(found?.blocksVpc, true);
    assert.match(found.fix, /kubectl -n runtimes delete ingress acme$/);
    const classic = arn("loadbalancer/a0123456789");
    const service = { ...owned, "kubernetes.io/service-name": "search/opensearch" };
    assert.match(
      judged(true, seen("load balancer", classic, { tags: service }))[0]?.fix ?? "",
      /delete service opensearch$/,
    );
    assert.match(
      judged(false, seen("load balancer", alb, { tags }))[0]?.fix ?? "",
      /elbv2 delete-load-balancer --load-balancer-arn arn:/,
    );
    assert.match(
      judged(false, seen("load balancer", classic, { tags }))[0]?.fix ?? "",
      /aws elb delete-load-balancer --load-balancer-name a0123456789 /,
    );
  });

  it("include load balancers of the platform only after the cluster is deleted", () => {
    const tags = { ...owned, "kubernetes.io/service-name": "jupyterhub/proxy-public" };
    const one = seen("load balancer", arn("loadbalancer/a1"), { tags });
    assert.deepEqual(ids(true, one), []);
    assert.deepEqual(ids(false, one), [one.id]);
    const config = { ingress: { nginx: {} }, jupyterhub: { namespace: "hub" } } as unknown as PlatformConfig;
    assert.deepEqual(ownServices(config), ["ingress-nginx/ingress-nginx-controller", "hub/proxy-public"]);
    assert.deepEqual(ownServices({}), []);
  });

  it("name an untagged load balancer by its network interfaces", () => {
    const interfaceOf = (text: string) => seen("network interface", "eni-1", { text });
    const [found] = judged(true, interfaceOf("ELB app/by-hand/2"));
    assert.match(found?.fix ?? "", /delete the load balancer app\/by-hand\/2, which is not the cluster's/);
    const balancer = seen("load balancer", arn("loadbalancer/app/k8s/1"));
    assert.deepEqual(ids(true, balancer, interfaceOf("ELB app/k8s/1")), [balancer.id]);
  });

  it("include network interfaces that no other deletion removes", () => {
    const free = seen("network interface", "eni-2", { state: "available", text: "aws-K8S-i-0", tags: owned });
    assert.deepEqual(ids(true, free), []);
    assert.match(judged(false, free)[0]?.fix ?? "", /delete-network-interface --network-interface-id eni-2/);
    const ofNode = seen("network interface", "eni-3", { instance: "i-1" });
    const ofNat = seen("network interface", "eni-4", { use: "nat_gateway" });
    const ofControlPlane = seen("network interface", "eni-5", { text: "Amazon EKS acme" });
    assert.deepEqual(ids(true, ofNode, ofNat, ofControlPlane), []);
    assert.deepEqual(ids(false, ofNode, ofNat, ofControlPlane), ["eni-5"]);
    const [mounted] = judged(true, seen("network interface", "eni-6", { text: "EFS mount target for fs-1" }));
    assert.match(mounted?.fix ?? "", /delete what uses it \(EFS mount target for fs-1\)/);
  });

  it("include foreign instances and security groups, and the cluster's own after its deletion", () => {
    const node = seen("instance", "i-1", { tags: owned });
    const bastion = seen("instance", "i-2");
    assert.deepEqual(ids(true, node, bastion), ["i-2"]);
    assert.deepEqual(ids(false, node, bastion), ["i-1", "i-2"]);
    const own = seen("security group", "sg-1", { tags: { "aws:eks:cluster-name": "acme", ...owned } });
    const ofBalancer = seen("security group", "sg-2", { tags: { "elbv2.k8s.aws/cluster": "acme" } });
    const usual = seen("security group", "sg-3", { text: "default" });
    assert.deepEqual(ids(true, own, ofBalancer, usual), ["sg-2"]);
    assert.deepEqual(ids(false, own, ofBalancer, usual), ["sg-1", "sg-2"]);
  });

  it("are sorted in the order in which they can be deleted", () => {
    const group = seen("security group", "sg-1");
    const balancer = seen("load balancer", arn("loadbalancer/net/k8s/1"));
    const snapshot = seen("snapshot", "snap-1", { inOwnVpc: false });
    assert.deepEqual(ids(false, snapshot, volume, group, balancer), [balancer.id, "sg-1", "vol-1", "snap-1"]);
  });
});
