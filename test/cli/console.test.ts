import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OwnerSettings } from '../../src/access/owner-settings.ts';
import { isPasswordOf } from '../../src/access/owner-settings.ts';
import type { CliTools } from '../../src/cli/command.ts';
import { createMemoryOwnerStore } from '../../src/storage/memory/storage.ts';
import { createCommandStage } from '../support/command-stage.ts';

const WORDS = ['console', 'password'];
const NEW = 'correct horse battery';

/** Owner settings in memory. */
function scriptedOwner(first: string | null = null) {
  const kept = { password: first, closed: 0 };
  const owner: OwnerSettings = {
    get: async () => kept.password,
    set: async (_, value) => {
      kept.password = value;
    },
  };
  const openOwnerStore: CliTools['openOwnerStore'] = async () => ({
    ...createMemoryOwnerStore(),
    owner,
    ledger: { findQuotes: async () => [] },
    close: async () => {
      kept.closed += 1;
    },
  });
  return { kept, tools: { openOwnerStore } };
}

describe('staywire console password', () => {
  it('asks twice in a terminal, and keeps nothing that can be read', async (t) => {
    const { run } = createCommandStage(t);
    const { kept, tools } = scriptedOwner();
    const { code, output, notes, terminal } = await run(WORDS, {
      tools,
      answers: [
        ['new password', NEW],
        ['once more', NEW],
      ],
    });
    assert.equal(code, 0);
    assert.match(output, /The console has a password/);
    assert.ok(terminal.questions.every(({ isSecret }) => isSecret));
    assert.ok(!`${output}${notes}${kept.password}`.includes('horse'));
    assert.equal(await isPasswordOf(NEW, kept.password ?? ''), true);
    assert.equal(kept.closed, 1);
  });

  it('reads it from the input, and says that the others are signed out', async (t) => {
    const { run } = createCommandStage(t);
    const { kept, tools } = scriptedOwner('another');
    const { code, output } = await run([...WORDS, '--password-from-stdin', '--json'], {
      tools,
      input: `${NEW}\n`,
    });
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(output), { changed: true, first: false });
    assert.equal(await isPasswordOf(NEW, kept.password ?? ''), true);
  });

  it('takes none that is short, and does not repeat it', async (t) => {
    const { run } = createCommandStage(t);
    const { kept, tools } = scriptedOwner();
    const { code, output, notes } = await run([...WORDS, '--password-from-stdin'], {
      tools,
      input: 'hunter2',
    });
    assert.equal(code, 2);
    assert.match(notes, /at least 12 characters/);
    assert.ok(!`${output}${notes}`.includes('hunter2'));
    assert.equal(kept.password, null);
  });

  it('takes none as an argument, and says how to give it where nobody can be asked', async (t) => {
    const { run } = createCommandStage(t);
    const { tools } = scriptedOwner();
    assert.equal((await run([...WORDS, NEW], { tools })).code, 2);
    const { code, notes } = await run(WORDS, { tools });
    assert.equal(code, 2);
    assert.match(notes, /--password-from-stdin/);
  });
});
