import { flag, listOf, matching, oneOf, strict } from "../../../../foundation/schema/fields";

/** Schema of Kyma's modules, with the fields and patterns of the Kyma resource of Lifecycle Manager. */

export const channel = () => matching(/^(?!none$)[a-z]{3,32}$/, "a channel of 3 to 32 letters a-z, such as regular");

const module = strict("an object with name", {
  name: matching(/^(?=.{3,64}$)[a-z]{3,}(-[a-z]{3,})*$/, "the name of a module, such as api-gateway").describe("Name."),
  channel: channel().optional().describe("Channel of this module. Default: that of all modules."),
  customResourcePolicy: oneOf(["CreateAndDelete", "Ignore"])
    .optional()
    .describe(
      "`CreateAndDelete`: create the default resource of the module, and delete it with the module. `Ignore`: none. Default: CreateAndDelete.",
    ),
  managed: flag()
    .optional()
    .describe("`false`: Lifecycle Manager leaves what it has installed of the module as it is. Default: true."),
});

export const kymaModules = () =>
  listOf(module, "modules").superRefine((modules, context) => {
    modules.forEach(({ name }, index) => {
      if (modules.findIndex((other) => other.name === name) < index)
        context.addIssue({ code: "custom", path: [index, "name"], message: "a module once" });
    });
  });
