// Elements of the status page. Texts are never parsed as HTML.

export const elementById = (id) => document.getElementById(id);

/** Creates an element with attributes and children. Texts are never parsed as HTML. */
export function element(name, attributes = {}, ...children) {
  const isDrawn = ["svg", "rect", "title"].includes(name);
  const made = isDrawn ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "onclick") made.addEventListener("click", value);
    else if (value !== undefined && value !== null) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== undefined && child !== null));
  return made;
}

/** Addresses of a deployment and of an operation. They can be shared: they have no token. */
export const addressOf = (kind, id) => `#${kind}=${encodeURIComponent(id)}`;
export const link = (kind, id, text) => element("a", { href: addressOf(kind, id) }, text);

/** Replaces only rows that changed, so that focus and selection stay. */
export function put(id, rows) {
  const before = elementById(id);
  const focused = document.activeElement?.dataset?.key;
  const fresh = element("div", {}, ...rows);
  if (fresh.innerHTML === before.innerHTML) return;
  before.replaceChildren(...rows);
  if (focused) before.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

export function none(id, isEmpty, text) {
  elementById(id).hidden = !isEmpty;
  elementById(id).textContent = text;
}

export const cell = (label, ...children) => element("td", { "data-label": label }, ...children);

export const CLASSES = {
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
export const state = (name, text = WORDS[name] ?? name) =>
  element("span", { class: `state ${CLASSES[name] ?? "quiet"}` }, text);

export function ago(text) {
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

export const duration = (seconds) =>
  seconds === null ? "" : seconds < 100 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds / 60)} min`;
