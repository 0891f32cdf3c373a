/** Who waits, from the widest to the narrowest, such as an assistant, its address and its session. */
export type Line = readonly string[];

/** A place in a line. Leaving says whether it was still waiting. */
export type QueuePlace<Item> = { readonly line: Line; readonly item: Item; leave(): boolean };

/**
 * Serves lines by turns: first the widest names take turns, then the next level within each, and so on; within a line the first
 * comes first. However many wait in one line, another one waits for a single turn of it.
 */
export type FairQueue<Item> = {
  /** The same item may wait in several lines. */
  add(line: Line, item: Item): QueuePlace<Item>;
  /** Takes the place whose turn it is, of those in lines that may have one. */
  take(isAllowed?: (line: Line) => boolean): QueuePlace<Item> | undefined;
  /** The last place of whoever has most of them, level by level. Of equals it is the one that `comer` belongs to. */
  lastOfLongest(comer: QueuePlace<Item>): QueuePlace<Item> | undefined;
  readonly size: number;
};

/** A level of the tree of names. Its parts are in the order of their turns; only those where somebody waits are kept. */
type Level<Item> = {
  readonly parent: Level<Item> | null;
  readonly name: string | null;
  readonly parts: Map<string | null, Level<Item>>;
  readonly places: Set<HeldPlace<Item>>;
  waiting: number;
};

type HeldPlace<Item> = QueuePlace<Item> & { readonly level: Level<Item> };

/** The line of a level itself takes turns with the levels below. */
const OWN_LINE = null;

export function createFairQueue<Item>(): FairQueue<Item> {
  const root = emptyLevel<Item>(null, OWN_LINE);

  function leave(place: HeldPlace<Item>): boolean {
    const { level } = place;
    if (!level.places.delete(place)) return false;
    for (let at: Level<Item> | null = level; at; at = at.parent) {
      at.waiting -= 1;
      if (at.waiting === 0) at.parent?.parts.delete(at.name);
    }
    return true;
  }

  return {
    add(line, item) {
      let level = root;
      for (const name of [...line, OWN_LINE]) level = partOf(level, name);
      const place: HeldPlace<Item> = { line, item, level, leave: () => leave(place) };
      level.places.add(place);
      for (let at: Level<Item> | null = level; at; at = at.parent) at.waiting += 1;
      return place;
    },
    take(isAllowed = () => true) {
      const place = root.waiting > 0 ? firstAllowed(root, isAllowed) : undefined;
      if (!place) return undefined;
      for (let at = place.level; at.parent; at = at.parent) {
        at.parent.parts.delete(at.name);
        at.parent.parts.set(at.name, at);
      }
      leave(place);
      return place;
    },
    lastOfLongest(comer) {
      const own = levelsAbove(comer);
      let level = root;
      while (level.parts.size > 0) {
        let longest: Level<Item> | undefined;
        for (const part of level.parts.values()) {
          const isLonger = !longest || part.waiting > longest.waiting;
          if (isLonger || (part.waiting === longest?.waiting && own.has(part))) longest = part;
        }
        if (!longest) break;
        level = longest;
      }
      return [...level.places].at(-1);
    },
    get size() {
      return root.waiting;
    },
  };
}

function firstAllowed<Item>(
  level: Level<Item>,
  isAllowed: (line: Line) => boolean,
): HeldPlace<Item> | undefined {
  const [first] = level.places;
  if (first && isAllowed(first.line)) return first;
  for (const part of level.parts.values()) {
    const found = firstAllowed(part, isAllowed);
    if (found) return found;
  }
  return undefined;
}

function emptyLevel<Item>(parent: Level<Item> | null, name: string | null): Level<Item> {
  return { parent, name, parts: new Map(), places: new Set(), waiting: 0 };
}

function partOf<Item>(level: Level<Item>, name: string | null): Level<Item> {
  const known = level.parts.get(name);
  if (known) return known;
  const part = emptyLevel(level, name);
  level.parts.set(name, part);
  return part;
}

function levelsAbove<Item>(place: QueuePlace<Item>): ReadonlySet<Level<Item>> {
  const levels = new Set<Level<Item>>();
  // Every place that this queue gives out is held in it.
  const { level } = place as HeldPlace<Item>;
  for (let at: Level<Item> | null = level; at; at = at.parent) levels.add(at);
  return levels;
}
