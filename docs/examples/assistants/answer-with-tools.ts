import type { Message, Model, Tool, ToolCall } from './chat-completions.ts';

/** What comes of a call, as text for the model. */
export type CallTool = (name: string, args: Record<string, unknown>) => Promise<string>;

/** A model that calls tools without end costs money and says nothing. */
const MAX_ROUNDS = 10;

/** Asks the model, makes the calls that it wants and tells it what came of them, until it has something to say. */
export async function answerWithTools(
  messages: Message[],
  { model, tools, call }: { readonly model: Model; readonly tools: readonly Tool[]; readonly call: CallTool },
): Promise<string> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const reply = await model(messages, tools);
    messages.push(reply);
    if (!reply.tool_calls?.length) return reply.content ?? '';
    for (const { id, function: wanted } of reply.tool_calls) {
      messages.push({ role: 'tool', tool_call_id: id, content: await outcomeOf(wanted, call) });
    }
  }
  return 'I could not finish the search. Please ask once more, in other words.';
}

/** A model can go on from a call that failed, and often writes arguments that are no JSON. */
async function outcomeOf({ name, arguments: args }: ToolCall['function'], call: CallTool): Promise<string> {
  try {
    return await call(name, JSON.parse(args || '{}'));
  } catch (error) {
    return `The call failed: ${error instanceof Error ? error.message : error}`;
  }
}
