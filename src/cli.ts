import { text } from 'node:stream/consumers';
import { createCliTools } from './app/cli-tools.ts';
import { runCommandLine, wantsJson } from './cli/program.ts';
import { createSystemTerminal } from './cli/system-terminal.ts';
import { systemClock } from './clock.ts';
import { SOFTWARE_VERSION } from './contract/vocabulary.ts';
import { systemRandom } from './random.ts';

/** `staywire …`: connects the commands to this machine's terminal and exits with their code. */
const words = process.argv.slice(2);
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // A second signal ends the process immediately, as it would without this handler.
  process.once(signal, () => interruption.abort());
}
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (fault: NodeJS.ErrnoException) => {
    // The reader of a pipe may leave before the end, as `head` does.
    if (fault.code !== 'EPIPE') throw fault;
  });
}
const tools = createCliTools({
  env: process.env,
  directory: process.cwd(),
  terminal: createSystemTerminal({
    input: process.stdin,
    output: process.stdout,
    errors: process.stderr,
    isQuiet: wantsJson(words),
  }),
  clock: systemClock,
  random: systemRandom,
  signal: interruption.signal,
  readInput: () => text(process.stdin),
  serve: async (env) => {
    Object.assign(process.env, env);
    await import('./main.ts');
  },
  // Loaded when it is needed: other commands start faster without it.
  serveMcp: async (serviceUrl) => {
    const { serveMcpOverStdio } = await import('./mcp/serve-stdio.ts');
    await serveMcpOverStdio({
      serviceUrl,
      clock: systemClock,
      signal: interruption.signal,
      report: (text) => process.stderr.write(`${text}\n`),
    });
  },
});

process.exitCode = await runCommandLine(words, tools, SOFTWARE_VERSION);
