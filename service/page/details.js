// One deployment or one operation, in the dialog of the status page.

import { queryApi, followEvents, OPERATION, Refused } from "./api.js";
import { addressOf, ago, elementById, duration, element, link, put, state } from "./elements.js";
import { difference, errorOf, fields } from "./view.js";

/** What the caller may do; the page finds out. */
export const caller = { mayChange: false, ofAll: false };

/** Tenants may use the same id, so across all tenants the stack identifies a deployment. */
export const keyOf = ({ id, stack }) => (caller.ofAll ? stack : id);

/** Leads from an operation to its deployment, which another tenant may have by now. */
export const deploymentLink = ({ deployment, deploymentId }, text = deploymentId) =>
  deployment ? link("deployment", keyOf(deployment), text) : text;

/** Asks the page to read its lists again. */
export const changed = () => dispatchEvent(new Event("changed"));

export const stageText = ({ name, state: said, durationSeconds }) =>
  element("li", {}, state(said), ` ${name}`, durationSeconds === null ? "" : ` ${duration(durationSeconds)}`);

function openDialog(title) {
  elementById("details").dataset.address = location.hash;
  elementById("details-title").textContent = title;
  elementById("details-body").replaceChildren(element("p", { class: "none" }, "loading …"));
  if (!elementById("details").open) elementById("details").showModal();
}

export async function details(id) {
  openDialog(id);
  try {
    const { deployment } = await queryApi(
      `query ($id: ID!) { deployment(id: $id) { id tenant revision desiredState protected desiredConfig provisioner createdAt
        health { state reason checkedAt } drift { checkedAt error changes { action type name } }
        runtime { host audienceUrl cpu memoryGb storageBytes dataDir state } lifetime { hibernatesAt deletesAt }
        operations(first: 10) { nodes { ${OPERATION} stages { name state durationSeconds } } } } }`,
      { id },
    );
    if (!deployment) throw new Refused("It is gone.");
    const { runtime, operations: past, desiredConfig, revision, protected: isProtected, health, drift } = deployment;
    const { hibernatesAt, deletesAt } = deployment.lifetime ?? {};
    const plan = element("button", { type: "button", onclick: () => void planOf(id) }, "Show the plan");
    elementById("details-body").replaceChildren(
      element("p", { class: "quiet" }, `revision ${revision}${isProtected ? ", protected" : ""}`),
      hibernatesAt || deletesAt
        ? element("p", {}, `Is ${hibernatesAt ? "hibernated" : "deprovisioned"} at ${hibernatesAt ?? deletesAt}.`)
        : "",
      element("h3", {}, "What it is asked for"),
      fields(desiredConfig?.deployment, "nothing"),
      element("h3", {}, "What it has"),
      fields(runtime, "nothing yet"),
      element("h3", {}, "Health"),
      element(
        "p",
        {},
        ...checked(
          "not checked yet",
          health && [state(health.state), ` ${health.reason ?? ""} `, ago(health.checkedAt)],
        ),
      ),
      element("h3", {}, "Drift"),
      element("p", {}, ...checked("not checked yet", drift && [driftText(drift), " ", ago(drift.checkedAt)])),
      element("h3", {}, "Plan"),
      element("p", { class: "quiet" }, "What applying the request again would change. Changes nothing."),
      plan,
      element("div", { id: "plan", role: "status" }),
      element("h3", {}, "Operations"),
      ...past.nodes.map((operation, index) =>
        element(
          "div",
          { class: "operation" },
          link("operation", operation.id, operation.kind),
          " ",
          state(operation.state),
          ` ${duration(operation.durationSeconds)} `,
          ago(operation.requestedAt),
          operation.error ? errorOf(operation.error) : element("div", { class: "quiet" }, operation.message ?? ""),
          // What came before is done or replaced by the newest one.
          index === 0 ? actionsOf(operation) : undefined,
          element("ul", { class: "stages" }, ...operation.stages.map(stageText)),
        ),
      ),
    );
  } catch (error) {
    elementById("details-body").replaceChildren(element("p", { class: "notice" }, error.message));
  }
}

const MOST_EVENTS = 500;
/** Pause before an operation is read again whose events have ended. */
const AGAIN_MS = 500;
/** Pause before it is read again after an event: several often come at once. */
const SOON_MS = 200;

export async function operationDetails(id) {
  openDialog("Operation");
  const events = element("pre", { class: "events", tabindex: "0", "aria-label": "Events" });
  const isShown = () => events.isConnected && elementById("details").open;
  try {
    const first = await readOperation(id);
    elementById("details-body").replaceChildren(
      element("div", { id: "operation" }),
      element("h3", {}, "Events"),
      events,
    );
    let isOver = showOperation(first);
    let timer;
    const read = async () => {
      const operation = await readOperation(id);
      if (isShown()) isOver = showOperation(operation);
    };
    await eventsOf(id, events, () => {
      clearTimeout(timer);
      timer = setTimeout(() => void read().catch(fault), SOON_MS);
    });
    if (isOver || !isShown()) return;
    // It has ended, or the connection has.
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    if (isShown()) await operationDetails(id);
  } catch (error) {
    elementById("details-body").replaceChildren(element("p", { class: "notice" }, error.message));
  }
}

async function readOperation(id) {
  const { operation } = await queryApi(
    `query ($id: ID!) { operation(id: $id) { ${OPERATION} change stages { name state durationSeconds error { reason advice } } } }`,
    { id },
  );
  if (!operation) throw new Refused("It is gone.");
  return operation;
}

/** Shows what an operation is and does now; returns whether it has ended. */
function showOperation(operation) {
  const { kind, deploymentId, state: said, message, error, change, stages } = operation;
  elementById("details-title").textContent = `${kind} of ${deploymentId}`;
  put("operation", [
    element(
      "p",
      {},
      state(said),
      ` ${duration(operation.durationSeconds)} by ${operation.requestedBy} `,
      ago(operation.requestedAt),
      " ",
      deploymentLink(operation, "deployment"),
    ),
    actionsOf(operation),
    error ? errorOf(error) : element("p", { class: "quiet" }, message ?? ""),
    element("h3", {}, "Request"),
    fields(change?.deployment, "no change of the request"),
    element("h3", {}, "Stages"),
    element("ul", { class: "stages" }, ...stages.map(stageText)),
  ]);
  return said !== "pending" && said !== "in_progress";
}

/** Shows the events of an operation, and new ones as long as it is shown. `onStep` is called when it goes on to something else. */
async function eventsOf(id, place, onStep) {
  const gone = new AbortController();
  elementById("details").addEventListener("close", () => gone.abort(), { once: true });
  const lines = [];
  const hear = ({ kind, text }) => {
    lines.push(text);
    place.textContent = lines.slice(-MOST_EVENTS).join("\n");
    if (!place.isConnected) gone.abort();
    else if (kind === "state" || kind === "stage") onStep();
  };
  await followEvents(id, undefined, hear, gone.signal).catch(() => undefined);
  if (lines.length === 0) place.textContent = "none";
}

const fault = (error) =>
  elementById("details-body").prepend(element("p", { class: "notice", role: "alert" }, error.message));

/** Buttons for what the caller may do about an operation. Each asks first. */
function actionsOf({ id, state: said, kind, deploymentId }) {
  const button = (title, mutation, question) =>
    element("button", { type: "button", "data-key": title, onclick: () => void act(id, mutation, question) }, title);
  if (!caller.mayChange) return element("p", {});
  if (said === "failed" || said === "canceled")
    return element("p", {}, button("Retry", "retryOperation", `Retry the ${kind} of ${deploymentId}?`));
  if (said === "pending" || said === "in_progress")
    return element("p", {}, button("Cancel", "cancelOperation", `Cancel the ${kind} of ${deploymentId}?`));
  return element("p", {});
}

async function act(id, mutation, question) {
  if (!confirm(question)) return;
  try {
    const answer = await queryApi(
      `mutation ($id: ID!, $key: String) { ${mutation}(id: $id, idempotencyKey: $key) { operation { id } } }`,
      { id, key: crypto.randomUUID() },
    );
    const next = addressOf("operation", answer[mutation].operation.id);
    if (location.hash === next) await operationDetails(id);
    else location.hash = next;
    changed();
  } catch (error) {
    fault(error);
  }
}

const checked = (otherwise, found) => found ?? [element("span", { class: "quiet" }, otherwise)];

function driftText({ changes, error }) {
  if (error) return `could not be checked: ${error}`;
  if (changes.length === 0) return "none";
  return changes.map(({ action, type, name }) => `${action} ${type.split(":").at(-1)} ${name}`).join(", ");
}

async function planOf(id) {
  elementById("plan").replaceChildren(element("p", { class: "none" }, "an engine looks …"));
  try {
    const { plan } = await queryApi(
      "query ($id: ID!) { plan(id: $id) { notes changes { action type name properties { path before after } } } }",
      { id },
    );
    elementById("plan").replaceChildren(difference(plan));
  } catch (error) {
    elementById("plan").replaceChildren(element("p", { class: "notice" }, error.message));
  }
}
