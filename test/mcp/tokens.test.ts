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
const DEMO_NOW = Date.UTC(2027, 1, 15, 12);

describe('the tokens of a search (o200k_base)', () => {
  it('stay within their limit for the richest search of the demo', async (t) => {
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

  it('stay within their limit with long names, places and links', async (t) => {
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
    await measure(t, origin, {
      destination: 'Lisbon',
      check_in_day: '2027-04-10',
      check_out: '2027-04-24',
      guests: 2,
    });
  });

  it('stay within their limit for what a model reads of the tools themselves', async (t) => {
    const { origin } = await startStays(t);
    const { body } = await sendToMcp(origin, mcpMessage('tools/list'));
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

async function measure(t: TestContext, origin: string, stay: object): Promise<void> {
  const { body } = await sendToMcp(origin, toolMessage('search_stays', stay));
  const { content, structuredContent } = body.result;
  assert.equal(structuredContent.comparison?.options.length, 20, content[0].text);
  const text = countTokens(content[0].text);
  const structured = countTokens(JSON.stringify(structuredContent));
  t.diagnostic(`twenty options: ${text} tokens of text, ${structured} of structured content`);
  assert.ok(text <= MAX_TOKENS, `${text} tokens of text`);
  assert.ok(structured <= MAX_TOKENS, `${structured} tokens of structured content`);
}
