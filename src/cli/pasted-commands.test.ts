import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { assertEntryOptions, notRegistered, unregisteredHosts } from './brand-entry.ts';
import { init } from './commands/init.ts';
import { chooseSystem, completeEntry } from './connect-entry.ts';
import { nextStepFor, UsageFault } from './faults.ts';
import { assertBrandName } from './network-file.ts';
import { warningLines } from './terminal.ts';

/** Each would leave a file behind if a shell obeyed it. */
const HOSTILE = [
  'Porto$(touch obeyed)',
  'Porto`touch obeyed`',
  'Porto"; touch obeyed; "',
  "Porto'; touch obeyed; '",
  'Porto; touch obeyed #',
  'Porto && touch obeyed',
  'Porto | touch obeyed',
  'Porto > obeyed',
  'Porto $HOME *',
  `Porto ${'and a very long name '.repeat(3)}; touch obeyed`,
];
const terminal = { styled: (_style: unknown, text: string) => text };

/** What a shell makes of a line that is pasted: its words, in a folder that has to stay empty. */
function pasted(t: TestContext, line: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'staywire-pasted-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const script = `staywire() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${line}`;
  const said = execFileSync('/bin/sh', ['-c', script], { cwd: folder, encoding: 'utf8' });
  assert.deepEqual(readdirSync(folder), [], line);
  return said.split('\0').slice(0, -1);
}

/** The line of a warning that is to be pasted behind a command. */
function optionLine(warning: string): string {
  const lines = warningLines([warning], terminal).join('\n').split('\n');
  const last = lines.at(-1) ?? '';
  assert.match(last, /^ {4}--/, warning);
  return `staywire ${last.trim()}`;
}

function faultIn(work: () => void): UsageFault {
  try {
    work();
  } catch (fault) {
    if (fault instanceof UsageFault) return fault;
    throw fault;
  }
  throw new Error('nothing was wrong');
}

const faultOf = (work: () => void) => faultIn(work).message;
const commandOf = (work: () => void) => faultIn(work).command ?? '';

describe('what is shown to be pasted, with text that others wrote', () => {
  it('names a host as one word', (t) => {
    for (const host of HOSTILE) {
      const words = pasted(t, optionLine(notRegistered({ host, pages: 1, pictures: 0 })));
      assert.equal(words.length, 2, host);
    }
  });

  it('repeats a command with hosts as words', (t) => {
    const hosts = HOSTILE.map((host) => ({ host, pages: 1, pictures: 0 }));
    const words = ['connect', 'harbor', '--json'];
    const given = { before: { hosts: [], stayUrl: undefined }, host: undefined, stayUrl: undefined };
    const command = commandOf(() =>
      unregisteredHosts({ listings: 1, pages: 0, hosts }, given, { title: 'It', leftOut: [], words }),
    );
    const said = pasted(t, command);
    assert.deepEqual(said.slice(0, words.length), words);
    assert.equal(said.length, words.length + 2 + 2 * HOSTILE.length);
    assert.ok(said.includes(String(HOSTILE[0])));
  });

  it('names a brand and a folder as one word', async (t) => {
    for (const text of HOSTILE) {
      assert.deepEqual(pasted(t, nextStepFor(text, false)), ['sync', text]);
      const folder = mkdtempSync(join(tmpdir(), 'staywire-pasted-'));
      t.after(() => rmSync(folder, { recursive: true }));
      const options = { name: 'N', contact: 'c', trustThisMachine: false };
      const tools = {
        directory: folder,
        terminal,
        random: { bytes: (count: number) => Buffer.alloc(count) },
      };
      const { text: written } = await init(text, options, tools as never);
      const line = /^ {2}cd (.*)$/m.exec(written)?.[1] ?? '';
      assert.deepEqual(pasted(t, `staywire ${line}`), [text]);
    }
  });

  it('repeats an option that was not understood as words', async (t) => {
    const connector = await chooseSystem('open', terminal as never, undefined);
    for (const text of HOSTILE) {
      const set = await completeEntry(connector, 'b', { set: [text] }, terminal as never, undefined).catch(
        ({ message }: Error) => message,
      );
      for (const fault of [
        String(set),
        faultOf(() => assertEntryOptions({ place: [text] })),
        faultOf(() => assertEntryOptions({ host: [`${text} /`] })),
        faultOf(() => assertEntryOptions({ stayUrl: text })),
        faultOf(() => assertBrandName(text, '--brand')),
      ]) {
        const option = fault.slice(0, fault.search(/ (?:is not|cannot be) /));
        assert.equal(pasted(t, `staywire ${option}`).length, 2, fault);
      }
    }
  });
});
