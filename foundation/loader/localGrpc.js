"use strict";

/**
 * Lets gRPC connect to this machine directly. The gRPC client of Node.js uses the proxy of `http_proxy` and
 * `https_proxy` for 127.0.0.1 too, where the engine, its plugins and its programs connect to each other. Processes that
 * this process starts inherit it.
 * @param {Record<string, string | undefined>} env
 */
function reachLocalGrpc(env) {
  const hosts = [env.no_grpc_proxy ?? env.no_proxy, "127.0.0.1", "localhost"];
  env.no_grpc_proxy = [...new Set(hosts.flatMap((each) => (each ? each.split(",") : [])))].join(",");
}

module.exports = { reachLocalGrpc };
