import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { NewOpenings } from './recent-openings.ts';

/** Openings of several nodes that share them. */
export type OpeningsOfNodes = (test: TestContext, nodes: number) => Promise<readonly NewOpenings[]>;

type Opened = { readonly session: string; readonly token: string };

const opened = (session: string): Opened => ({ session, token: `token of ${session}` });

/** The cases that all openings must pass, in any store. */
export function recentOpeningsContract({ ofNodes }: { readonly ofNodes: OpeningsOfNodes }): void {
  async function pair(test: TestContext, purpose = 'sessions') {
    const [one, other] = (await ofNodes(test, 2)).map((newOpenings) => newOpenings<Opened>(purpose));
    assert.ok(one && other);
    return { one, other };
  }

  it('are forgotten with the first use of their session, on whichever node', async (t) => {
    const { one, other } = await pair(t);
    await one.remember('one', 's1', opened('s1'));
    await one.remember('other', 's2', opened('s2'));
    await other.forget('s1');
    await other.forget('unknown');
    assert.equal(await one.find('one'), undefined);
    assert.deepEqual(await one.find('other'), opened('s2'));
  });

  it('are replaced by a new one with the same id, which the use of the older session does not touch', async (t) => {
    const { one, other } = await pair(t);
    await one.remember('id', 'old', opened('old'));
    await other.remember('id', 'new', opened('new'));
    await one.forget('old');
    assert.deepEqual(await one.find('id'), opened('new'));
  });

  it('of one purpose are not those of another', async (t) => {
    const [newOpenings] = await ofNodes(t, 1);
    assert.ok(newOpenings);
    const [calls, sessions] = [newOpenings<Opened>('calls'), newOpenings<Opened>('sessions')];
    await calls.remember('id', 's', opened('s'));
    assert.equal(await sessions.find('id'), undefined);
    await sessions.forget('s');
    assert.deepEqual(await calls.find('id'), opened('s'));
  });

  it('are made one at a time for each id, on all nodes together', async (t) => {
    const { one, other } = await pair(t);
    let made = 0;
    const open = (node: typeof one) =>
      node.inTurn('id', async () => {
        const earlier = await node.find('id');
        if (earlier) return earlier;
        made += 1;
        const mine = opened(`s${made}`);
        await node.remember('id', mine.session, mine);
        return mine;
      });
    const answers = await Promise.all([open(one), open(other), open(one), open(other)]);
    assert.deepEqual(answers, Array(4).fill(opened('s1')));
  });
}
