import { AIMessage, type BaseMessage, fakeModel, HumanMessage, ToolMessage } from 'langchain';
import type { Heard } from './script.ts';
import { toolsScript } from './tools-script.ts';

/** More than the conversation has; the fake model answers as often as it was told to. */
const MAX_ANSWERS = 20;

/** Follows the script, with the fake model of LangChain. */
export const model = Array.from({ length: MAX_ANSWERS }).reduce<ReturnType<typeof fakeModel>>(
  (fake, _, turn) => fake.respond((messages) => answer(messages, turn)),
  fakeModel(),
);

function answer(messages: BaseMessage[], turn: number): BaseMessage {
  const move = toolsScript(heardIn(messages));
  return 'say' in move
    ? new AIMessage(move.say)
    : new AIMessage({
        content: '',
        tool_calls: [{ id: `call-${turn}`, name: move.call, args: { ...move.args } }],
      });
}

function heardIn(messages: readonly BaseMessage[]): Heard[] {
  return messages.flatMap((message): Heard[] => {
    if (HumanMessage.isInstance(message)) return [{ from: 'traveller', text: message.text }];
    return ToolMessage.isInstance(message) ? [{ from: 'tool', text: message.text }] : [];
  });
}
