import { ServerConnection } from "../../../kubernetes/client/connection";
import type { HttpResponse, Exchange } from "../../../kubernetes/client/connection";

/** Lets the process end behind its n-th write: that one still happens, nothing after it does. Returns whether it ended. */
export async function dyingAfter(writes: number, work: () => Promise<unknown>): Promise<boolean> {
  const send = Object.getOwnPropertyDescriptor(ServerConnection.prototype, "send")?.value as ServerConnection["send"];
  let left = writes;
  let died = false;
  ServerConnection.prototype.send = async function (this: ServerConnection, exchange: Exchange): Promise<HttpResponse> {
    if (died) throw new Error("dead");
    const answer = await send.call(this, exchange);
    if (exchange.method !== "GET" && !exchange.path.includes("dryRun=All") && --left === 0) died = true;
    return answer;
  };
  try {
    await work();
  } catch (error) {
    if (!died) throw error;
  } finally {
    ServerConnection.prototype.send = send;
  }
  return died;
}
