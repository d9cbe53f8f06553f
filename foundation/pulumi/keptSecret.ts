import * as pulumi from "@pulumi/pulumi";

/**
 * A generated value that the engine stores encrypted in the state: `fresh` when the resource is created, and that value
 * ever after. `pulumi up --replace` of the resource takes a new one. The output is a secret.
 */
export function keptSecret<T>(name: string, fresh: T, parent: pulumi.Resource): pulumi.Output<T> {
  const options = { parent, ignoreChanges: ["input"], additionalSecretOutputs: ["input", "output"] };
  const stash = new pulumi.Stash(name, { input: pulumi.secret(fresh) }, options);
  // Pulumi's mocks return the input only; then there is no state that could keep a value.
  const kept = (stash.output as pulumi.Output<T | undefined>).apply((value) => value ?? fresh);
  return pulumi.secret(kept) as pulumi.Output<T>;
}
