import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import type { Conversation } from './conversation.ts';

/**
 * `node talk.ts <recipe> [<module>]`: a conversation in the terminal with one of the assistants of this folder. The module
 * exports the `model`, of the kind that the recipe takes.
 */
type Recipe = { readonly chat: (model: unknown, conversation: Conversation) => Promise<void> };

const [recipe = 'mcp-client', module = `${import.meta.dirname}/chat-completions.ts`] = process.argv.slice(2);
// Begun at once, because lines that come before somebody listens are lost.
const traveller = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const { chat } = (await import(`./${recipe}.ts`)) as Recipe;
const { model } = (await import(pathToFileURL(resolve(module)).href)) as { readonly model: unknown };
await chat(model, {
  service: process.env.STAYWIRE_URL ?? 'http://127.0.0.1:8080',
  traveller,
  say: (text) => console.log(text),
  note: (text) => console.error(text),
});
