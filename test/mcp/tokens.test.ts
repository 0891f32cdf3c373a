import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { startDemo } from '../../demo/start-demo.ts';
import { startStays } from '../support/mcp-client.ts';
import { mcpMessage, sendToMcp, toolMessage } from '../support/mcp-message.ts';
import { property } from '../support/network.ts';
import { startTestService } from '../support/test-service.ts';

/** Of the text, and of the structured content, of twenty options. */
const MAX_TOKENS = 6000;
/** What a model is told of the tools before anything is asked. */
const MAX_TOKENS_OF_TOOLS = 1600;
/** Of the list of tools, and of a search as it comes: slow relays carry two kilobytes a second. */
const MAX_BYTES = 8 * 1024;
/** Where every name, place and link is three times as long as usual. */
const MAX_BYTES_OF_LONG_TEXTS = 9 * 1024;
const CARDS = { extensions: { 'io.modelcontextprotocol/ui': {} } };
const DEMO_NOW = Date.UTC(2027, 1, 15, 12);

describe('the size of a search, in bytes and in tokens (o200k_base)', () => {
  it('stays within its limits for the richest search of the demo', async (t) => {
    const demo = await startDemo({ port: 0, now: () => DEMO_NOW, steady: true, dataDirectory: null });
    const service = await startTestService({ network: demo.networkFile(), now: DEMO_NOW });
    t.after(async () => {
      const closed = service.close();
      service.server.closeAllConnections();
      await closed;
      await demo.close();
    });
    await measure(t, await service.listen(), {
      destination: 'Lisbon',
      check_in_day: '2027-05-08',
      check_out: '2027-05-15',
      guests: 2,
    });
  });

  it('stays within its limits with long names, places and links', async (t) => {
    const { origin, operator, service } = await startStays(t);
    operator.properties = Array.from({ length: 24 }, (_, position) =>
      property(`casa-de-ferias-${position}`, {
        name: `Apartamento ${position} com varanda sobre o Tejo, três quartos e garagem, a dois passos do Elevador da Bica`,
        location: 'Rua da Bica de Duarte Belo, Misericórdia, Lisboa, Área Metropolitana de Lisboa',
        url: `https://stay.example/pt/alojamentos/lisboa/apartamento-com-varanda-sobre-o-tejo-${position}?lang=pt&ref=catalogo`,
        amenities: Object.fromEntries(AMENITIES.slice(position % 6).map((key) => [key, key])),
      }),
    );
    operator.quote = (reference, { currency }) => ({
      property: reference,
      status: 'quoted',
      currency,
      total: `${1000 + Number(reference.split('-').at(-1))}.45`,
    });
    const refreshed = service.nextRefresh('alba');
    await service.time.pass(24 * 3_600_000);
    await refreshed;
    const stay = { destination: 'Lisbon', check_in_day: '2027-04-10', check_out: '2027-04-24', guests: 2 };
    await measure(t, origin, stay, MAX_BYTES_OF_LONG_TEXTS);
  });

  it('stays within its limits for the tools themselves', async (t) => {
    const { origin } = await startStays(t);
    const { body, text } = await sendToMcp(origin, mcpMessage('tools/list'));
    assert.ok(Buffer.byteLength(text) <= MAX_BYTES, `${Buffer.byteLength(text)} bytes`);
    const shown = body.result.tools.map(({ name, description, inputSchema }: Record<string, unknown>) => ({
      name,
      description,
      inputSchema,
    }));
    const tokens = countTokens(JSON.stringify(shown));
    t.diagnostic(`four tools: ${tokens} tokens`);
    assert.ok(tokens <= MAX_TOKENS_OF_TOOLS, `${tokens} tokens`);
  });
});

const AMENITIES = ['wifi', 'pool', 'sauna', 'parking', 'kitchen', 'garden', 'washer', 'balcony', 'lift'];

async function measure(t: TestContext, origin: string, stay: object, maxBytes = MAX_BYTES): Promise<void> {
  await measureDefault(t, origin, stay, maxBytes);
  const { body } = await sendToMcp(origin, toolMessage('search_stays', { ...stay, max_options: 20 }));
  const { content, structuredContent } = body.result;
  assert.equal(structuredContent.comparison?.options.length, 20, content[0].text);
  const text = countTokens(content[0].text);
  const structured = countTokens(JSON.stringify(structuredContent));
  t.diagnostic(`twenty options: ${text} tokens of text, ${structured} of structured content`);
  assert.ok(text <= MAX_TOKENS, `${text} tokens of text`);
  assert.ok(structured <= MAX_TOKENS, `${structured} tokens of structured content`);
}

/** As it comes: five options, and how many more there are. */
async function measureDefault(t: TestContext, origin: string, stay: object, maxBytes: number): Promise<void> {
  const { body } = await sendToMcp(origin, toolMessage('search_stays', stay, { capabilities: CARDS }));
  const { content, structuredContent, _meta } = body.result;
  const { options, options_in_set, more_options } = structuredContent.comparison;
  assert.deepEqual([options.length, more_options], [5, options_in_set - 5]);
  assert.match(content[0].text, new RegExp(`\\b${more_options} more: .*max_options ${options_in_set}`));
  const bytes = Buffer.byteLength(content[0].text) + Buffer.byteLength(JSON.stringify(structuredContent));
  t.diagnostic(`five options: ${bytes} bytes, ${Buffer.byteLength(JSON.stringify(_meta))} for the card`);
  assert.ok(bytes <= maxBytes, `${bytes} bytes`);
  const idsOf = (stays: readonly { readonly property_id: string }[]) =>
    stays.map(({ property_id }) => property_id);
  assert.deepEqual(idsOf(_meta['staywire/comparison'].results), idsOf(options), 'the card gets no others');
}
