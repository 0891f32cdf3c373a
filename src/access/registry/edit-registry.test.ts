import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAssistantRegistry } from './assistant-registry.ts';
import { entriesIn, withAssistant, withChange, withStatus } from './edit-registry.ts';

const AT = '2026-11-17T04:30:00Z';
const WRITTEN_BY_A_PERSON = `{
  // Ours.
  "assistants": [
    {
      "id": "a", // the first
      "name": "A",
      "status": "approved", /* since spring */
      "recognised_by": [ { "network": ["192.0.2.1"] } ],
    },
    // Not sure about this one.
    { "id": "b", "name": "B", "status": "suspended", "recognised_by": [{ "network": ["192.0.2.2"] }] }
  ]
}
`;

function isSound(text: string): void {
  const reading = readAssistantRegistry(text, { folder: null, catalogue: [] });
  assert.equal(reading.kind, 'valid', reading.kind === 'invalid' ? reading.faults.join('\n') : '');
}

describe('a change of the registry', () => {
  it('sets the status and adds to the history; what a person wrote stays', () => {
    const suspended = withStatus(WRITTEN_BY_A_PERSON, 'a', 'suspended', {
      at: AT,
      change: 'suspended',
      note: 'Too "fast".',
    });
    isSound(suspended);
    for (const comment of ['// Ours.', '// the first', '/* since spring */', '// Not sure about this one.']) {
      assert.ok(suspended.includes(comment), `${comment} in\n${suspended}`);
    }
    const [a, b] = entriesIn(suspended);
    assert.equal(a?.status, 'suspended');
    assert.deepEqual(a.history, [{ at: AT, change: 'suspended', note: 'Too "fast".' }]);
    assert.deepEqual(b, entriesIn(WRITTEN_BY_A_PERSON)[1]);

    const again = withStatus(suspended, 'a', 'approved', { at: AT, change: 'approved' });
    isSound(again);
    assert.deepEqual(
      entriesIn(again)[0]?.history?.map(({ change }) => change),
      ['suspended', 'approved'],
    );
  });

  it('adds an assistant at the end, also to a registry that is not there yet', () => {
    const entry = {
      id: 'c',
      name: 'C',
      status: 'approved',
      recognised_by: [{ network: ['192.0.2.3'] }],
      history: [{ at: AT, change: 'added' }],
    } as const;
    const added = withAssistant(`\uFEFF${WRITTEN_BY_A_PERSON}`, {
      ...entry,
      recognised_by: [...entry.recognised_by],
      history: [...entry.history],
    });
    isSound(added);
    assert.deepEqual(
      entriesIn(added).map(({ id }) => id),
      ['a', 'b', 'c'],
    );
    const first = withAssistant(null, { id: 'c', status: 'approved' });
    assert.match(first, /^\{\n {2}\/\/ Who may call\./);
    assert.deepEqual(entriesIn(first), [{ id: 'c', status: 'approved' }]);
    assert.deepEqual(entriesIn(null), []);
  });

  it('keeps the newest hundred changes', () => {
    let text = WRITTEN_BY_A_PERSON;
    for (let number = 1; number <= 103; number += 1) {
      text = withChange(text, 'b', { at: AT, change: 'changed', note: `${number}` });
    }
    isSound(text);
    const notes = entriesIn(text)[1]?.history?.map(({ note }) => note) ?? [];
    assert.deepEqual([notes.length, notes[0], notes.at(-1)], [100, '4', '103']);
  });

  it('is never one of an assistant that is not listed', () => {
    assert.throws(() => withStatus(WRITTEN_BY_A_PERSON, 'c', 'approved', { at: AT, change: 'approved' }));
  });
});
