import { createServer, type Server } from "node:http";

interface PodCost {
  readonly namespace: string;
  readonly pod: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly totalCost: number;
}

/**
 * The API of OpenCost 1.120, as `ComputeAllocationHandler` of `pkg/costmodel` responds for `aggregate=namespace,pod`: labels only if
 * they are asked for, and a window that it can parse. `asked` receives what was requested.
 */
export function openCost(costs: readonly PodCost[], asked: string[]): Server {
  return createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://opencost");
    asked.push(`${request.method} ${request.url}`);
    if (pathname !== "/allocation/compute") return response.writeHead(404).end("404 page not found");
    if (!/^\d+[mhd]$/.test(searchParams.get("window") ?? ""))
      return response.writeHead(400).end("Invalid 'window' parameter");
    const hasLabels = searchParams.get("includeAggregatedMetadata") === "true";
    const set = costs.map(({ namespace, pod, labels, totalCost }) => {
      const name = `${namespace}/${pod}`;
      return [name, { name, properties: { namespace, pod, ...(hasLabels && { labels }) }, totalCost }];
    });
    return response.end(JSON.stringify({ code: 200, status: "success", data: [Object.fromEntries(set)] }));
  });
}
