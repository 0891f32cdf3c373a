import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAssistantRegistry } from './assistant-registry.ts';
import {
  entriesIn,
  withAssistant,
  withChange,
  withLimits,
  withoutAssistant,
  withStatus,
} from './change-registry.ts';

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

  it('sets and takes away limits; the others stay, with their comments', () => {
    const change = { at: AT, change: 'changed' } as const;
    const limited = withLimits(WRITTEN_BY_A_PERSON, 'a', { requests: 6000, searches: 4 }, change);
    isSound(limited);
    assert.deepEqual(entriesIn(limited)[0]?.limits, { requests: 6000, searches: 4 });
    assert.deepEqual(entriesIn(limited)[0]?.history, [change]);
    const commented = limited.replace('"searches": 4', '"searches": 4 // as agreed');
    const other = withLimits(commented, 'a', { requests: null, sessions: 50, megabytes: null }, change);
    isSound(other);
    assert.ok(other.includes('// as agreed') && other.includes('// the first'), other);
    assert.deepEqual(entriesIn(other)[0]?.limits, { searches: 4, sessions: 50 });
    const none = withLimits(other, 'a', { sessions: null, searches: null }, change);
    isSound(none);
    assert.deepEqual(Object.keys(entriesIn(none)[0] ?? {}), [
      'id',
      'name',
      'status',
      'recognised_by',
      'history',
    ]);
    assert.equal(entriesIn(none)[0]?.history?.length, 3);
    assert.deepEqual(
      entriesIn(withLimits(WRITTEN_BY_A_PERSON, 'b', { requests: null }, change))[1]?.limits,
      undefined,
    );
  });

  it('takes away an assistant, and leaves the others as a person wrote them', () => {
    for (const [id, left] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      const removed = withoutAssistant(WRITTEN_BY_A_PERSON, id);
      isSound(removed);
      assert.deepEqual(
        entriesIn(removed),
        entriesIn(WRITTEN_BY_A_PERSON).filter((entry) => entry.id === left),
      );
      assert.ok(removed.includes('// Ours.'), removed);
    }
    const nobody = withoutAssistant(withoutAssistant(WRITTEN_BY_A_PERSON, 'a'), 'b');
    isSound(nobody);
    assert.deepEqual(entriesIn(nobody), []);
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
