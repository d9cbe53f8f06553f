"use strict";

/* Progress goes to stderr, so that a shell can use a command's output on stdout. */

const HEARTBEAT_MS = 30_000;

/** @param {number} ms */
function duration(ms) {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** @param {string} text */
function say(text) {
  process.stderr.write(`${text}\n`);
}

/**
 * Announces a long step with its usual duration, reports every half minute that it is still running, and reports its
 * duration at the end.
 * @template T
 * @param {string} title What it does, such as "Pulumi CLI 3.274.1: building from its Go module".
 * @param {string} expected Usual duration, such as "about 3 min".
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function step(title, expected, work) {
  const started = Date.now();
  say(`• ${title} (${expected})`);
  const timer = setInterval(
    () => say(`  … still at it: ${title}, ${duration(Date.now() - started)} so far`),
    HEARTBEAT_MS,
  );
  try {
    const result = await work();
    say(`✓ ${title}: ${duration(Date.now() - started)}`);
    return result;
  } catch (error) {
    say(`✗ ${title}: failed after ${duration(Date.now() - started)}`);
    throw error;
  } finally {
    clearInterval(timer);
  }
}

module.exports = { duration, say, step };
