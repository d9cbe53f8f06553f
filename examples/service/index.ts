import * as pulumi from "@pulumi/pulumi";
import * as stackyard from "stackyard";

const config = new pulumi.Config();
const cluster = { kubeconfig: { content: config.requireSecret("kubeconfig") } };

// How a deployment gets its runtime: here, pods of their own in one namespace.
const set = new stackyard.ProvisionerSet("set", {
  cluster,
  provisioners: {
    dedicated: {
      type: "kubernetes",
      spec: {
        namespace: "team-runtimes",
        createNamespace: true,
        host: "https://*.example.com",
        image: "registry.example.com/team/runtime",
      },
    },
  },
  defaultProvisioner: "dedicated",
});

// It migrates its database before its pods start. Callers with a token of the issuer request runtimes at /graphql.
const service = new stackyard.ProvisioningService("service", {
  cluster,
  image: config.require("image"),
  namespace: "team-service",
  replicas: config.requireNumber("replicas"),
  secrets: {
    databaseUrl: config.requireSecret("database"),
    stateBackend: config.requireSecret("backend"),
    passphrase: config.requireSecret("passphrase"),
  },
  environment: { APP_OIDC_ISSUER: config.require("issuer") },
  ingress: { host: config.require("host"), tlsSecretName: "stackyard-tls" },
});

// Runtimes are created by stacks of their own, which read these outputs.
export const provisioners = set.provisioners;
export const defaultProvisioner = set.defaultProvisioner;
export const environments = set.environments;
export const provisionerRevisions = set.provisionerRevisions;
export const slot = set.slot;

export const url = service.url;
