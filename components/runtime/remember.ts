import * as pulumi from "@pulumi/pulumi";

/**
 * The provisioner that this stack's runtime is with: on the first run the one given, ever after the same one, until a
 * run allows the move to the one that is then given. The engine keeps it in the stack's state, as a Stash, from before
 * anything else is made: a first run that fails half-way has a provisioner too.
 */
export async function rememberProvisioner(wanted: string, move: string | undefined): Promise<string> {
  // A Stash keeps its first value until it is replaced, and here it is replaced by nothing but an allowed move.
  const options: pulumi.CustomResourceOptions =
    move === wanted ? { replaceOnChanges: ["input"] } : { ignoreChanges: ["input"] };
  const stash = new pulumi.Stash("provisioner", { input: wanted }, options);
  // Which resources there are depends on it, so it is awaited; it is known in a preview too.
  return new Promise((resolve) => stash.output.apply((value) => resolve(String(value))));
}
