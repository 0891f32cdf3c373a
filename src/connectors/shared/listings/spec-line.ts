/**
 * What a listing page says below its name, where only the numbers are known: `2 bedrooms · 3 beds · 1 bathroom · 70 m²`. How many it sleeps is
 * for a line that would be empty otherwise, because it is shown beside the line.
 */
export function specLineOf({
  sleeps,
  bedrooms,
  beds,
  bathrooms,
  squareMetres,
}: {
  readonly sleeps?: number | null | undefined;
  readonly bedrooms?: number | null | undefined;
  readonly beds?: number | null | undefined;
  readonly bathrooms?: number | null | undefined;
  readonly squareMetres?: number | null | undefined;
}): string {
  const parts = [
    counted(bedrooms, 'bedroom'),
    counted(beds, 'bed'),
    counted(bathrooms, 'bathroom'),
    squareMetres ? `${squareMetres} m²` : '',
  ].filter((part) => part !== '');
  if (parts.length === 0 && sleeps) return `Sleeps ${sleeps}`;
  return parts.join(' · ');
}

function counted(count: number | null | undefined, noun: string): string {
  if (!count) return '';
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
