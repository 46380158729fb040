// Runs a Python script in real MicroPython with some files beside it; what it prints goes to stdout.
// node run.mjs SCRIPT FILE...
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { loadMicroPython } from "@micropython/micropython-webassembly-pyscript/micropython.mjs";

const [script, ...files] = process.argv.slice(2);
const micropython = await loadMicroPython({ heapsize: 16 * 1024 * 1024, stdout: (line) => console.log(line), linebuffer: true });
for (const file of files) {
  micropython.FS.writeFile("/" + basename(file), readFileSync(file));
}
micropython.runPython(readFileSync(script, "utf8"));
