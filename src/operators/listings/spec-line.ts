/** What a listing page says below its name, where the vendor gives the numbers only: `2 bedrooms · 3 beds · 1 bathroom · 70 m²`. */
export function specLineOf({
  bedrooms,
  beds,
  bathrooms,
  squareMetres,
}: {
  readonly bedrooms: number | undefined;
  readonly beds: number | undefined;
  readonly bathrooms: number | undefined;
  readonly squareMetres: number | undefined;
}): string {
  const parts = [
    counted(bedrooms, 'bedroom'),
    counted(beds, 'bed'),
    counted(bathrooms, 'bathroom'),
    squareMetres ? `${squareMetres} m²` : '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

function counted(count: number | undefined, noun: string): string {
  if (!count) return '';
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
