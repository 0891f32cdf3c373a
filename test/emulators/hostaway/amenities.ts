/** Names follow the vendor's own capitals, as in "Cable TV"; its whole list is not published. */
const NAMES: Readonly<Record<string, string>> = {
  tv: 'Cable TV',
  wifi: 'Wireless Internet',
  kitchen: 'Kitchen',
  dishwasher: 'Dishwasher',
  air_conditioning: 'Air conditioning',
  heating: 'Heating',
  washing_machine: 'Washing Machine',
  dryer: 'Dryer',
  pool: 'Swimming pool',
  parking: 'Free parking',
  pets_allowed: 'Pets allowed',
};
const KEYS = Object.keys(NAMES);
const CUSTOM_FROM = 900;

/** A listing names its amenities by number only; what is not on the list gets a number of its own. */
export function amenityIdOf(key: string): number {
  const index = KEYS.indexOf(key);
  return index === -1 ? CUSTOM_FROM + (textNumber(key) % 99) : index + 1;
}

export function amenitiesOf(homes: readonly { readonly amenities: readonly string[] }[]) {
  const custom = new Set(homes.flatMap(({ amenities }) => amenities).filter((key) => !(key in NAMES)));
  return [...KEYS, ...custom].map((key) => ({
    id: amenityIdOf(key),
    name: NAMES[key] ?? key.split('_').join(' '),
  }));
}

function textNumber(text: string): number {
  return [...text].reduce((sum, character) => sum * 31 + (character.codePointAt(0) ?? 0), 7) % 1_000_003;
}
