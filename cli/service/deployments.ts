import { Failure } from "../../foundation/errors";
import { count } from "../../foundation/text/numbers";
import type { Context } from "../context";
import { structured } from "../options/output";
import { askedOf, type AskedOptions } from "./asked";
import { change } from "./change";
import { accessOf, ask } from "./client";
import { readList, printList, type ServiceListOptions } from "./list";
import { limitsInput, type ChangeOptions, type LimitOptions, type ReadOptions } from "./options";
import { DEPLOYMENT, DETAILS, PLAN, type Deployment, type ShownPlan } from "./queries";
import { deploymentTable, lifetimeText, operationText, planText, deploymentStatus } from "./text";

export interface DeploymentFilter extends ServiceListOptions {
  readonly id?: string;
  readonly state?: string;
  readonly provisioner?: string;
  readonly environment?: string;
}

export async function listDeployments(context: Context, options: DeploymentFilter): Promise<void> {
  const { id, state, provisioner, environment } = options;
  const filter = { id, provisioner, environment, ...(state !== undefined && { desiredState: [state] }) };
  const read = () =>
    readList<Deployment>({ field: "deployments", filterType: "DeploymentFilter", fields: DEPLOYMENT, filter }, options);
  await printList(
    context,
    read,
    (nodes, columns) => (nodes.length > 0 ? deploymentTable(nodes, columns) : "no deployments"),
    options,
  );
}

export async function showOne(context: Context, id: string, options: ReadOptions): Promise<void> {
  const query = `query ($id: ID!) { deployment(id: $id) { ${DETAILS} } }`;
  const { deployment } = await ask<{ deployment: Deployment | null }>(accessOf(options), query, { id });
  if (!deployment) throw new Failure(`there is no deployment ${id}`);
  const { runtime, desiredConfig, revision, lastOperation, provisioner } = deployment;
  const lines = [
    `${context.colours.bold(id)} ${deploymentStatus(deployment)}, revision ${revision}${deployment.protected ? ", protected" : ""}`,
    ...Object.entries({ ...desiredConfig.deployment, provisioner, host: runtime?.host })
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => `  ${name.padEnd(11)}  ${typeof value === "string" ? value : JSON.stringify(value)}`),
    ...stateLines(deployment),
    ...(lastOperation ? [operationText(lastOperation, context.colours)] : []),
  ];
  context.print(structured(deployment, options) ?? lines.join("\n"));
}

/** Results of the service's last checks. */
function stateLines({ health, drift, stack, id, lifetime }: Deployment): string[] {
  const lines: readonly (readonly [string, string | undefined])[] = [
    ["stack", stack === id ? undefined : stack],
    ["health", health ? [health.state, health.reason].filter(Boolean).join(": ") : undefined],
    ["drift", drift ? (drift.error ?? count(drift.changes.length, "change")) : undefined],
    ["lifetime", lifetime ? lifetimeText(lifetime) : undefined],
  ];
  return lines.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name.padEnd(11)}  ${value}`]));
}

export async function plan(context: Context, id: string, options: ReadOptions): Promise<void> {
  const answer = await ask<{ plan: ShownPlan }>(
    accessOf(options),
    `query ($id: ID!) { ${PLAN.replace("plan", "plan(id: $id)")} }`,
    { id },
  );
  context.print(structured(answer.plan, options) ?? planText(answer.plan));
}

/** Creates or updates a deployment, with the options and files of `runtime up`. */
export async function provision(
  context: Context,
  id: string,
  options: AskedOptions & ChangeOptions & LimitOptions,
  isNew: boolean,
): Promise<void> {
  const { deployment, platform } = await askedOf(id, options);
  const types = { id: "ID!", deployment: "DeploymentInput!" };
  if (!isNew) {
    if (platform !== undefined) await expectPlatform(id, platform, options);
    await change(context, { field: "updateDeployment", types, values: { id, deployment } }, options);
    return;
  }
  const limits = limitsInput(options);
  const mutation = {
    types: { ...types, platform: "String", lifetime: "LifetimeInput" },
    // Without a limit, those of the service.
    values: { id, deployment, platform, lifetime: Object.keys(limits).length > 0 ? limits : undefined },
  };
  await change(context, { field: "provisionDeployment", ...mutation }, options);
}

/** An update can't change the platform, so a file with another platform is an error. */
async function expectPlatform(id: string, platform: string, options: AskedOptions & ChangeOptions): Promise<void> {
  const query = "query ($id: ID!) { deployment(id: $id) { platform } }";
  const { deployment } = await ask<{ deployment: { readonly platform: string } | null }>(accessOf(options), query, {
    id,
  });
  const present = deployment?.platform;
  if (present === undefined || present === platform) return;
  throw new Failure(`${options.file}: ${id}.platform: found ${platform}; expected ${present}, which an update keeps`);
}

/** Runs `hibernate`, `wake`, `deprovision`, `protect` or `unprotect`. */
export async function simple(context: Context, verb: string, id: string, options: ChangeOptions): Promise<void> {
  await change(context, { field: `${verb}Deployment`, types: { id: "ID!" }, values: { id } }, options);
}

/** Changes the limits of a deployment's lifetime. */
export async function lifetime(context: Context, id: string, options: ChangeOptions & LimitOptions): Promise<void> {
  const types = { id: "ID!", lifetime: "LifetimeInput!" };
  const says = (changed: Deployment) => `${id} ${changed.lifetime ? lifetimeText(changed.lifetime) : "has no limits"}`;
  await change(
    context,
    { field: "setDeploymentLifetime", types, values: { id, lifetime: limitsInput(options) }, says },
    options,
  );
}

export async function move(
  context: Context,
  id: string,
  options: ChangeOptions & { readonly provisioner?: string },
): Promise<void> {
  const { provisioner } = options;
  const types = { id: "ID!", provisioner: "String" };
  await change(context, { field: "moveDeployment", types, values: { id, provisioner } }, options);
}
