import * as pulumi from "@pulumi/pulumi";
import * as stackyard from "stackyard";

const config = new pulumi.Config();
const name = config.require("name");
const region = config.require("region");

// A VPC, the control plane with its add-ons, a small group of nodes for Karpenter, and Karpenter, which adds all other nodes.
const made = new stackyard.Cluster("made", {
  type: "eks",
  name,
  region,
  version: "1.35",
  nodes: "karpenter",
  nodePools: { general: { instanceTypes: ["m7i.xlarge", "m7a.xlarge"], max: config.requireNumber("maxNodes") } },
  access: { admins: { platform: config.require("admin") } },
  // Remove this line where the cluster is to stay: it then has to be set before the cluster can be deleted.
  deletionProtection: false,
});

// The argument of all components on the cluster. With `eks`, they create IAM roles.
const cluster = { kubeconfig: { content: made.kubeconfig }, eks: { name, region } };

// A role that pods with the service account `reader` in the namespace `default` get.
const reader = new stackyard.DataAccess("reader", {
  cluster,
  serviceAccounts: { default: ["reader"] },
  accounts: "none",
  buckets: [{ bucket: config.require("bucket"), access: "read" }],
});

// A secret: pulumi stack output kubeconfig --show-secrets > kubeconfig.yaml
export const kubeconfig = made.kubeconfig;
export const readerRole = reader.roleArn;
