import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endOfTurn } from './end-of-turn.ts';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the end of a turn of the event loop', () => {
  it('is one for all that wait for it, and another one in the next turn', async () => {
    const turn = endOfTurn();
    assert.equal(endOfTurn(), turn);
    await turn;
    assert.notEqual(endOfTurn(), turn);
    await endOfTurn();
  });

  it('comes after all that was received in it, stage by stage for everybody', async () => {
    const stages: string[] = [];
    async function request(name: string): Promise<void> {
      await endOfTurn();
      stages.push(`${name} begins`);
      await null;
      stages.push(`${name} ends`);
    }
    const requests = [request('one'), request('other')];
    await Promise.resolve();
    assert.deepEqual(stages, []);
    await nextTurn();
    await Promise.all(requests);
    assert.deepEqual(stages, ['one begins', 'other begins', 'one ends', 'other ends']);
  });
});
