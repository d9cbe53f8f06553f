// The status page. It uses the public API, and follows operations by server-sent events.

import { ago, cell, CLASSES, duration, element, state } from "./elements.js";
import { difference, errorOf, fields } from "./view.js";

const endpoint = document.querySelector('meta[name="endpoint"]').content;
const REFRESH_MS = 5000;
/** A browser opens six connections to one server; the lists need two of them. */
const MOST_STREAMS = 4;
const PAGE = 50;
const LINES = 40;

const at = (id) => document.getElementById(id);
const session = { token: "", tenant: "", ...JSON.parse(sessionStorage.getItem("session") ?? "{}") };
const shown = { filter: "", state: "", health: "", drifted: "", first: PAGE, all: false, mayChange: false };
const streams = new Map();
let timer;

// ---- the API -------------------------------------------------------------------------------------------------------

class Refused extends Error {
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

const headers = () => ({
  "content-type": "application/json",
  ...(session.token && { authorization: `Bearer ${session.token}` }),
  ...(session.tenant && { tenant: session.tenant }),
});

async function ask(query, variables) {
  const body = JSON.stringify({ query, variables });
  const response = await fetch(endpoint, { method: "POST", headers: headers(), body });
  const { data, errors } = await response.json();
  if (!errors?.length) return data;
  const [{ message, extensions }] = errors;
  throw new Refused([message, extensions?.advice].filter(Boolean).join("; "), extensions?.code);
}

/** Calls `hear` for each event of an operation; resolves when the stream ends. */
async function follow(id, after, hear, signal) {
  const query = "subscription ($id: ID!, $after: ID) { operationEvents(id: $id, after: $after) { id kind text at } }";
  const body = JSON.stringify({ query, variables: { id, after } });
  const accept = { ...headers(), accept: "text/event-stream" };
  const response = await fetch(endpoint, { method: "POST", headers: accept, body, signal });
  if (!response.ok || !response.headers.get("content-type")?.startsWith("text/event-stream")) return;
  let rest = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + chunk).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const text = part.match(/^data: ?(.*)$/m)?.[1];
      const event = text && JSON.parse(text).data?.operationEvents;
      if (event) hear(event);
    }
  }
}

/** Replaces only rows that changed, so that focus and selection stay. */
function put(id, rows) {
  const before = at(id);
  const focused = document.activeElement?.dataset?.key;
  const fresh = element("div", {}, ...rows);
  if (fresh.innerHTML === before.innerHTML) return;
  before.replaceChildren(...rows);
  if (focused) before.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

function none(id, isEmpty, text) {
  at(id).hidden = !isEmpty;
  at(id).textContent = text;
}

// ---- deployments ---------------------------------------------------------------------------------------------------

const OPERATION =
  "id kind state stage message durationSeconds requestedBy requestedAt error { reason advice } deploymentId";

/** Status of a deployment: what its operation does, else its state. */
function statusOf({ desiredState, runtime, currentOperation, lastOperation }) {
  if (currentOperation) {
    const { state: said, kind, stage } = currentOperation;
    return element(
      "span",
      {},
      state(said),
      element("span", { class: "quiet" }, ` ${[kind, stage].filter(Boolean).join(": ")}`),
    );
  }
  if (lastOperation?.state === "failed") return state("failed");
  return state(desiredState === "absent" ? "absent" : (runtime?.state ?? desiredState));
}

/** Health and drift of a deployment. Without a check it is not called healthy. */
function healthOf({ desiredState, runtime, health, drift }) {
  const isRunning = runtime && (runtime.state ?? desiredState) === "running" && desiredState !== "absent";
  const said = isRunning ? state(health?.state ?? "not checked") : "";
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
  ...(wanted && { desiredState: [wanted] }),
  ...(health && { health: [health] }),
  ...(drifted && { drifted: drifted === "true" }),
});

/** Addresses of a deployment and of an operation. They can be shared: they have no token. */
const addressOf = (kind, id) => `#${kind}=${encodeURIComponent(id)}`;
const link = (kind, id, text) => element("a", { href: addressOf(kind, id) }, text);

async function deployments() {
  const { deployments: found } = await ask(
    `query ($filter: DeploymentFilter, $first: Int) { deployments(filter: $filter, first: $first) { totalCount pageInfo { hasNextPage } nodes {
      id stack tenant desiredState desiredConfig provisioner updatedAt runtime { host state } health { state reason } drift { changes { action } } currentOperation { state kind stage } lastOperation { state } } } }`,
    { filter: filterOf(shown), first: shown.first },
  );
  const rows = found.nodes.map((each) =>
    element(
      "tr",
      {},
      cell(
        "Id",
        link("deployment", shown.all ? each.stack : each.id, each.id),
        shown.all ? element("span", { class: "quiet" }, ` ${each.tenant}`) : "",
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
            // Tenants may use the same id, so across all tenants the stack identifies a deployment.
            onclick: () => (location.hash = addressOf("deployment", shown.all ? each.stack : each.id)),
          },
          "Details",
        ),
      ),
    ),
  );
  put("deployments-rows", rows);
  at("deployments-count").textContent = String(found.totalCount);
  at("more").hidden = !found.pageInfo.hasNextPage;
  const isFiltered = Object.keys(filterOf(shown)).length > 0;
  none("deployments-none", rows.length === 0, isFiltered ? "None matches the filters." : "There are none yet.");
}

// ---- operations ----------------------------------------------------------------------------------------------------

const stageText = ({ name, state: said, durationSeconds }) =>
  element("li", {}, state(said), ` ${name}`, durationSeconds === null ? "" : ` ${duration(durationSeconds)}`);

function runningRow(operation) {
  const { id, deploymentId, kind, state: said, message, stages, durationSeconds } = operation;
  const lines = streams.get(id)?.lines ?? [];
  return element(
    "div",
    { class: "operation" },
    element("strong", {}, deploymentId),
    " ",
    link("operation", id, kind),
    " ",
    state(said),
    durationSeconds === null ? "" : ` ${duration(durationSeconds)} `,
    message ? element("span", { class: "quiet" }, ` ${message}`) : "",
    element("ul", { class: "stages", "aria-label": `Stages of ${kind} of ${deploymentId}` }, ...stages.map(stageText)),
    lines.length > 0
      ? element(
          "pre",
          { class: "events", tabindex: "0", "aria-label": `Progress of ${deploymentId}`, id: `events-${id}` },
          lines.join("\n"),
        )
      : undefined,
  );
}

async function operations() {
  const { running, history } = await ask(
    `{ running: operations(filter: { state: [pending, in_progress] }, first: 20) { totalCount nodes { ${OPERATION} stages { name state durationSeconds } } }
       history: operations(filter: { state: [succeeded, failed, canceled, replaced] }, first: 25) { nodes { ${OPERATION} } } }`,
  );
  const ids = new Set(running.nodes.map(({ id }) => id));
  for (const [id, { end }] of streams) if (!ids.has(id)) end();
  for (const { id, state: said } of running.nodes) if (said === "in_progress" && streams.size < MOST_STREAMS) watch(id);
  put("running-rows", running.nodes.map(runningRow));
  for (const id of ids) scroll(id);
  at("running-count").textContent = running.totalCount ? String(running.totalCount) : "";
  none("running-none", running.nodes.length === 0, "Nothing is in progress.");
  put("history-rows", history.nodes.map(historyRow));
  put("durations", history.nodes.length > 1 ? [durations(history.nodes)] : []);
  none("history-none", history.nodes.length === 0, "There are no operations yet.");
}

function historyRow(operation) {
  const { id, deploymentId, kind, state: said, durationSeconds, requestedBy, requestedAt, message, error } = operation;
  return element(
    "tr",
    {},
    cell("Deployment", deploymentId),
    cell("Operation", link("operation", id, kind)),
    cell("Status", state(said)),
    element("td", { "data-label": "Duration", class: "number" }, duration(durationSeconds)),
    cell("Requested by", requestedBy),
    cell("Requested", ago(requestedAt)),
    cell("Message", error ? errorOf(error) : message),
  );
}

/** Durations of the last operations, newest on the right. */
function durations(nodes) {
  const longest = Math.max(...nodes.map(({ durationSeconds }) => durationSeconds ?? 0), 0.1);
  const bars = nodes.toReversed().map(({ durationSeconds, state: said, deploymentId, kind }, index) => {
    const height = Math.max(1, ((durationSeconds ?? 0) / longest) * 36);
    const place = { x: index * 10, y: 38 - height, width: 8, height };
    const what = `${kind} of ${deploymentId}: ${said}, ${duration(durationSeconds)}`;
    return element("rect", { class: CLASSES[said] ?? "quiet", ...place }, element("title", {}, what));
  });
  const label = `Durations of the last ${nodes.length} operations, up to ${duration(longest)}`;
  return element(
    "svg",
    { viewBox: "0 0 250 40", height: 60, preserveAspectRatio: "xMinYMax meet", role: "img", "aria-label": label },
    ...bars,
  );
}

function watch(id) {
  if (streams.has(id)) return;
  const gone = new AbortController();
  const stream = { lines: [], end: () => (gone.abort(), streams.delete(id)) };
  streams.set(id, stream);
  const hear = ({ text }) => {
    stream.lines = [...stream.lines, text].slice(-LINES);
    const lines = at(`events-${id}`);
    if (!lines) return soon();
    lines.textContent = stream.lines.join("\n");
    scroll(id);
  };
  follow(id, undefined, hear, gone.signal)
    .catch(() => undefined)
    .finally(() => (streams.delete(id), soon()));
}

function scroll(id) {
  const lines = at(`events-${id}`);
  if (lines && document.activeElement !== lines) lines.scrollTop = lines.scrollHeight;
}

// ---- capacity ------------------------------------------------------------------------------------------------------

function chart({ name, type, isDefault, slotsUsed, slotsTotal, runtimes, warnings }) {
  const head = element("h3", {}, name, element("span", { class: "quiet" }, ` ${type}${isDefault ? ", default" : ""}`));
  const many = `${runtimes} ${runtimes === 1 ? "runtime" : "runtimes"}`;
  if (slotsTotal === null)
    return element("div", {}, head, element("p", {}, `${many}, ${slotsUsed} slots; no fixed number`));
  const share = slotsTotal === 0 ? 0 : slotsUsed / slotsTotal;
  const text = `${slotsUsed} of ${slotsTotal} slots used, ${slotsTotal - slotsUsed} free; ${many}`;
  return element(
    "div",
    {},
    head,
    element(
      "svg",
      { viewBox: "0 0 200 12", preserveAspectRatio: "none", height: 14, role: "img", "aria-label": `${name}: ${text}` },
      element("rect", { class: "free", width: 200, height: 12, rx: 2 }),
      element("rect", {
        class: share >= 0.8 ? "bad" : share >= 0.7 ? "busy" : "used",
        width: 200 * Math.min(1, share),
        height: 12,
        rx: 2,
      }),
    ),
    element("p", {}, text),
    ...warnings.map((warning) => element("p", { class: "bad" }, warning)),
  );
}

async function provisioners() {
  const { provisioners: set } = await ask(
    "{ provisioners { name type isDefault slotsUsed slotsTotal runtimes warnings } }",
  );
  put("provisioners-rows", set.map(chart));
  none("provisioners-none", set.length === 0, "The platform has no provisioners.");
}

// ---- notices -------------------------------------------------------------------------------------------------------

async function notices() {
  const { notices: found } = await ask("{ notices(first: 10) { nodes { id at kind level subject text } } }");
  const rows = found.nodes.map(({ at: when, kind, level, subject, text }) =>
    element(
      "li",
      {},
      state(level),
      element("strong", {}, ` ${subject}`),
      ` ${kind}: ${text} `,
      element("span", { class: "quiet" }, ago(when)),
    ),
  );
  put("notices-rows", rows);
  none("notices-none", rows.length === 0, "The service has noticed nothing.");
}

// ---- one deployment ------------------------------------------------------------------------------------------------

function openDialog(title) {
  at("details-title").textContent = title;
  at("details-body").replaceChildren(element("p", { class: "none" }, "loading …"));
  if (!at("details").open) at("details").showModal();
}

async function details(id) {
  openDialog(id);
  try {
    const { deployment } = await ask(
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
    at("details-body").replaceChildren(
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
      ...past.nodes.map((operation) =>
        element(
          "div",
          { class: "operation" },
          link("operation", operation.id, operation.kind),
          " ",
          state(operation.state),
          ` ${duration(operation.durationSeconds)} `,
          ago(operation.requestedAt),
          operation.error ? errorOf(operation.error) : element("div", { class: "quiet" }, operation.message ?? ""),
          element("ul", { class: "stages" }, ...operation.stages.map(stageText)),
        ),
      ),
    );
  } catch (error) {
    at("details-body").replaceChildren(element("p", { class: "notice" }, error.message));
  }
}

// ---- one operation -------------------------------------------------------------------------------------------------

const MOST_EVENTS = 500;

async function operationDetails(id) {
  openDialog("Operation");
  try {
    const { operation } = await ask(
      `query ($id: ID!) { operation(id: $id) { ${OPERATION} change stages { name state durationSeconds error { reason advice } } } }`,
      { id },
    );
    if (!operation) throw new Refused("It is gone.");
    const { kind, deploymentId, state: said, message, error, change, stages } = operation;
    at("details-title").textContent = `${kind} of ${deploymentId}`;
    const events = element("pre", { class: "events", tabindex: "0", "aria-label": "Events" });
    at("details-body").replaceChildren(
      element(
        "p",
        {},
        state(said),
        ` ${duration(operation.durationSeconds)} by ${operation.requestedBy} `,
        ago(operation.requestedAt),
        " ",
        link("deployment", deploymentId, "deployment"),
      ),
      actionsOf(operation),
      error ? errorOf(error) : element("p", { class: "quiet" }, message ?? ""),
      element("h3", {}, "Request"),
      fields(change?.deployment, "no change of the request"),
      element("h3", {}, "Stages"),
      element("ul", { class: "stages" }, ...stages.map(stageText)),
      element("h3", {}, "Events"),
      events,
    );
    await eventsOf(id, events);
  } catch (error) {
    at("details-body").replaceChildren(element("p", { class: "notice" }, error.message));
  }
}

/** Shows the events of an operation, and new ones as long as it is shown. */
async function eventsOf(id, place) {
  const gone = new AbortController();
  at("details").addEventListener("close", () => gone.abort(), { once: true });
  const lines = [];
  const hear = ({ text }) => {
    lines.push(text);
    place.textContent = lines.slice(-MOST_EVENTS).join("\n");
    if (!place.isConnected) gone.abort();
  };
  await follow(id, undefined, hear, gone.signal).catch(() => undefined);
  if (lines.length === 0) place.textContent = "none";
}

/** Buttons for what the caller may do about an operation. Each asks first. */
function actionsOf({ id, state: said, kind, deploymentId }) {
  const button = (title, mutation, question) =>
    element("button", { type: "button", onclick: () => void act(id, mutation, question) }, title);
  if (!shown.mayChange) return element("p", {});
  if (said === "failed" || said === "canceled")
    return element("p", {}, button("Retry", "retryOperation", `Retry the ${kind} of ${deploymentId}?`));
  if (said === "pending" || said === "in_progress")
    return element("p", {}, button("Cancel", "cancelOperation", `Cancel the ${kind} of ${deploymentId}?`));
  return element("p", {});
}

async function act(id, mutation, question) {
  if (!confirm(question)) return;
  try {
    const answer = await ask(
      `mutation ($id: ID!, $key: String) { ${mutation}(id: $id, idempotencyKey: $key) { operation { id } } }`,
      { id, key: crypto.randomUUID() },
    );
    const next = addressOf("operation", answer[mutation].operation.id);
    if (location.hash === next) await operationDetails(id);
    else location.hash = next;
    soon();
  } catch (error) {
    at("details-body").prepend(element("p", { class: "notice", role: "alert" }, error.message));
  }
}

const checked = (otherwise, found) => found ?? [element("span", { class: "quiet" }, otherwise)];

function driftText({ changes, error }) {
  if (error) return `could not be checked: ${error}`;
  if (changes.length === 0) return "none";
  return changes.map(({ action, type, name }) => `${action} ${type.split(":").at(-1)} ${name}`).join(", ");
}

async function planOf(id) {
  at("plan").replaceChildren(element("p", { class: "none" }, "an engine looks …"));
  try {
    const { plan } = await ask(
      "query ($id: ID!) { plan(id: $id) { notes changes { action type name properties { path before after } } } }",
      { id },
    );
    at("plan").replaceChildren(difference(plan));
  } catch (error) {
    at("plan").replaceChildren(element("p", { class: "notice" }, error.message));
  }
}

// ---- page ----------------------------------------------------------------------------------------------------------

function notice(text) {
  at("notice").hidden = !text;
  at("notice").textContent = text ?? "";
}

function signIn(isWanted) {
  at("login").hidden = !isWanted;
  at("main").hidden = isWanted;
  at("change").hidden = isWanted || !session.token;
  if (isWanted) at("who").textContent = "not signed in";
}

async function refresh() {
  clearTimeout(timer);
  try {
    const { me } = await ask("{ me { actor tenant role } }");
    signIn(false);
    const isFirst = at("who").dataset.known === undefined;
    at("who").dataset.known = "yes";
    shown.all = me.tenant === "*";
    // A change is for one tenant.
    shown.mayChange = me.role !== "viewer" && !shown.all;
    if (isFirst) route();
    at("who").textContent = `${me.actor}, ${me.role} in ${me.tenant === "*" ? "all tenants" : me.tenant}`;
    const parts = await Promise.allSettled([deployments(), operations(), provisioners(), notices()]);
    notice(parts.find(({ status }) => status === "rejected")?.reason.message);
  } catch (error) {
    const isStranger = error.code === "UNAUTHENTICATED" || error.code === "FORBIDDEN";
    if (isStranger) signIn(true);
    // A new visitor has no token yet, which is not an error to show.
    notice(isStranger && !session.token ? undefined : error.message);
    if (isStranger) return;
  }
  // A hidden page does not poll.
  if (!document.hidden) timer = setTimeout(() => void refresh(), REFRESH_MS);
}

function soon() {
  clearTimeout(timer);
  timer = setTimeout(() => void refresh(), 200);
}

function remember(token, tenant) {
  Object.assign(session, { token, tenant });
  sessionStorage.setItem("session", JSON.stringify(session));
}

/** Shows what the address names. */
function route() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  if (wanted.has("deployment")) void details(wanted.get("deployment"));
  else if (wanted.has("operation")) void operationDetails(wanted.get("operation"));
  else if (at("details").open) at("details").close();
}

const given = new URLSearchParams(location.hash.slice(1));
if (given.has("token")) {
  remember(given.get("token"), given.get("tenant") ?? "");
  // A token must not stay in the history or in a shared address.
  given.delete("token");
  given.delete("tenant");
  history.replaceState(null, "", `${location.pathname}${given.size > 0 ? `#${given}` : ""}`);
}
at("login").addEventListener("submit", (event) => {
  event.preventDefault();
  const form = new FormData(event.target);
  remember(String(form.get("token")).trim(), String(form.get("tenant")).trim());
  void refresh();
});
at("change").addEventListener("click", () => {
  for (const { end } of streams.values()) end();
  clearTimeout(timer);
  remember("", "");
  signIn(true);
});
at("filter").addEventListener("input", ({ target }) => {
  shown.filter = target.value.trim();
  soon();
});
for (const name of ["state", "health", "drifted"])
  at(`filter-${name}`).addEventListener("change", ({ target }) => {
    shown[name] = target.value;
    soon();
  });
at("more").addEventListener("click", () => {
  shown.first = Math.min(500, shown.first + PAGE);
  soon();
});
at("close").addEventListener("click", () => at("details").close());
at("details").addEventListener("close", () => {
  if (/^#(?:deployment|operation)=/.test(location.hash)) history.pushState(null, "", location.pathname);
});
addEventListener("hashchange", route);
document.addEventListener("visibilitychange", () => !document.hidden && soon());
void refresh();
