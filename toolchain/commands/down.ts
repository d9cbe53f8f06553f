import { duration, say } from "../bootstrap/progress";
import { stopYard } from "../yard";

/** `make down`: stops this checkout's yard and removes it; tools and npm packages stay. */
export async function down(): Promise<number> {
  const started = Date.now();
  const there = await stopYard();
  say(
    there
      ? `✓ Local yard stopped and removed: ${duration(Date.now() - started)}`
      : "✓ There is no local yard; nothing to stop",
  );
  return 0;
}
