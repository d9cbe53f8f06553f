import assert from "node:assert/strict";
import { OTHER, TOKEN, type Reply } from "../process";
import { clusterOf, configOf, type RuntimePlace } from "./place";

const NAME = "wanted";

/** Requests of two tenants for one cluster, through both APIs. */
export function names(placeOf: () => RuntimePlace): void {
  const operationIn = ({ data }: Reply): string | undefined => {
    const [answer] = Object.values(data ?? {}) as (null | { id?: string; operation?: { id: string } })[];
    return answer?.operation?.id ?? answer?.id;
  };
  const byRuntimes = (tenant: string, token: string) => (): Promise<Reply> =>
    placeOf().ask(`mutation { provisionRuntime(config: ${configOf(NAME)}) { id } }`, tenant, token);
  const byDeployments = (tenant: string, token: string) => (): Promise<Reply> => {
    const deployment = `{ provisioner: "garden", cluster: ${clusterOf(`name: "${NAME}"`)} }`;
    const request = `provisionDeployment(id: "wants-it", deployment: ${deployment}, idempotencyKey: "wants-it")`;
    return placeOf().ask(`mutation { ${request} { operation { id } } }`, tenant, token);
  };

  it("gives a cluster to one of several requests at once, and the same answers to their repetitions", async () => {
    // A request whose registration the Director rejects releases the name.
    placeOf().director.tenants.add("blue");
    const asked = [byRuntimes, byDeployments].flatMap((by) => [by("red", TOKEN), by("blue", OTHER)]);
    const [once, again] = await Promise.all([1, 2].map(() => Promise.all(asked.map((ask) => ask()))));
    // The answers were lost.
    const later = await Promise.all(asked.map((ask) => ask()));
    const given = (once ?? []).map(operationIn);
    assert.equal(given.filter((operation) => operation !== undefined).length, 1, JSON.stringify(once));
    for (const answers of [again ?? [], later]) assert.deepEqual(answers.map(operationIn), given);
    const winner = given.findIndex((operation) => operation !== undefined);
    for (const [index, { errors }] of later.entries()) {
      if (index === winner) continue;
      assert.deepEqual(
        [errors?.[0]?.extensions["code"], errors?.[0]?.extensions["path"]],
        ["CONFLICT", "cluster.name"],
      );
      // Each API has the requests of red and of blue.
      const isOwn = index % 2 === winner % 2;
      assert.match(
        errors?.[0]?.message ?? "",
        isOwn ? / belongs to deployment \S+$/ : / belongs to another deployment$/,
      );
    }
  });
}
