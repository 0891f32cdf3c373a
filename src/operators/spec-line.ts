/** What a home is and how large, in a line; empty when nothing of it is known. */
export function specLine({
  kind = '',
  bedrooms,
  bathrooms,
  area = '',
}: {
  readonly kind?: string;
  readonly bedrooms: number | null;
  readonly bathrooms: number | null;
  /** With its unit. */
  readonly area?: string;
}): string {
  const counted = (count: number | null, one: string, many: string) =>
    count === null || count <= 0 ? '' : `${count} ${count === 1 ? one : many}`;
  return [kind, counted(bedrooms, 'bedroom', 'bedrooms'), counted(bathrooms, 'bathroom', 'bathrooms'), area]
    .filter((part) => part !== '')
    .join(' · ');
}
