import { MockLanguageModelV4 } from 'ai/test';
import type { Heard } from './script.ts';
import { toolsScript } from './tools-script.ts';

type Generate = MockLanguageModelV4['doGenerate'];
type Prompt = Parameters<Generate>[0]['prompt'];

const USAGE = {
  inputTokens: { total: 0, noCache: 0, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 0, text: 0, reasoning: undefined },
};

let calls = 0;

/** Follows the script, with the mock model of the AI SDK. */
export const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    const move = toolsScript(heardIn(prompt));
    calls += 1;
    return 'say' in move
      ? {
          content: [{ type: 'text', text: move.say }],
          finishReason: { unified: 'stop', raw: undefined },
          usage: USAGE,
          warnings: [],
        }
      : {
          content: [
            {
              type: 'tool-call',
              toolCallId: `call-${calls}`,
              toolName: move.call,
              input: JSON.stringify(move.args),
            },
          ],
          finishReason: { unified: 'tool-calls', raw: undefined },
          usage: USAGE,
          warnings: [],
        };
  },
});

function heardIn(prompt: Prompt): Heard[] {
  return prompt.flatMap((message): Heard[] => {
    if (message.role === 'user') {
      return message.content.flatMap((part) =>
        part.type === 'text' ? [{ from: 'traveller', text: part.text }] : [],
      );
    }
    if (message.role !== 'tool') return [];
    return message.content.flatMap((part) =>
      part.type === 'tool-result' && part.output.type === 'content'
        ? [
            {
              from: 'tool',
              text: part.output.value.map((one) => (one.type === 'text' ? one.text : '')).join('\n'),
            },
          ]
        : [],
    );
  });
}
