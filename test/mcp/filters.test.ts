import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callTool, connectMcp, startStays, TRANSPORTS } from '../support/mcp-client.ts';

const STAY = { destination: 'Lisbon', check_in_day: '2027-04-10', check_out: '2027-04-13', guests: 2 };
const refusedIn = (answer: { refusals?: { value: string; reason: { code: string } }[] }) =>
  (answer.refusals ?? []).map(({ value, reason }) => [value, reason.code]);

for (const transport of TRANSPORTS) {
  describe(`amenities of a tool call over ${transport}`, () => {
    it('are applied together; what every match has is fulfilled, and each refused one is named', async (t) => {
      const { origin, operator } = await startStays(t);
      const client = await connectMcp(t, { origin, transport });
      await client.listTools();
      const amenities = ['wifi', 'pool', 'helipad', 'Sauna'];
      const { answer, text } = await callTool(client, 'search_stays', { ...STAY, amenities });
      assert.deepEqual(answer.comparison.filters, ['pool', 'sauna']);
      assert.equal(answer.comparison.matches, 2);
      assert.deepEqual(answer.fulfilled_amenities, ['wifi']);
      assert.match(text, /^Every match has: wifi\. No filter was needed/m);
      assert.deepEqual(refusedIn(answer), [['helipad', 'not_on_network']]);
      assert.match(text, /^amenities helipad not taken: /m);
      assert.match(answer.comparison.notes, /^Filters that are on: pool, sauna\. /);
      // The interface of a service elsewhere applies one in a request.
      assert.equal(operator.asked.length, transport === 'http' ? 1 : 2);
    });

    it('replace those of the search before when they come with a whole stay or after clear_filters', async (t) => {
      const { origin, operator } = await startStays(t);
      const client = await connectMcp(t, { origin, transport });
      await client.listTools();
      const first = await callTool(client, 'search_stays', { ...STAY, amenities: ['pool'] });
      const { session } = first.answer;
      const kept = await callTool(client, 'search_stays', { session, guests: 3 });
      assert.deepEqual(kept.answer.comparison.filters, ['pool']);
      const fresh = await callTool(client, 'search_stays', { session, ...STAY });
      assert.deepEqual([fresh.answer.comparison.filters, fresh.answer.cleared_amenities], [[], ['pool']]);
      assert.match(fresh.text, /^Filters that were taken off: pool\.$/m);
      await callTool(client, 'refine_stays', { session, amenities: ['pool'] });
      const before = operator.asked.length;
      const changed = { session, clear_filters: true, amenities: ['sauna'] };
      const { answer } = await callTool(client, 'refine_stays', changed);
      assert.deepEqual(answer.comparison.filters, ['sauna']);
      assert.equal(operator.asked.length, before + 1, 'one round of prices');
    });
  });
}
