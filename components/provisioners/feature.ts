import { mirrored } from "../charts/images";
import { serverOf } from "../cluster/clusterConfig";
import { feature } from "../feature";
import { typeOf } from "../runtime/types/registry";
import { decodeProvisioners, type ProvisionersPart } from "./config/decode";
import { provisionerKeys } from "./config/schema";
import { provisionerRevisions } from "./plan";

/** The provisioner set: where deployments get their runtimes. */
export const provisioners = feature({
  name: "provisioners",
  keys: provisionerKeys,
  component: {
    name: "ProvisionerSet",
    description:
      "A provisioner set: where deployments get their runtimes. Runtime stacks read its outputs as those of the stack.",
    cluster: "optional",
    places: ["provisioners", "defaultProvisioner", "environments", "slot", "ledger"].map((key) => ({
      at: [key],
      argument: key,
    })),
    outputs: {
      provisioners: {
        at: ["provisioners"],
        type: "object",
        secret: true,
        description: "Provisioners by name with everything that a runtime needs.",
      },
      defaultProvisioner: { at: ["defaultProvisioner"], description: "Name of the default provisioner." },
      environments: {
        at: ["environments"],
        type: "object",
        description: "Default provisioner of each environment.",
      },
      provisionerRevisions: {
        at: ["provisionerRevisions"],
        type: "object",
        description: "Digest of the settings of each provisioner.",
      },
      slot: { at: ["slot"], type: "object", description: "Size of one slot: cpu, memoryGb, diskGb." },
      ledgerUrl: {
        at: ["ledgerUrl"],
        secret: true,
        sometimes: true,
        description: "PostgreSQL URL of the ledger. Absent if no provisioner is static.",
      },
    },
  },
  reference: [
    {
      title: "Provisioners",
      intro: "A name is a-z, 0-9 and inner `-`, 40 characters at most. A provisioner is `{type, spec}`.",
      at: ["provisioners", "<name>"],
      variant: "Provisioner",
    },
    { title: "Environments", at: ["environments", "<name>"] },
    { title: "Slot", at: ["slot"] },
  ],
  outputs: [
    {
      name: "provisioners",
      secret: true,
      description:
        "Provisioners by name with everything that a runtime needs: the pool of a static one; kubeconfig, namespace, host, image, limits and templates of a Kubernetes one.",
    },
    { name: "defaultProvisioner", secret: false, description: "Name of the default provisioner." },
    { name: "environments", secret: false, description: "Default provisioner of each environment." },
    {
      name: "provisionerRevisions",
      secret: false,
      description:
        "Digest of the settings of each provisioner. A runtime is outdated if it was created with another digest.",
    },
    { name: "slot", secret: false, description: "Size of one slot: cpu, memoryGb, diskGb." },
    {
      name: "ledgerUrl",
      secret: true,
      description: "PostgreSQL URL of the ledger. Absent if no provisioner is static.",
    },
  ],

  decode: (read, context): ProvisionersPart => decodeProvisioners(read, context),
  mirrored: ({ provisioners: set, images }) => ({
    provisioners: Object.fromEntries(
      Object.entries(set).map(([name, one]) => [name, { ...one, settings: mirrored(one.settings, images) }]),
    ),
  }),
  images: ({ provisioners: set }) =>
    Object.entries(set).flatMap(([role, { settings }]) => {
      const image = `${settings.image}:<version of the deployment>`;
      return settings.image === undefined ? [] : [{ component: "provisioners", role, image }];
    }),
  namespaces: ({ provisioners: set }) =>
    Object.entries(set).flatMap(([name, { access, createNamespace = false, namespace: config, settings }]) => {
      const base = ["provisioners", name, "spec"];
      const { namespace = "" } = settings;
      return config === undefined ? [] : [{ base, createNamespace, server: access?.server, namespace, config }];
    }),

  needs: ({ provisioners: set }) =>
    Object.entries(set).flatMap(([name, one]) => typeOf(one).needs?.(`provisioners.${name}`, one) ?? []),

  async look(config, state) {
    const { noteChanged } = await import("./changed.js");
    await noteChanged(state, provisionerRevisions(config.provisioners, config.slot));
  },
  async create(config, site) {
    const { createProvisioners } = await import("./createProvisioners.js");
    return createProvisioners(config, serverOf(config.cluster), site);
  },
});
