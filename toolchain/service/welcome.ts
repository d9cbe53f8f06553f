const MUTATION =
  'mutation { provisionDeployment(id: "hello", deployment: { version: "0.50.0" }) { operation { id state } } }';

/** Shows what a user needs to start: the page, the API, and a first request to copy. */
export function welcome(url: string, endpoint: string, token: string): string {
  const body = JSON.stringify({ query: MUTATION });
  return [
    `✓ The service runs until Ctrl-C`,
    `  status page  ${url}/#token=${token}`,
    `  API          ${url}${endpoint}  (a browser gets the playground)`,
    ``,
    `A first request:`,
    `  curl -s ${url}${endpoint} -H 'authorization: Bearer ${token}' \\`,
    `    -H 'content-type: application/json' -d '${body}'`,
    ``,
    `The command line:`,
    `  export STACKYARD_SERVICE=${url}${endpoint} STACKYARD_TOKEN=${token}`,
    `  stackyard runtime list`,
  ].join("\n");
}
