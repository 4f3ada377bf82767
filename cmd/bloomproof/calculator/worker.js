"use strict";
// A Web Worker of a static site. It runs the commands as WebAssembly: first it gets the compiled program, and then
// one question after the other. It answers each with the JSON text of the command.

importScripts("wasm_exec.js");

onmessage = async ({ data }) => {
  if (data instanceof WebAssembly.Module) {
    const go = new Go();
    go.run(await WebAssembly.instantiate(data, go.importObject)); // returns when main waits for questions
    postMessage({ ready: true });
    return;
  }
  try {
    const text = bloomproofAnswer(data.command, data.query);
    if (typeof text !== "string") throw "the program has ended";
    postMessage({ text });
  } catch (wrong) {
    postMessage({ ended: String(wrong) });
  }
};
