"use strict";
// Answers come from the server of the page, or on a static site from the same commands as WebAssembly in Web Workers.

const onSite = document.querySelector('meta[name="answers"]').content === "workers";

// ask returns the answer of a command, or throws a message as a string. The option signal ends the question, and first
// lets it pass all questions that are not.
async function ask(command, flags, { signal, first } = {}) {
  const query = String(new URLSearchParams(flags));
  let object;
  try {
    object = JSON.parse(onSite ? await workers.ask(command, query, signal, first) : await (await fetch("api/" + command + "?" + query, { signal })).text());
  } catch (wrong) {
    throw typeof wrong === "string" ? wrong : "no answer from the server";
  }
  if (object.error) throw (object.error.parameter ? object.error.parameter + ": " : "") + object.error.message;
  return object;
}

// asCommand writes a question as a command for a shell.
function asCommand(command, flags) {
  const quoted = (text) => /^[\w.:,%+=-]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'";
  const written = ([name, value]) => "-" + name + (/^(true|false)$/.test(value) ? "=" : " ") + quoted(value);
  return "bloomproof " + command + " " + Object.entries(flags).map(written).join(" ");
}

// workers computes in the background. One worker has the first questions alone, so that it is never busy for long;
// the others start when it has none to answer.
const workers = (() => {
  const limit = 60; // seconds of one answer
  const patience = 300; // milliseconds that the first worker may go on with a question that was ended
  const others = Math.min(3, Math.max(1, (navigator.hardwareConcurrency || 2) - 1));
  const queues = { first: [], rest: [] };
  const pool = [];
  let compiled = null; // a promise of the program

  async function load() {
    const file = await fetch("bloomproof.wasm");
    if (!file.ok) throw "bloomproof.wasm is missing: HTTP status " + file.status;
    if ((file.headers.get("Content-Type") || "").startsWith("application/wasm")) return WebAssembly.compileStreaming(file);
    return WebAssembly.compile(await file.arrayBuffer()); // the host names another type
  }

  function start(kind) {
    const w = { kind, worker: new Worker("worker.js"), ready: false, job: null };
    w.worker.onmessage = ({ data }) => {
      if (data.ready) {
        w.ready = true;
        performance.mark("ready");
      } else if (data.ended) {
        replace(w, "the program ended: " + data.ended);
        return;
      } else if (w.job) {
        finish(w).resolve(data.text);
      }
      next();
      if (kind === "first" && !w.job && pool.length === 1) for (let i = 0; i < others; i++) start("rest");
    };
    w.worker.onerror = (event) => {
      event.preventDefault();
      replace(w, "the program cannot run: " + event.message, true);
    };
    pool.push(w);
    compiled.then((program) => w.worker.postMessage(program), (wrong) => fail(String(wrong)));
  }

  function finish(w) {
    const job = w.job;
    clearTimeout(w.timer);
    w.job = null;
    return job;
  }

  // replace ends a worker; another takes its place, unless none can run.
  function replace(w, message, broken) {
    w.worker.terminate();
    pool.splice(pool.indexOf(w), 1);
    if (w.job) finish(w).reject(message);
    if (broken && !w.ready) fail(message);
    else start(w.kind);
  }

  function fail(message) {
    for (const queue of Object.values(queues)) for (const job of queue.splice(0)) job.reject(message);
  }

  function next() {
    for (const w of pool) {
      if (!w.ready || w.job || queues[w.kind].length === 0) continue;
      const job = w.job = queues[w.kind].shift();
      w.timer = setTimeout(() => replace(w, `takes more than ${limit}s, the limit here; the command line has none`), limit * 1000);
      w.worker.postMessage({ command: job.command, query: job.query });
    }
  }

  return {
    ask: (command, query, signal, first) => new Promise((resolve, reject) => {
      if (!compiled) {
        compiled = load();
        start("first");
      }
      const job = { command, query, resolve, reject }, queue = queues[first ? "first" : "rest"];
      signal?.addEventListener("abort", () => {
        reject("stopped");
        if (queue.includes(job)) queue.splice(queue.indexOf(job), 1);
        const stop = () => {
          const w = pool.find((w) => w.job === job);
          if (w) replace(w, "stopped");
        };
        if (first) setTimeout(stop, patience);
        else stop();
      });
      queue.push(job);
      next();
    }),
  };
})();
