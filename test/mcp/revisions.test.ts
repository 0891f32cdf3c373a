import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AnySchemaObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { callTool, connectMcp, REVISIONS, startStays, TRANSPORTS } from '../support/mcp-client.ts';

const TOOLS = ['search_stays', 'refine_stays', 'show_stay', 'describe_network'];
const CARD = 'ui://staywire/comparison.html';
const STAY = { check_in_day: '2027-04-10', check_out: '2027-04-13', guests: 2 };

for (const revision of REVISIONS) {
  for (const transport of TRANSPORTS) {
    describe(`MCP ${revision} over ${transport}`, () => {
      it('is a whole search with the official client', async (t) => {
        const { origin, operator } = await startStays(t);
        const client = await connectMcp(t, { origin, revision, transport });

        assert.equal(client.getNegotiatedProtocolVersion(), revision);
        assert.equal(client.getServerVersion()?.name, 'staywire');
        assert.match(client.getInstructions() ?? '', /search_stays/);

        const { tools } = await client.listTools();
        assert.deepEqual(
          tools.map(({ name }) => name),
          TOOLS,
        );
        assert.deepEqual((await client.listTools(undefined, { cacheMode: 'bypass' })).tools, tools);
        const ajv = new Ajv2020({ strict: false });
        for (const { inputSchema, outputSchema, annotations } of tools) {
          assert.ok(ajv.validateSchema(inputSchema as AnySchemaObject), ajv.errorsText());
          ajv.compile(inputSchema as AnySchemaObject);
          assert.equal(outputSchema, undefined, 'hosts would load it with every list');
          assert.equal(annotations?.readOnlyHint, true);
        }

        const asked = await callTool(client, 'search_stays', { destination: 'Lisbon' });
        assert.equal(asked.answer.outcome, 'question');
        assert.deepEqual(asked.answer.received, { destination: 'lisbon-pt' });
        assert.equal(asked.answer.question.field, 'check_in_month');
        assert.deepEqual(asked.answer.question.missing_fields, [
          'check_in_month',
          'check_in_day',
          'check_out',
          'guests',
        ]);
        const { session } = asked.answer;

        const found = await callTool(client, 'search_stays', { session, ...STAY });
        assert.equal(found.answer.outcome, 'comparison');
        assert.deepEqual(ranking(found.answer), [
          [1, 'alba:1', 100],
          [2, 'alba:2', 200],
          [3, 'alba:3', 300],
          [4, 'alba:4', 400],
        ]);
        assert.match(found.text, /1\. 100\.00 Brand alba: “House 1”/);

        const asksBefore = operator.asked.length;
        const refined = await callTool(client, 'refine_stays', { session, amenities: ['pool', 'Sauna'] });
        assert.deepEqual(refined.answer.comparison.filters, ['pool', 'sauna']);
        assert.deepEqual(ranking(refined.answer), [
          [1, 'alba:3', 300],
          [2, 'alba:4', 400],
        ]);
        const rounds = transport === 'http' ? 1 : 2;
        assert.equal(
          operator.asked.length - asksBefore,
          rounds,
          'a service elsewhere applies one in a request',
        );

        const shown = await callTool(client, 'show_stay', { session, rank: 1 });
        assert.equal(shown.answer.option.property_id, 'alba:3');
        assert.equal(shown.answer.option.quote.amount, 300);
        assert.equal(operator.asked.length - asksBefore, rounds, 'nobody is asked for what is there');

        const described = await callTool(client, 'describe_network', {});
        assert.deepEqual(described.answer.brands, [
          { source: 'alba', name: 'Brand alba', single_location: false },
        ]);

        const { resources } = await client.listResources();
        assert.deepEqual(
          resources.map(({ uri, mimeType }) => [uri, mimeType]),
          [[CARD, 'text/html;profile=mcp-app']],
        );
        const { contents } = await client.readResource({ uri: CARD });
        assert.equal(contents.length, 1);
        assert.match((contents[0] as { text: string }).text, /^<!doctype html>/i);
        const pictures = ['https://stay.example'];
        const meta = {
          ui: { csp: { resourceDomains: pictures }, permissions: {}, prefersBorder: true },
          'openai/widgetCSP': { resource_domains: pictures, connect_domains: [] },
          'openai/widgetPrefersBorder': true,
        };
        assert.deepEqual([resources[0]?._meta, contents[0]?._meta], [meta, meta]);
        assert.equal(tools[0]?._meta?.['openai/outputTemplate'], CARD);
      });
    });
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a JSON body of unknown shape is what a client gets.
function ranking({ comparison }: any): [number, string, number][] {
  return comparison.options.map(
    ({ rank, property_id, total }: { rank: number; property_id: string; total: number }) => [
      rank,
      property_id,
      total,
    ],
  );
}
