import * as pulumi from "@pulumi/pulumi";
import { Cluster } from "./components/cluster/cluster";
import { readConfig } from "./components/config/decode";
import { ProvisionerSet } from "./components/provisioners/provisionerSet";

const config = readConfig();

const cluster = config.cluster && new Cluster("cluster", { existing: config.cluster.access });
const set = new ProvisionerSet("provisioners", {
  pools: config.pools,
  kubernetes: config.kubernetes,
  ledgerUrl: config.ledgerUrl,
  cluster,
  clusterServer: config.cluster?.access.server,
});

// What runtime stacks read: `Platform` in components/runtime/platform.ts, field by field.
export const provisioners = set.provisioners;
export const defaultProvisioner = config.defaultProvisioner;
export const environments = config.environments;
export const slot = config.slot;
export const ledgerUrl = config.ledgerUrl === undefined ? undefined : pulumi.secret(config.ledgerUrl);
// For people: `pulumi stack output kubeconfig --show-secrets`.
export const kubeconfig = cluster?.kubeconfig;
