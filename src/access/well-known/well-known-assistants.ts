import type { WellKnownAssistant } from '../registry/well-known-assistant.ts';
import { apple } from './apple.ts';
import { bing } from './bing.ts';
import { chatgpt } from './chatgpt.ts';
import { claude } from './claude.ts';
import { duckduckgo } from './duckduckgo.ts';
import { google } from './google.ts';
import { mistral } from './mistral.ts';
import { perplexity } from './perplexity.ts';

/** What is known of them, and where it was seen, is in docs/known-assistants.md. */
export const WELL_KNOWN_ASSISTANTS: readonly WellKnownAssistant[] = [
  chatgpt,
  claude,
  perplexity,
  google,
  mistral,
  duckduckgo,
  apple,
  bing,
];
