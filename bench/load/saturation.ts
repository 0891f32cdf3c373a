export type Saturation = { readonly width: number; readonly rate: number };

/** A wider load has to bring so much more, or it only waits longer. */
const WORTHWHILE = 1.05;
/** One that brings no more may have met with other work on the machine. */
const MAX_IN_VAIN = 2;

/** The width from which on wider loads bring no more, and its rate; the widest that was tried where each brought more. */
export async function findSaturation(
  widths: readonly number[],
  rateAt: (width: number) => Promise<number>,
): Promise<Saturation> {
  let best: Saturation = { width: widths[0] ?? 1, rate: 0 };
  let inVain = 0;
  for (const width of widths) {
    const rate = await rateAt(width);
    if (rate < best.rate * WORTHWHILE) inVain += 1;
    else [best, inVain] = [{ width, rate }, 0];
    if (inVain === MAX_IN_VAIN) break;
  }
  return best;
}
