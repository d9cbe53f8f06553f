import { networkInterfaces } from "node:os";
import { apiError } from "../../../kubernetes/client/apiError";
import type { Client } from "../../../kubernetes/client/client";
import type { ServicePort } from "../../../kubernetes/client/options";

/** The first address of this machine that others can reach; an API server reaches no endpoint on the loopback interface. */
export function addressOfMachine(): string | undefined {
  const all = Object.values(networkInterfaces()).flat();
  return all.find((each) => each?.family === "IPv4" && !each.internal)?.address;
}

/** Puts a program of this machine behind a Service of the cluster, so that the API server's proxy reaches it. */
export async function behindService(
  client: Client,
  service: ServicePort,
  address: string,
  port: number,
): Promise<void> {
  const { namespace, name } = service;
  const apply = (object: object) => client.apply({ metadata: { namespace, name }, ...object } as never);
  await apply({ apiVersion: "v1", kind: "Service", spec: { ports: [{ name: "http", port: service.port }] } });
  // The proxy goes to pods only, so a pod that nobody runs has the address of this machine.
  const spec = { schedulerName: "nobody", containers: [{ name: "program", image: "example/program:1" }] };
  await apply({ apiVersion: "v1", kind: "Pod", spec });
  await giveAddress(client, namespace, name, address);
  const targetRef = { kind: "Pod", namespace, name };
  const subset = { addresses: [{ ip: address, targetRef }], ports: [{ name: "http", port }] };
  await apply({ apiVersion: "v1", kind: "Endpoints", subsets: [subset] });
}

/** Makes a pod answer at an address of this machine. */
export async function giveAddress(client: Client, namespace: string, pod: string, address: string): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/pods/${pod}/status`;
  const body = JSON.stringify({ status: { podIP: address, podIPs: [{ ip: address }] } });
  const contentType = "application/merge-patch+json";
  const answer = await client.connection.send({ method: "PATCH", path, body, contentType, timeoutMs: 10_000 });
  if (answer.status !== 200) throw apiError(`give ${pod} an address`, answer.status, answer.body);
}
