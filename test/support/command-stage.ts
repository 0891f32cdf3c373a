import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createCliTools } from '../../src/app/cli-tools.ts';
import type { CliTools } from '../../src/cli/command.ts';
import { runCommandLine } from '../../src/cli/program.ts';
import { createInlineIntake } from '../../src/connectors/shared/intake/run-task.ts';
import { systemRandom } from '../../src/random.ts';
import { vendorClock } from '../connectors/vendor-clock.ts';
import { createScriptedTerminal, type ScriptedTerminal } from './scripted-terminal.ts';
import { temporaryDirectory } from './temporary-storage.ts';

export type StagedRun = {
  readonly code: number;
  readonly output: string;
  readonly notes: string;
  readonly terminal: ScriptedTerminal;
};

/** Commands in this process, in a folder of their own, with a person or without. */
export type CommandStage = {
  readonly directory: string;
  run(words: readonly string[], how?: RunOptions): Promise<StagedRun>;
  /** The network file as it is. */
  file(): string;
  /** Every file of the folder but the data, by its relative path. */
  files(): readonly string[];
};

type RunOptions = {
  readonly answers?: Parameters<typeof createScriptedTerminal>[0];
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly signal?: AbortSignal;
  readonly tools?: Partial<CliTools>;
};

export function createCommandStage(t: TestContext): CommandStage {
  const directory = temporaryDirectory(t);
  return {
    directory,
    file: () => readFileSync(join(directory, 'network.jsonc'), 'utf8'),
    files: () =>
      readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
        .filter((path) => !path.startsWith('data/'))
        .sort(),
    async run(words, { answers, env = {}, input = '', signal, tools = {} } = {}) {
      const terminal = createScriptedTerminal(answers);
      const all = createCliTools({
        env: { STAYWIRE_OPERATOR_NETWORKS: '127.0.0.0/8', ...env },
        directory,
        terminal,
        clock: vendorClock,
        random: systemRandom,
        signal: signal ?? new AbortController().signal,
        readInput: async () => input,
        serve: async () => undefined,
        serveMcp: async () => undefined,
      });
      const code = await runCommandLine(
        words,
        { ...all, createIntake: createInlineIntake, ...tools },
        '0.0.0',
      );
      return { code, output: terminal.printed.join('\n'), notes: terminal.noted.join('\n'), terminal };
    },
  };
}

/** Writes Lisbon and Porto into the network file that `init` wrote, as an owner does. */
export function addPlaces(directory: string): void {
  const file = join(directory, 'network.jsonc');
  const cities = ['Lisbon', 'Porto'].map((name) => ({
    id: name.toLowerCase(),
    name,
    kind: 'city',
    time_zone: 'Europe/Lisbon',
    currency: 'EUR',
  }));
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('"places": []', `"places": ${JSON.stringify(cities)}`));
}
