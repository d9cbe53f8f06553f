/*
 * A rejected promise that nothing handles fails the test that runs. Mocha (12.0.3, Runner#unhandled) emits the event
 * again, and so keeps Node.js from ending the process.
 */
process.on("unhandledRejection", (reason) => {
  throw reason;
});
