import { createMCPClient } from '@ai-sdk/mcp';
import { generateText, isStepCount, type LanguageModel, type ModelMessage } from 'ai';
import type { Conversation } from './conversation.ts';

/** An assistant on the AI SDK. Any of its models will do, also by name: `openai/gpt-5`. */
export async function chat(model: LanguageModel, { service, traveller, say }: Conversation): Promise<void> {
  const client = await createMCPClient({ transport: { type: 'http', url: `${service}/mcp` } });
  try {
    const tools = await client.tools();
    const messages: ModelMessage[] = [];
    for await (const line of traveller) {
      messages.push({ role: 'user', content: line });
      const { text, responseMessages } = await generateText({
        model,
        tools,
        instructions: client.instructions ?? '',
        messages,
        stopWhen: isStepCount(10),
      });
      messages.push(...responseMessages);
      say(text);
    }
  } finally {
    await client.close();
  }
}
