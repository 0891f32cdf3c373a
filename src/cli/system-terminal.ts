import { stripVTControlCharacters, styleText } from 'node:util';
import { autocomplete, password, select, text as textPrompt } from '@clack/prompts';
import { printable } from '../parsing/printable.ts';
import { Interrupted, UsageFault } from './faults.ts';
import type { Question, Terminal, TextStyle } from './terminal.ts';

const FORMATS = {
  good: 'green',
  bad: 'red',
  warning: 'yellow',
  faint: 'dim',
  strong: 'bold',
} as const satisfies Record<TextStyle, Parameters<typeof styleText>[0]>;
/** A longer list can be filtered by typing. */
const MAX_PLAIN_CHOICES = 10;
const PROGRESS_PARTS = 10;

/** The process's own terminal. Colour on a terminal only, and never with NO_COLOR. */
export function createSystemTerminal({
  input,
  output,
  errors,
  isQuiet,
}: {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly errors: NodeJS.WriteStream;
  /** With --json nothing but the result is wanted. */
  readonly isQuiet: boolean;
}): Terminal {
  const canAsk = Boolean(input.isTTY && errors.isTTY) && !isQuiet;
  // `styled` decides by the output stream, so colours are removed when the error stream is a file.
  const hasStyles = styled('strong', 'x') !== 'x';

  function styled(style: TextStyle, text: string): string {
    return styleText(FORMATS[style], text, { stream: output });
  }

  function note(text: string): void {
    if (isQuiet) return;
    const shown = errors.isTTY ? printable(text, { hasStyles }) : plain(stripVTControlCharacters(text));
    errors.write(`${shown}\n`);
  }

  return {
    canAsk,
    isSeen: output.isTTY,
    print: (text) => void output.write(`${printable(text, { hasStyles })}\n`),
    note,
    async ask(question) {
      const { message, option } = question;
      if (!canAsk) throw new UsageFault([`${message} is not given`], `give it with ${option}`);
      const answer = await promptFor(question, { input, output: errors });
      if (typeof answer !== 'string') throw new Interrupted();
      return answer.trim();
    },
    progress(title) {
      let written = 0;
      return {
        update(done, total) {
          const part = total > 0 ? Math.floor((PROGRESS_PARTS * Math.min(done, total)) / total) : 0;
          if (part <= written) return;
          written = part;
          note(`${title} ${part * PROGRESS_PARTS} %`);
        },
        end: note,
      };
    },
    styled,
  };
}

function promptFor(
  { message: asked, isSecret = false, choices, initial, faultOf = () => undefined }: Question,
  streams: { readonly input: NodeJS.ReadStream; readonly output: NodeJS.WriteStream },
): Promise<string | symbol> {
  const message = plain(asked);
  if (choices) {
    const options = choices.map(({ value, label }) => ({ value, label: plain(label) }));
    const prompt = { ...streams, message, options, ...(initial ? { initialValue: initial } : {}) };
    if (choices.length <= MAX_PLAIN_CHOICES) return select<string>(prompt);
    const validate = (answer: unknown) => (answer === undefined ? 'Please choose one of these.' : undefined);
    return autocomplete<string>({ ...prompt, validate });
  }
  const validate = (answer: string | undefined) => {
    const given = answer?.trim() || initial || '';
    const fault = given === '' ? 'Please give a value.' : faultOf(given);
    return fault === undefined ? undefined : plain(fault);
  };
  if (isSecret) return password({ ...streams, message, validate });
  const shown = initial ? { placeholder: plain(initial), defaultValue: initial } : {};
  return textPrompt({ ...streams, message, validate, ...shown });
}

function plain(text: string): string {
  return printable(text, { hasStyles: false });
}
