import type { CliTools } from '../command.ts';
import { counted } from '../counted.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const;
const FRAME_MS = 100;
const MAX_NAMED_BRANDS = 5;

/** `Casa Azul, Driftlark and 12 more` */
export function brandsText(names: readonly string[]): string {
  const named = names.slice(0, MAX_NAMED_BRANDS);
  const others = names.length - named.length;
  if (others > 0) return `${named.join(', ')} and ${others.toLocaleString('en')} more`;
  return named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : named.join('');
}

/** A line that turns and counts the seconds until the brands have answered. */
export async function whileAsking<Answer>(
  names: readonly string[],
  work: Promise<Answer>,
  /** How many were asked; none where the service answered by itself. */
  askedIn: (answer: Answer) => number,
  { terminal, clock }: Pick<CliTools, 'terminal' | 'clock'>,
): Promise<Answer> {
  const line = terminal.wait();
  const startedAt = clock.elapsed();
  let cancel = () => {};
  let frame = 0;
  turn();
  try {
    const answer = await work;
    const asked = askedIn(answer);
    const whom = asked > 0 ? counted(asked, 'brand') : 'the service';
    line.end(`Asked ${whom} in ${((clock.elapsed() - startedAt) / 1000).toFixed(1)} s.`);
    return answer;
  } catch (error) {
    line.end('Asked the service; no answer came.');
    throw error;
  } finally {
    cancel();
  }

  function turn(): void {
    const seconds = Math.floor((clock.elapsed() - startedAt) / 1000);
    const whom = names.length > 0 ? brandsText(names) : 'the service';
    // The seconds are first, because a long line is cut at its end.
    line.show(`${FRAMES[frame % FRAMES.length]} ${seconds} s  Asking ${whom} …`);
    frame += 1;
    cancel = clock.after(FRAME_MS, turn);
  }
}
