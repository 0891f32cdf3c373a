import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { answerWithTools, type CallTool } from './answer-with-tools.ts';
import type { Message, Model } from './chat-completions.ts';
import type { Conversation } from './conversation.ts';

/** An assistant on the client of the MCP SDK: the tools of the network, and any model. */
export async function chat(model: Model, { service, traveller, say, note }: Conversation): Promise<void> {
  const client = new Client(
    { name: 'trip-planner', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', service)));
  try {
    const { tools } = await client.listTools();
    const offered = tools.map(({ name, description = '', inputSchema }) => ({
      type: 'function' as const,
      function: { name, description, parameters: inputSchema },
    }));
    const call: CallTool = async (name, args) => {
      const { content } = await client.callTool(
        { name, arguments: args },
        { onprogress: ({ message = '' }) => note(message), resetTimeoutOnProgress: true },
      );
      // Of an error too: the text says what went wrong and what to do about it.
      return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
    };
    const messages: Message[] = [{ role: 'system', content: client.getInstructions() ?? '' }];
    for await (const line of traveller) {
      messages.push({ role: 'user', content: line });
      say(await answerWithTools(messages, { model, tools: offered, call }));
    }
  } finally {
    await client.close();
  }
}
