/**
 * The text of a program that only registers the resources of a graph in test/fixtures/graphs: those of AWS with their
 * inputs, the others as components without any. No program can preview this graph faster.
 */
export const bareProgram = (graph: string): string => `
const pulumi = require("@pulumi/pulumi");
const resources = require(${JSON.stringify(graph)});
const isAws = ({ type }) => type.startsWith("aws:");

const { version, ...settings } = resources.find(({ type }) => type === "pulumi:providers:aws").inputs;
const provider = new pulumi.ProviderResource("aws", "aws", settings, { version });
const unknown = new pulumi.CustomResource("aws:ec2/eip:Eip", "unknown", {}, { provider }).id;
const known = (value) =>
  typeof value === "string"
    ? value.includes("(known when it is made)") ? unknown : value
    : Array.isArray(value)
      ? value.map(known)
      : value !== null && typeof value === "object"
        ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, known(inner)]))
        : value;
for (const { type, name, inputs } of resources) {
  if (isAws({ type })) new pulumi.CustomResource(type, name, known(inputs), { provider });
  else new pulumi.ComponentResource(type, name);
}
`;
