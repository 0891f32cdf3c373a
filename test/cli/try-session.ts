import type { TestContext } from 'node:test';
import type { Question, Terminal } from '../../src/cli/terminal.ts';
import { fetchFrom } from '../client/client-stage.ts';
import { vendorClock } from '../connectors/vendor-clock.ts';
import { createCommandStage } from '../support/command-stage.ts';
import { property } from '../support/network.ts';
import { priced, setScene } from '../support/scene.ts';
import { createScriptedTerminal } from '../support/scripted-terminal.ts';

const ANSWERS = [
  ['Where to?', 'lisbon-pt'],
  ['Arrival', '2027-05-08'],
  ['Departure', '2027-05-11'],
  ['How many people?', '2'],
  ['What next?', 'narrow'],
  ['Only homes with', 'pool'],
  ['What next?', 'quit'],
] as const;

/** What a person sees of a search, with each question in the line that stays of it. */
export async function recordTrySession(t: TestContext): Promise<string> {
  const { service, operators } = await setScene(t, {
    brands: {
      lumeira: {
        entry: { name: 'Casa Lumeira' },
        properties: [
          property('azulejos', { name: 'Sótão dos Azulejos' }),
          property('mares', {
            name: 'Varanda das Marés',
            amenities: { wifi: 'Wi-Fi', pool: 'Pool' },
            rating: { score: 4.8, scale: 5, review_count: 61 },
          }),
        ],
      },
      driftlark: {
        entry: { name: 'Driftlark' },
        properties: [
          property('driftwood', {
            name: 'Driftwood Hideout',
            amenities: { pool: 'Pool' },
            cancellation: { summary: 'This rate cannot be refunded.', refundable: false },
          }),
        ],
      },
    },
  });
  for (const operator of Object.values(operators)) {
    operator.quote = priced({ azulejos: '353.66', mares: '433.20', driftwood: '1075.52' });
  }
  const lines: string[] = ['$ npx staywire try'];
  const scripted = createScriptedTerminal(ANSWERS);
  const shown = (question: Pick<Question, 'message' | 'choices'>, answer: string) => {
    const label = question.choices?.find(({ value }) => value === answer)?.label ?? answer;
    lines.push(`◇ ${question.message}  ${label}`);
    return answer;
  };
  const terminal: Terminal = {
    ...scripted,
    ask: async (question) => shown(question, await scripted.ask(question)),
    askForDay: async (question) => shown(question, await scripted.askForDay(question)),
    print: (text) => void lines.push(text, ''),
    note: (text) => void lines.push(text),
    wait: () => ({ show: () => undefined, end: (text) => void lines.push(text) }),
  };
  // However long it takes here.
  const clock = { ...vendorClock, elapsed: () => 0 };
  await createCommandStage(t).run(['try'], { tools: { terminal, clock, sendHttp: fetchFrom(service) } });
  return `${lines.join('\n').trimEnd()}\n`;
}
