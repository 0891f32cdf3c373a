import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createControlsInMemory } from '../support/brand-controls-in-memory.ts';
import { sendToMcp, toolMessage } from '../support/mcp-message.ts';
import { property } from '../support/network.ts';
import { perNode } from '../support/per-node.ts';
import { ACME, setScene } from '../support/scene.ts';

/** Other nodes hear of a decision with their next look. */
const oneNode = { skip: perNode('a decision counts at once where it was made') };
const STAY = { check_in_day: '2027-04-10', check_out: '2027-04-13', guests: 2 };
const FALSE_OF_PAUSED_HOMES =
  /No home on this network|Nothing can be booked there|nothing_free|in one place|next_request|available_requests/;

/** Only acme has homes in Porto. */
async function startPaused(t: TestContext, paused: readonly string[]) {
  const { service } = await setScene(t, {
    brands: { acme: ACME, other: { properties: [property('o1')] } },
    controls: createControlsInMemory(),
  });
  const origin = await service.listen();
  for (const brand of paused) await service.operators.pause(brand);
  const call = async (tool: string, args: object) => {
    // A service whose time stands still would wait for connections that are kept.
    const { body } = await sendToMcp(origin, toolMessage(tool, args), { connection: 'close' });
    return { answer: body.result.structuredContent, text: body.result.content[0].text as string };
  };
  return { service, call };
}

test(
  'search_stays that is locked to a paused brand says whose homes are not on offer, and the way to others',
  oneNode,
  async (t) => {
    const { call } = await startPaused(t, ['acme']);
    const { answer, text } = await call('search_stays', {
      source: 'acme',
      brand_locked: true,
      destination: 'Lisbon',
      ...STAY,
    });
    assert.equal(answer.problem.code, 'nothing_on_offer');
    assert.match(text, /homes of this search are not on offer here at present: Brand acme\./);
    assert.match(text, /With brand_locked false every brand is searched\./);
    assert.doesNotMatch(text, FALSE_OF_PAUSED_HOMES);
    const { session } = answer;
    const others = await call('search_stays', {
      session,
      brand_locked: false,
      destination: 'Lisbon',
      ...STAY,
    });
    assert.equal(others.answer.outcome, 'comparison', others.text);
  },
);

test('search_stays does not call a place booked whose only homes are paused', oneNode, async (t) => {
  const { call } = await startPaused(t, ['acme']);
  const { answer, text } = await call('search_stays', { destination: 'Porto', ...STAY });
  assert.equal(answer.outcome, 'refused');
  assert.match(text, /Homes there are not on offer here at present/);
  assert.doesNotMatch(text, FALSE_OF_PAUSED_HOMES);
});

test(
  'describe_network says that nothing is on offer, not that every home is in one place',
  oneNode,
  async (t) => {
    const { call, service } = await startPaused(t, ['acme', 'other']);
    for (const args of [{}, { source: 'acme' }]) {
      const { answer, text } = await call('describe_network', args);
      assert.equal(answer.outcome, 'network');
      assert.equal(answer.problem.code, 'nothing_on_offer');
      assert.match(text, /not on offer here at present: Brand acme/);
      assert.match(text, /Brands \(2\)/);
      assert.doesNotMatch(text, FALSE_OF_PAUSED_HOMES);
    }
    await service.operators.resume('acme');
    await service.time.pass(0);
    const { answer, text } = await call('describe_network', {});
    assert.equal(answer.problem, undefined);
    assert.match(text, /Porto \[porto-pt\]/);
  },
);
