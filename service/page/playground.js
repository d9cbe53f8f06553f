/* Starts the playground with the token of the status page, or asks for one: the API shows its schema to callers only. */

function startPlayground(render, root, options) {
  const form = document.getElementById("login");
  const begin = async (session) => {
    const fault = await start(session).catch(({ message }) => message);
    document.getElementById("fault").textContent = fault ?? "";
    form.hidden = fault === undefined;
  };
  const start = async ({ token, tenant }) => {
    // A header has no other characters; fetch refuses them.
    if (/[^\x21-\x7e]/.test(token + tenant)) return "Expected letters, digits and signs of ASCII.";
    const headers = { authorization: `Bearer ${token}`, ...(tenant && { tenant }) };
    // A token may have expired since it was given. The editor can't ask for another one.
    const me = { query: "{ me { actor } }" };
    const all = { ...headers, "content-type": "application/json" };
    const answer = await fetch(options.endpoint, { method: "POST", headers: all, body: JSON.stringify(me) });
    const { errors } = await answer.json();
    if (errors) return errors[0].message;
    sessionStorage.setItem("session", JSON.stringify({ token, tenant }));
    const shown = JSON.stringify(headers, null, 2);
    // The editor would keep the headers beyond the tab.
    render(root, { ...options, headers: shown, initialHeaders: shown, shouldPersistHeaders: false });
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = new FormData(form);
    void begin({ token: String(given.get("token")).trim(), tenant: String(given.get("tenant")).trim() });
  });
  const session = { token: "", tenant: "", ...JSON.parse(sessionStorage.getItem("session") ?? "{}") };
  if (session.token) void begin(session);
  else form.hidden = false;
}
