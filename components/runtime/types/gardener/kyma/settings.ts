import * as z from "zod";
import { FORMAT_NAMES } from "../../../../../foundation/bundleFormats";
import { SHA256 } from "../../../../../foundation/bundleSources";
import { sourceSchema } from "../../../../bundleSources";
import { context, kubeconfig } from "../../../../cluster/access/kubeconfigSchema";
import { channel, kymaModules } from "../../../request/kyma/modules";
import { secret } from "../../../../../foundation/schema/secretValues";
import { count, flag, matching, oneOf, strict, listOf } from "../../../../../foundation/schema/fields";

/** Schema of the Kyma and Director settings of a provisioner of type gardener. */

const text = (expected: string) => matching(/\S/, expected);
const url = () => matching(/^https?:\/\/\S+$/, "a URL that begins with https:// or http://");
const name = () =>
  matching(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, "a name of a-z, 0-9 and inner -, 63 characters at most");

export const source = sourceSchema({ secret: secret(text("a text")), long: text("a text") });

const module = strict("an object with namespace and sources", {
  namespace: name().describe("Namespace of objects that name none."),
  sources: listOf(source, "sources")
    .min(1, { error: "at least one source" })
    .describe("Where the manifests come from."),
  format: oneOf(FORMAT_NAMES as readonly [string, ...string[]])
    .default("plain+v0")
    .describe("Format of the content."),
  digest: matching(SHA256, "sha256: and 64 of 0-9 and a-f")
    .optional()
    .describe("Digest of the content. Other content is an error."),
});

const version = strict("an object with modules", {
  modules: z
    .record(name(), module, { error: "an object of modules by name" })
    .default({})
    .describe("Modules, applied in this order, for mode `manifests`."),
  digest: matching(/^[0-9a-f]{64}$/, "64 of 0-9 and a-f")
    .optional()
    .describe("SHA-256 of the installer's manifests, for mode `installer`."),
});

const LABEL_KEY = /^([a-z0-9.-]{1,253}\/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;
const LABEL_VALUE = /^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/;

export const kymaSettings = strict("an object with mode", {
  mode: oneOf(["manifests", "installer", "modules", "none"])
    .default("manifests")
    .describe(
      "How Kyma is installed: by bundles of manifests, by its own installer, by the modules of Lifecycle Manager, or not at all. Default: `manifests`.",
    ),
  versions: z
    .record(text("a version"), version, { error: "an object of versions" })
    .default({})
    .describe("Content by version. Mode `manifests` supports only these versions."),
  installerUrl: matching(/^https?:\/\/\S*\{version\}\S*$/, "a URL with {version}")
    .optional()
    .describe("URL of the installer's manifests, with `{version}`. Default: the URL where Kyma publishes them."),
  brokerUrlPrefix: url()
    .optional()
    .describe(
      "For mode `installer`: before Kyma is removed, ServiceInstances of brokers whose URL has this prefix are deleted. Default: `https://service-manager.`.",
    ),
  controlPlane: strict("an object with kubeconfig", {
    kubeconfig: kubeconfig.describe("Kubeconfig of a user who may write Kymas and Secrets in `kcp-system`."),
    context,
  })
    .optional()
    .describe("For mode `modules`: the cluster in which Lifecycle Manager runs."),
  channel: channel().optional().describe("For mode `modules`: channel of modules that name none. Default: regular."),
  modules: kymaModules()
    .optional()
    .describe("For mode `modules`: modules of deployments that name none. Default: none."),
  labels: z
    .record(matching(LABEL_KEY, "a key of a label"), matching(LABEL_VALUE, "a value of a label"), {
      error: "an object of labels",
    })
    .optional()
    .describe("For mode `modules`: more labels of each Kyma, such as `operator.kyma-project.io/beta`. Default: none."),
  timeoutSeconds: count("a whole number of seconds", 86_400)
    .default(3600)
    .describe("Seconds until Kyma must be installed, or removed. Default: 3600."),
});

export const directorSettings = strict("an object with url", {
  url: url().describe("URL of the Director's GraphQL API."),
  tokenUrl: url().describe("OAuth 2.0 token URL."),
  clientId: text("a client id").describe("Client id."),
  clientSecret: secret(text("a client secret")).describe("Client secret."),
  skipCertVerification: flag().default(false).describe("`true`: accept any certificate. Default: `false`."),
  agent: flag()
    .default(true)
    .describe("`true`: an update waits until the agent is connected. `false`: it only configures the agent."),
});

export type KymaSettings = z.output<typeof kymaSettings>;
export type DirectorSettings = z.output<typeof directorSettings>;
