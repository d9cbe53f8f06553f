// The status page. It uses the public API, and follows operations by server-sent events.

const endpoint = document.querySelector('meta[name="endpoint"]').content;
const REFRESH_MS = 5000;
/** A browser opens six connections to one server; the lists need two of them. */
const MOST_STREAMS = 4;
const PAGE = 50;
const LINES = 40;

const at = (id) => document.getElementById(id);
const session = { token: "", tenant: "", ...JSON.parse(sessionStorage.getItem("session") ?? "{}") };
const shown = { filter: "", first: PAGE, all: false };
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

// ---- elements ------------------------------------------------------------------------------------------------------

/** Creates an element with attributes and children. Texts are never parsed as HTML. */
function element(name, attributes = {}, ...children) {
  const isDrawn = ["svg", "rect", "title"].includes(name);
  const made = isDrawn ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "onclick") made.addEventListener("click", value);
    else if (value !== undefined && value !== null) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== undefined && child !== null));
  return made;
}

const cell = (label, ...children) => element("td", { "data-label": label }, ...children);

const CLASSES = {
  running: "good",
  healthy: "good",
  unhealthy: "bad",
  warning: "bad",
  succeeded: "good",
  failed: "bad",
  in_progress: "busy",
  pending: "quiet",
};
const WORDS = { in_progress: "in progress" };
const state = (name) => element("span", { class: `state ${CLASSES[name] ?? "quiet"}` }, WORDS[name] ?? name);

function ago(text) {
  if (!text) return "";
  const seconds = Math.max(0, (Date.now() - Date.parse(text)) / 1000);
  const [amount, unit] =
    seconds < 90
      ? [seconds, "s"]
      : seconds < 5400
        ? [seconds / 60, "min"]
        : seconds < 129600
          ? [seconds / 3600, "h"]
          : [seconds / 86400, "d"];
  return element(
    "time",
    { datetime: text, title: new Date(text).toLocaleString() },
    `${Math.round(amount)} ${unit} ago`,
  );
}

const duration = (seconds) =>
  seconds === null ? "" : seconds < 100 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds / 60)} min`;

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

async function deployments() {
  const { deployments: found } = await ask(
    `query ($filter: DeploymentFilter, $first: Int) { deployments(filter: $filter, first: $first) { totalCount pageInfo { hasNextPage } nodes {
      id stack tenant desiredState desiredConfig provisioner updatedAt runtime { host state } health { state reason } drift { changes { action } } currentOperation { state kind stage } lastOperation { state } } } }`,
    { filter: shown.filter ? { id: shown.filter } : {}, first: shown.first },
  );
  const rows = found.nodes.map((each) =>
    element(
      "tr",
      {},
      cell("Id", each.id, shown.all ? element("span", { class: "quiet" }, ` ${each.tenant}`) : ""),
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
            onclick: () => void details(shown.all ? each.stack : each.id),
          },
          "Details",
        ),
      ),
    ),
  );
  put("deployments-rows", rows);
  at("deployments-count").textContent = String(found.totalCount);
  at("more").hidden = !found.pageInfo.hasNextPage;
  none("deployments-none", rows.length === 0, shown.filter ? "None has this in its id." : "There are none yet.");
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
    ` ${kind} `,
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
       history: operations(filter: { state: [succeeded, failed, canceled] }, first: 25) { nodes { ${OPERATION} } } }`,
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
  const { deploymentId, kind, state: said, durationSeconds, requestedBy, requestedAt, message, error } = operation;
  return element(
    "tr",
    {},
    cell("Deployment", deploymentId),
    cell("Operation", kind),
    cell("Status", state(said)),
    element("td", { "data-label": "Duration", class: "number" }, duration(durationSeconds)),
    cell("Requested by", requestedBy),
    cell("Requested", ago(requestedAt)),
    cell("Message", [error?.reason ?? message, error?.advice].filter(Boolean).join("; ")),
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

async function details(id) {
  at("details-title").textContent = id;
  at("details-body").replaceChildren(element("p", { class: "none" }, "loading …"));
  at("details").showModal();
  try {
    const { deployment } = await ask(
      `query ($id: ID!) { deployment(id: $id) { id tenant revision desiredState protected desiredConfig provisioner createdAt
        health { state reason checkedAt } drift { checkedAt error changes { action type name } }
        runtime { host audienceUrl cpu memoryGb storageBytes dataDir state }
        operations(first: 10) { nodes { ${OPERATION} stages { name state durationSeconds } } } } }`,
      { id },
    );
    if (!deployment) throw new Refused("It is gone.");
    const { runtime, operations: past, desiredConfig, revision, protected: isProtected, health, drift } = deployment;
    const plan = element("button", { type: "button", onclick: () => void planOf(id) }, "Show the plan");
    at("details-body").replaceChildren(
      element("p", { class: "quiet" }, `revision ${revision}${isProtected ? ", protected" : ""}`),
      element("h3", {}, "What it is asked for"),
      element("pre", {}, JSON.stringify(desiredConfig?.deployment ?? {}, null, 2)),
      element("h3", {}, "What it has"),
      element("pre", {}, runtime ? JSON.stringify(runtime, null, 2) : "nothing yet"),
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
          element("strong", {}, operation.kind),
          " ",
          state(operation.state),
          ` ${duration(operation.durationSeconds)} `,
          ago(operation.requestedAt),
          element("div", { class: "quiet" }, operation.error?.reason ?? operation.message ?? ""),
          element("ul", { class: "stages" }, ...operation.stages.map(stageText)),
        ),
      ),
    );
  } catch (error) {
    at("details-body").replaceChildren(element("p", { class: "notice" }, error.message));
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
    const lines = plan.changes.flatMap(({ action, type, name, properties }) => [
      `${action} ${type.split(":").at(-1)} ${name}`,
      ...properties.map(
        ({ path, before, after }) => `    ${path}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`,
      ),
    ]);
    at("plan").replaceChildren(
      element("pre", {}, [...(lines.length > 0 ? lines : ["nothing to do"]), ...plan.notes].join("\n")),
    );
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
    shown.all = me.tenant === "*";
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

const given = new URLSearchParams(location.hash.slice(1));
if (given.has("token")) {
  remember(given.get("token"), given.get("tenant") ?? "");
  // A token must not stay in the history or in a shared address.
  history.replaceState(null, "", location.pathname);
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
at("more").addEventListener("click", () => {
  shown.first = Math.min(500, shown.first + PAGE);
  soon();
});
at("close").addEventListener("click", () => at("details").close());
document.addEventListener("visibilitychange", () => !document.hidden && soon());
void refresh();
