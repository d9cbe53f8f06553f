// Operations of the status page: those in progress with what their engines report, and the last ones.

import { queryApi, followEvents, OPERATION } from "./api.js";
import { changed, deploymentLink, stageText } from "./details.js";
import { ago, elementById, cell, CLASSES, duration, element, link, none, put, state } from "./elements.js";

/** A browser opens six connections to one server; the lists need two of them. */
const MOST_STREAMS = 4;
const LINES = 40;
const ENDED = ["succeeded", "failed", "canceled", "replaced"];
const streams = new Map();

export function endStreams() {
  for (const { end } of streams.values()) end();
}

function runningRow(operation) {
  const { id, deploymentId, kind, state: said, message, stages, durationSeconds } = operation;
  const lines = streams.get(id)?.lines ?? [];
  return element(
    "div",
    { class: "operation" },
    deploymentLink(operation, element("strong", {}, deploymentId)),
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

/** Shows what is in progress, and the last operations of a state, or of every one. */
export async function operations(wanted) {
  const { running, history } = await queryApi(
    `query ($ended: [OperationProgress!]) { running: operations(filter: { state: [pending, in_progress] }, first: 20) { totalCount nodes { ${OPERATION} stages { name state durationSeconds } } }
       history: operations(filter: { state: $ended }, first: 25) { nodes { ${OPERATION} } } }`,
    { ended: wanted ? [wanted] : ENDED },
  );
  const ids = new Set(running.nodes.map(({ id }) => id));
  for (const [id, { end }] of streams) if (!ids.has(id)) end();
  for (const { id, state: said } of running.nodes) if (said === "in_progress" && streams.size < MOST_STREAMS) watch(id);
  put("running-rows", running.nodes.map(runningRow));
  for (const id of ids) scroll(id);
  elementById("running-count").textContent = running.totalCount ? String(running.totalCount) : "";
  none("running-none", running.nodes.length === 0, "Nothing is in progress.");
  put("history-rows", history.nodes.map(historyRow));
  put("durations", history.nodes.length > 1 ? [durations(history.nodes)] : []);
  none("history-none", history.nodes.length === 0, wanted ? "None has this state." : "There are no operations yet.");
}

function historyRow(operation) {
  const { id, deploymentId, kind, state: said, durationSeconds, requestedBy, requestedAt, message, error } = operation;
  return element(
    "tr",
    {},
    cell("Deployment", deploymentLink(operation)),
    cell("Operation", link("operation", id, kind)),
    cell("Status", state(said)),
    element("td", { "data-label": "Duration", class: "number" }, duration(durationSeconds)),
    cell("Requested by", requestedBy),
    cell("Requested", ago(requestedAt)),
    cell("Message", summaryOf(error?.reason ?? message ?? "")),
  );
}

/** The operation itself has the whole of a long error. A first line that announces others ends with a colon. */
function summaryOf(text) {
  const [first = "", second = ""] = text.split("\n");
  return first.endsWith(":") ? `${first} ${second.replace(/^[\s\-*•]+/, "")}` : first;
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
    const lines = elementById(`events-${id}`);
    if (!lines) return changed();
    lines.textContent = stream.lines.join("\n");
    scroll(id);
  };
  followEvents(id, undefined, hear, gone.signal)
    .catch(() => undefined)
    .finally(() => (streams.delete(id), changed()));
}

function scroll(id) {
  const lines = elementById(`events-${id}`);
  if (lines && document.activeElement !== lines) lines.scrollTop = lines.scrollHeight;
}
