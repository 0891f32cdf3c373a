import type { Clock } from '../clock.ts';
import type { RefusedNights } from '../inventory/availability-index/availability-index.ts';
import type { PropertyId } from '../inventory/catalogue.ts';

/** Of one property, so that whoever tries one stay after the other does not fill the memory. The oldest is forgotten first. */
const MAX_REMEMBERED = 100;

export type Refusals = {
  /** The operator has just refused a stay over these nights. */
  remember(property: PropertyId, nights: RefusedNights): void;
  /** What was refused recently. */
  of(property: PropertyId): readonly RefusedNights[];
  /** Remembers nothing any more. */
  stop(): void;
};

type Remembered = { readonly nights: RefusedNights; readonly cancelEnd: () => void };

/**
 * Many booking systems publish a calendar that lags behind their own quotes. For `memoryMs` a refusal outweighs the
 * calendar; otherwise travellers would be offered the same stay again. Then the calendar is believed again.
 */
export function createRefusals({
  clock,
  memoryMs,
  onChange,
}: {
  readonly clock: Clock;
  readonly memoryMs: number;
  /** Called with what is remembered now. */
  readonly onChange: (property: PropertyId, refused: readonly RefusedNights[]) => void;
}): Refusals {
  const rememberedOf = new Map<PropertyId, readonly Remembered[]>();
  let isStopped = false;

  const nightsOf = (property: PropertyId) => (rememberedOf.get(property) ?? []).map(({ nights }) => nights);

  function replace(property: PropertyId, remembered: readonly Remembered[]): void {
    if (remembered.length > 0) rememberedOf.set(property, remembered);
    else rememberedOf.delete(property);
    onChange(property, nightsOf(property));
  }

  function forget(property: PropertyId, nights: RefusedNights): void {
    const remembered = rememberedOf.get(property) ?? [];
    replace(
      property,
      remembered.filter((one) => one.nights !== nights),
    );
  }

  return {
    remember(property, nights) {
      if (isStopped) return;
      const [same, others] = partition(rememberedOf.get(property) ?? [], nights);
      const dropped = others.slice(0, Math.max(0, others.length + 1 - MAX_REMEMBERED));
      for (const { cancelEnd } of [...same, ...dropped]) cancelEnd();
      const cancelEnd = clock.after(memoryMs, () => forget(property, nights));
      replace(property, [...others.slice(dropped.length), { nights, cancelEnd }]);
    },
    of: nightsOf,
    stop() {
      isStopped = true;
      for (const remembered of rememberedOf.values()) for (const { cancelEnd } of remembered) cancelEnd();
      rememberedOf.clear();
    },
  };
}

function partition(
  remembered: readonly Remembered[],
  { from, to }: RefusedNights,
): readonly [readonly Remembered[], readonly Remembered[]] {
  const isSame = ({ nights }: Remembered) => nights.from === from && nights.to === to;
  return [remembered.filter(isSame), remembered.filter((one) => !isSame(one))];
}
