// The status page. It uses the public API, and follows operations by server-sent events.

import { queryApi, remember, session } from "./api.js";
import { listDeploymentRows } from "./deployments.js";
import { caller, details, operationDetails } from "./details.js";
import { ago, elementById, element, link, none, put, state } from "./elements.js";
import { endStreams, operations } from "./operations.js";

const REFRESH_MS = 5000;
const PAGE = 50;

/** What the lists of deployments and of past operations show. */
const shown = { filter: "", state: "", health: "", drifted: "", first: PAGE, history: "" };
let timer;

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
  const { provisioners: set } = await queryApi(
    "{ provisioners { name type isDefault slotsUsed slotsTotal runtimes warnings } }",
  );
  put("provisioners-rows", set.map(chart));
  none("provisioners-none", set.length === 0, "The platform has no provisioners.");
}

// ---- notices -------------------------------------------------------------------------------------------------------

/** Provisioners have a platform before their name. Across all tenants the id does not identify a deployment. */
const isDeployment = (subject) => !caller.ofAll && !subject.includes("/");

async function notices() {
  const { notices: found } = await queryApi("{ notices(first: 10) { nodes { id at kind level subject text } } }");
  const rows = found.nodes.map(({ at: when, kind, level, subject, text }) =>
    element(
      "li",
      {},
      state(level),
      " ",
      element("strong", {}, isDeployment(subject) ? link("deployment", subject, subject) : subject),
      ` ${kind}: ${text} `,
      element("span", { class: "quiet" }, ago(when)),
    ),
  );
  put("notices-rows", rows);
  none("notices-none", rows.length === 0, "The service has noticed nothing.");
}

// ---- page ----------------------------------------------------------------------------------------------------------

function notice(text) {
  elementById("notice").hidden = !text;
  elementById("notice").textContent = text ?? "";
}

function signIn(isWanted) {
  elementById("login").hidden = !isWanted;
  elementById("main").hidden = isWanted;
  elementById("change").hidden = isWanted || !session.token;
  if (isWanted) elementById("who").textContent = "not signed in";
}

async function refresh() {
  clearTimeout(timer);
  try {
    const { me } = await queryApi("{ me { actor tenant role } }");
    signIn(false);
    const isFirst = elementById("who").dataset.known === undefined;
    elementById("who").dataset.known = "yes";
    caller.ofAll = me.tenant === "*";
    // A change is for one tenant.
    caller.mayChange = me.role !== "viewer" && !caller.ofAll;
    if (isFirst) route();
    elementById("who").textContent = `${me.actor}, ${me.role} in ${caller.ofAll ? "all tenants" : me.tenant}`;
    const parts = await Promise.allSettled([
      listDeploymentRows(shown),
      operations(shown.history),
      provisioners(),
      notices(),
    ]);
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

/** Shows what the address names. */
function route() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  if (wanted.has("deployment")) void details(wanted.get("deployment"));
  else if (wanted.has("operation")) void operationDetails(wanted.get("operation"));
  else if (elementById("details").open) elementById("details").close();
}

const given = new URLSearchParams(location.hash.slice(1));
if (given.has("token")) {
  remember(given.get("token"), given.get("tenant") ?? "");
  // A token must not stay in the history or in a shared address.
  given.delete("token");
  given.delete("tenant");
  history.replaceState(null, "", `${location.pathname}${given.size > 0 ? `#${given}` : ""}`);
}
elementById("login").addEventListener("submit", (event) => {
  event.preventDefault();
  const form = new FormData(event.target);
  remember(String(form.get("token")).trim(), String(form.get("tenant")).trim());
  void refresh();
});
elementById("change").addEventListener("click", () => {
  endStreams();
  clearTimeout(timer);
  remember("", "");
  signIn(true);
});
elementById("filter").addEventListener("input", ({ target }) => {
  shown.filter = target.value.trim();
  soon();
});
for (const name of ["state", "health", "drifted", "history"])
  elementById(`filter-${name}`).addEventListener("change", ({ target }) => {
    shown[name] = target.value;
    soon();
  });
elementById("more").addEventListener("click", () => {
  shown.first = Math.min(500, shown.first + PAGE);
  soon();
});
elementById("close").addEventListener("click", () => elementById("details").close());
elementById("details").addEventListener("close", () => {
  // The event may come after a click that leads elsewhere, and opens it again.
  const { open, dataset } = elementById("details");
  if (!open && location.hash === dataset.address) history.pushState(null, "", location.pathname);
});
addEventListener("hashchange", route);
addEventListener("changed", soon);
document.addEventListener("visibilitychange", () => !document.hidden && soon());
void refresh();
