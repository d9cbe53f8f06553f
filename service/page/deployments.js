// The list of deployments of the status page.

import { queryApi } from "./api.js";
import { caller, keyOf } from "./details.js";
import { addressOf, ago, elementById, cell, element, link, none, put, state } from "./elements.js";

/** The state of an operation, which leads to it. */
const stateOf = (id, said) => state(said, link("operation", id, said.replace("_", " ")));

/** Status of a deployment: what its operation does, else its state. */
function statusOf({ desiredState, runtime, currentOperation, lastOperation }) {
  if (currentOperation) {
    const { id, state: said, kind, stage } = currentOperation;
    return element(
      "span",
      {},
      stateOf(id, said),
      element("span", { class: "quiet" }, ` ${[kind, stage].filter(Boolean).join(": ")}`),
    );
  }
  if (lastOperation?.state === "failed") return stateOf(lastOperation.id, "failed");
  return state(desiredState === "absent" ? "absent" : (runtime?.state ?? desiredState));
}

/** Health and drift of a deployment. Without a check it is not called healthy. */
function healthOf({ desiredState, runtime, health, drift }) {
  const isRunning = (runtime?.state ?? desiredState) === "running" && desiredState !== "absent";
  const said = isRunning && (health || runtime) ? state(health?.state ?? "not checked") : "";
  const drifted = drift?.changes.length ? state("drifted") : "";
  const reason = isRunning && health?.reason ? element("span", { class: "quiet" }, ` ${health.reason}`) : "";
  return said || drifted ? element("span", {}, said, said && drifted ? " " : "", drifted, reason) : "";
}

function host(runtime) {
  if (!runtime?.host) return "";
  // A template may have produced any text; only web addresses become links.
  return /^https?:\/\//.test(runtime.host)
    ? element("a", { href: runtime.host, rel: "noreferrer" }, runtime.host)
    : runtime.host;
}

/** For a runtime that is a cluster, this is the Kubernetes version. */
const versionOf = ({ version, cluster }) =>
  version ?? (cluster?.kubernetesVersion ? `Kubernetes ${cluster.kubernetesVersion}` : "");

const filterOf = ({ filter, state: wanted, health, drifted }) => ({
  ...(filter && { id: filter }),
  ...(wanted === "failed" ? { lastOperation: [wanted] } : wanted && { desiredState: [wanted] }),
  ...(health && { health: [health] }),
  ...(drifted && { drifted: drifted === "true" }),
});

/** Shows the deployments that match the filters of `shown`. */
export async function listDeploymentRows(shown) {
  const { deployments: found } = await queryApi(
    `query ($filter: DeploymentFilter, $first: Int) { deployments(filter: $filter, first: $first) { totalCount pageInfo { hasNextPage } nodes {
      id stack tenant desiredState desiredConfig provisioner updatedAt runtime { host state } health { state reason } drift { changes { action } } currentOperation { id state kind stage } lastOperation { id state } } } }`,
    { filter: filterOf(shown), first: shown.first },
  );
  const rows = found.nodes.map((each) =>
    element(
      "tr",
      {},
      cell(
        "Id",
        link("deployment", keyOf(each), each.id),
        caller.ofAll ? element("span", { class: "quiet" }, ` ${each.tenant}`) : "",
      ),
      cell("Status", statusOf(each)),
      cell("Health", healthOf(each)),
      cell("Version", versionOf(each.desiredConfig?.deployment ?? {})),
      element("td", { "data-label": "Slots", class: "number" }, String(each.desiredConfig?.deployment?.slots ?? "")),
      cell("Provisioner", each.provisioner ?? ""),
      cell("Host", host(each.runtime)),
      cell("Updated", ago(each.updatedAt)),
      cell(
        "",
        element(
          "button",
          {
            type: "button",
            "data-key": `details ${each.stack}`,
            "aria-label": `Details of ${each.id}`,
            onclick: () => (location.hash = addressOf("deployment", keyOf(each))),
          },
          "Details",
        ),
      ),
    ),
  );
  put("deployments-rows", rows);
  elementById("deployments-count").textContent = String(found.totalCount);
  elementById("more").hidden = !found.pageInfo.hasNextPage;
  const isFiltered = Object.keys(filterOf(shown)).length > 0;
  none("deployments-none", rows.length === 0, isFiltered ? "None matches the filters." : "There are none yet.");
}
