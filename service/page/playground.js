/* Starts the playground with the token of the status page, or asks for one: the API shows its schema to callers only. */

function startPlayground(render, root, options) {
  const session = JSON.parse(sessionStorage.getItem("session") ?? "{}");
  const begin = () => {
    const { token, tenant } = session;
    const headers = { authorization: `Bearer ${token}`, ...(tenant && { tenant }) };
    render(root, { ...options, headers: JSON.stringify(headers, null, 2) });
  };
  if (session.token) return begin();
  const form = document.getElementById("login");
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = new FormData(form);
    session.token = String(given.get("token")).trim();
    session.tenant = String(given.get("tenant")).trim();
    // A header has no other characters; fetch refuses them.
    const wrong = [session.token, session.tenant].some((text) => /[^\x21-\x7e]/.test(text));
    document.getElementById("fault").textContent = wrong ? "Expected letters, digits and signs of ASCII." : "";
    if (wrong) return;
    sessionStorage.setItem("session", JSON.stringify(session));
    form.hidden = true;
    begin();
  });
}
