import * as z from "zod";
import { flag, matching, oneOf, strict, listOf } from "../../../../foundation/schema/fields";
import { secretPaths, secretWhere } from "../../../../foundation/schema/secretValues";
import { channel, kymaModules } from "./modules";

/** Schema of Kyma in a deployment's cluster. Fields are named as in the API of the original Runtime Provisioner. */

const conflictStrategy = () =>
  oneOf(["Merge", "Replace"])
    .optional()
    .describe("How a value that Kyma also sets is handled: `Merge` or `Replace`. Default: Merge.");

const entry = strict("an object with key and value", {
  key: matching(/^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$/, "a key such as global.domainName").describe("Key."),
  value: secretWhere("secret", z.string({ error: "a text" })).describe("Value."),
  secret: flag().optional().describe("`true`: store it in a Secret and do not return it in responses. Default: false."),
});

const configuration = () => listOf(entry, "entries").optional();

const legal = (what: string) => matching(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, what);

const component = strict("an object with component and namespace", {
  component: legal("the name of a component").describe("Name."),
  namespace: legal("the name of a namespace").describe("Namespace."),
  configuration: configuration().describe("Overrides for this component."),
  sourceURL: matching(/^https?:\/\/\S+$/, "an http or https URL")
    .optional()
    .describe("URL of the component's source. Default: the release."),
  conflictStrategy: conflictStrategy(),
});

const kymaShape = {
  version: matching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/, 'a version in quotes, such as "2.20.0"')
    .optional()
    .describe("Version of Kyma. Required, except with mode `modules` of the provisioner, which has none."),
  profile: oneOf(["Evaluation", "Production"]).optional().describe("Resource profile. Default: the release's."),
  components: listOf(component, "components")
    .superRefine((components, context) => {
      components.forEach((one, index) => {
        const first = components.findIndex((other) => other.component === one.component);
        if (first < index)
          context.addIssue({ code: "custom", path: [index, "component"], message: "a component once" });
      });
    })
    .optional()
    .describe("Components in the order of installation. Default: those of the provisioner."),
  configuration: configuration().describe("Overrides for all components."),
  conflictStrategy: conflictStrategy(),
  channel: channel()
    .optional()
    .describe("With mode `modules`: channel of modules that name none. Default: the provisioner's."),
  modules: kymaModules()
    .optional()
    .describe("With mode `modules`: the modules; an empty list for none. Default: those of the provisioner."),
};

export const kymaSchema = strict("an object with version, or with channel and modules", kymaShape);

export type KymaRequest = z.output<typeof kymaSchema>;
export type KymaComponent = NonNullable<KymaRequest["components"]>[number];
export type KymaEntry = z.output<typeof entry>;

/** Whether it contains a secret value. */
export const hasSecretEntries = (kyma: KymaRequest): boolean => secretPaths(kymaSchema, kyma).length > 0;
