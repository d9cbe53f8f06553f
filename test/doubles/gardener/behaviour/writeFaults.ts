import { refusal, type Reply } from "../adminKubeconfig";

/** What happens to a request that writes a Shoot. `lost`: it is carried out, and its answer does not arrive. */
export type WriteFault = "busy" | "conflict" | "internal" | "html" | "lost";

/** Answers of the API server, or of a load balancer in front of it, by fault. */
const ANSWERS: Readonly<Record<Exclude<WriteFault, "lost">, Reply>> = {
  busy: refusal(
    429,
    "TooManyRequests",
    "the server has received too many requests and has asked us to try again later",
  ),
  conflict: refusal(
    409,
    "Conflict",
    "Operation cannot be fulfilled on shoots: the object has been modified; please apply your changes to the latest version and try again",
  ),
  internal: refusal(500, "InternalError", "an error on the server has prevented the request from succeeding"),
  html: { status: 502, body: "<html><body><h1>502 Bad Gateway</h1><hr>nginx</body></html>" },
};

/** The answer in place of the API server's; undefined if the request reaches it. */
export const answerOf = (fault: WriteFault | undefined): Reply | undefined =>
  fault === undefined || fault === "lost" ? undefined : ANSWERS[fault];
