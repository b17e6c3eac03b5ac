// What the programs that Emscripten makes need under node: the environment, and no `fetch`, which node has had
// since version 18 and Emscripten 3.1 takes for a browser's.
globalThis.fetch = undefined;
Module['preRun'] = function () {
    if (typeof ENV == 'undefined') {
        return;    // nobody asks for the environment in this program
    }
    for (const name in process.env) {
        ENV[name] = process.env[name];
    }
};
