import type { InputRandom } from './input-random.ts';
import { nested, oddName, oddNumber, oddText, oddValue } from './odd-values.ts';

/** Where a value is kept: a member of an object, or a position in a list. */
type Slot = { readonly holder: object; readonly key: string | number };

/** Most inputs are small, so that there can be many; the rare great ones go beyond every limit on a list or a text. */
const MODEST_CHARACTERS = 8 * 1024;
const MAX_CHARACTERS = 256 * 1024;
const REPETITIONS: readonly number[] = [1, 2, 10, 51, 101];
const GREAT_REPETITIONS: readonly number[] = [201, 501, 1001];
/** Deeper values are reached by mutating what holds them. */
const MAX_DEPTH = 12;

/** A copy of a valid value with one to four changes, each at a random place. */
export function mutatedJson(value: unknown, random: InputRandom): unknown {
  // Held in a list, so that the whole value can be replaced like any part of it.
  const root: unknown[] = [structuredClone(value)];
  for (let changes = 1 + random.integer(4); changes > 0; changes -= 1) {
    change(random.pick(slotsIn(root)), random);
  }
  return root[0];
}

function change(slot: Slot, random: InputRandom): void {
  const value = valueAt(slot);
  switch (random.integer(8)) {
    case 0:
    case 1:
      set(slot, oddValue(random));
      break;
    case 2:
      remove(slot);
      break;
    case 3:
      set(slot, nested(value, random));
      break;
    case 4:
      add(slot, random);
      break;
    case 5:
      repeat(slot, random);
      break;
    default:
      set(slot, nearMiss(value, random));
  }
}

/** Of the same type as before, so that the reader does not stop at the type. */
function nearMiss(value: unknown, random: InputRandom): unknown {
  if (typeof value === 'number') {
    return random.pick([-value, value + 0.5, value * 1e10, value + 1, oddNumber(random)]);
  }
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'string') return oddValue(random);
  const at = random.integer(value.length + 1);
  switch (random.integer(5)) {
    case 0:
      return value.slice(0, at);
    case 1:
      return value.slice(0, at) + oddText(random) + value.slice(at);
    case 2:
      return value.repeat(timesWithin(value, random.pick(REPETITIONS), random));
    case 3:
      return random.oneIn(2) ? value.toUpperCase() : ` ${value} `;
    default:
      return oddText(random);
  }
}

function add({ holder, key }: Slot, random: InputRandom): void {
  const value = valueAt({ holder, key });
  if (Array.isArray(value)) value.push(oddValue(random));
  else if (typeof value === 'object' && value !== null) define(value, oddName(random), oddValue(random));
  else if (!Array.isArray(holder)) define(holder, oddName(random), oddValue(random));
}

function repeat(slot: Slot, random: InputRandom): void {
  const value = valueAt(slot);
  const times = timesWithin(value, random.pick(random.oneIn(8) ? GREAT_REPETITIONS : REPETITIONS), random);
  if (Array.isArray(slot.holder)) slot.holder.push(...Array.from({ length: times }, () => value));
  else
    set(
      slot,
      Array.isArray(value) && value.length > 0 ? Array(times).fill(value[0]) : Array(times).fill(value),
    );
}

function timesWithin(value: unknown, times: number, random: InputRandom): number {
  const length = JSON.stringify(value)?.length ?? 1;
  const room = random.oneIn(64) ? MAX_CHARACTERS : MODEST_CHARACTERS;
  return Math.min(times, Math.max(1, Math.floor(room / length)));
}

function slotsIn(root: object): Slot[] {
  const slots: Slot[] = [];
  const visit = (holder: object, depth: number) => {
    const keys = Array.isArray(holder) ? holder.keys() : Object.keys(holder);
    for (const key of keys) {
      const slot = { holder, key };
      slots.push(slot);
      const value = valueAt(slot);
      if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) visit(value, depth + 1);
    }
  };
  visit(root, 0);
  return slots;
}

function valueAt({ holder, key }: Slot): unknown {
  return Reflect.get(holder, key);
}

function set({ holder, key }: Slot, value: unknown): void {
  if (Array.isArray(holder)) holder[Number(key)] = value;
  else define(holder, String(key), value);
}

function remove({ holder, key }: Slot): void {
  if (Array.isArray(holder) && holder.length > 1) holder.splice(Number(key), 1);
  else if (Array.isArray(holder)) holder[0] = null;
  else Reflect.deleteProperty(holder, key);
}

/** Also a member of the name `__proto__`, which an assignment would not make. */
function define(holder: object, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
}
