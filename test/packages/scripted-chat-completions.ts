import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import type { Message, Reply, Tool } from '../../docs/examples/assistants/chat-completions.ts';
import type { Heard, Move, Script } from '../../docs/examples/assistants/scripted/script.ts';
import { bodyOf, plainServer, sendJson } from '../support/plain-server.ts';

type CompletionRequest = { readonly messages: readonly Message[]; readonly tools: readonly Tool[] };

/** A model that follows a script, behind a server that speaks chat completions. Closed after the test. */
export async function startScriptedChatCompletions(t: TestContext, script: Script): Promise<string> {
  const server = await plainServer((request, response) => {
    answer(request, response, script).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  t.after(() => server.close());
  return server.url;
}

async function answer(request: IncomingMessage, response: ServerResponse, script: Script): Promise<void> {
  const { messages, tools } = (await bodyOf(request)) as CompletionRequest;
  const move = script(heardIn(messages));
  if ('call' in move && !tools.some((tool) => tool.function.name === move.call)) {
    throw new Error(`${move.call} was not offered to the model`);
  }
  sendJson(response, { choices: [{ message: replyFor(move, `call-${messages.length}`) }] });
}

function replyFor(move: Move, id: string): Reply {
  if ('say' in move) return { role: 'assistant', content: move.say };
  const wanted = { name: move.call, arguments: JSON.stringify(move.args) };
  return { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: wanted }] };
}

function heardIn(messages: readonly Message[]): Heard[] {
  return messages.flatMap((message): Heard[] => {
    if (message.role === 'user') return [{ from: 'traveller', text: message.content }];
    return message.role === 'tool' ? [{ from: 'tool', text: message.content }] : [];
  });
}
