export type CancellationPolicy = {
  readonly summary: string;
  readonly freeUntil: { readonly days_before: number; readonly time: string } | null;
};

export const CANCELLATION_POLICIES: readonly CancellationPolicy[] = [
  {
    summary:
      'Free cancellation until 18:00 on the day before arrival. After that, or if you do not arrive, the first night is charged.',
    freeUntil: { days_before: 1, time: '18:00' },
  },
  {
    summary:
      'Cancel free of charge up to 5 days before check-in, until 14:00 local time. Later than that we keep half of the price.',
    freeUntil: { days_before: 5, time: '14:00' },
  },
  {
    summary:
      'Full refund up to 14 days before arrival, half of the price up to 7 days before. No refund after that, unless we can let the nights again.',
    freeUntil: { days_before: 14, time: '23:59' },
  },
  {
    summary: 'Full refund up to 30 days before arrival. Afterwards you may change your dates once.',
    freeUntil: { days_before: 30, time: '12:00' },
  },
  {
    summary: 'This rate cannot be refunded. You may pass the stay on to somebody else free of charge.',
    freeUntil: null,
  },
];
