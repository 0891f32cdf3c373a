/** A model behind any server that speaks chat completions. MODEL_URL, MODEL_NAME and MODEL_KEY say which. */
export type Message =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string | null; readonly tool_calls?: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

export type ToolCall = {
  readonly id: string;
  readonly type: 'function';
  /** `arguments` is JSON. */
  readonly function: { readonly name: string; readonly arguments: string };
};

export type Tool = {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    /** A JSON schema. */
    readonly parameters: Readonly<Record<string, unknown>>;
  };
};

export type Reply = Extract<Message, { readonly role: 'assistant' }>;
export type Model = (messages: readonly Message[], tools: readonly Tool[]) => Promise<Reply>;

export const model: Model = async (messages, tools) => {
  const { MODEL_URL, MODEL_NAME, MODEL_KEY } = process.env;
  const response = await fetch(`${MODEL_URL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${MODEL_KEY}` },
    body: JSON.stringify({ model: MODEL_NAME, messages, tools }),
  });
  if (!response.ok) throw new Error(`The model answered ${response.status}: ${await response.text()}`);
  const { choices } = (await response.json()) as { readonly choices: readonly { readonly message: Reply }[] };
  const [choice] = choices;
  if (!choice) throw new Error('The model gave no answer.');
  return choice.message;
};
