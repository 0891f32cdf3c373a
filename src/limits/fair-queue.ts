/** A caller by its names, from the widest to the narrowest, such as an assistant, its address and its session. */
export type Line = readonly string[];

/** A place in a line. Leaving says whether it was still waiting. */
export type QueuePlace<Item> = { readonly line: Line; readonly item: Item; leave(): boolean };

/**
 * Serves lines fairly: first the widest names, then the next level within each, and so on; within a line the first comes first. The
 * name goes first whose calls will have taken the least time, the next one as long as its last: one whose calls are long delays others
 * by the call that is under way. Equal ones take turns. Time without calls gives no advantage: a name begins with the time of the one
 * that was served last.
 */
export type FairQueue<Item> = {
  /** The same item may wait in several lines. */
  add(line: Line, item: Item): QueuePlace<Item>;
  /** Begins the call whose turn it is, of those in lines that may have one. */
  take(isAllowed?: (line: Line) => boolean): TakenCall<Item> | undefined;
  /** Begins a call that has not waited. Call what is returned when it ends. */
  begin(line: Line): () => void;
  /** Calls of these names that are under way; of no names: all calls. */
  underWay(names: Line): number;
  /** The last place of the name that has most of them, level by level. Of equals it is the one that `comer` belongs to. */
  lastOfLongest(comer: QueuePlace<Item>): QueuePlace<Item> | undefined;
  readonly size: number;
};

export type TakenCall<Item> = { readonly line: Line; readonly item: Item; end(): void };

/** A level of the tree of names. Its parts are in the order of their turns. */
type Level<Item> = {
  readonly parent: Level<Item> | null;
  readonly name: string | null;
  readonly parts: Map<string | null, Level<Item>>;
  readonly places: Set<HeldPlace<Item>>;
  waiting: number;
  calls: number;
  /** Time that calls have taken, less the moments at which those under way began. */
  used: number;
  /** What its last call took, and the next one is expected to take. */
  lastMs: number;
  /** What the part that was served last had used until then. */
  servedAt: number;
};

type HeldPlace<Item> = QueuePlace<Item> & { readonly level: Level<Item> };

/** The line of a level itself takes turns with the levels below. */
const OWN_LINE = null;

/** Time is shared among so many of the first names, assistants and their addresses; those below take turns, because a caller opens as many sessions as it likes. */
const SHARING_NAMES = 2;

/** Names without calls that a level stores. */
const MAX_IDLE = 1000;

export function createFairQueue<Item>(now: () => number): FairQueue<Item> {
  const root = emptyLevel<Item>(null, OWN_LINE);

  function leave(place: HeldPlace<Item>): boolean {
    const { level } = place;
    if (!level.places.delete(place)) return false;
    for (let at: Level<Item> | null = level; at; at = at.parent) {
      at.waiting -= 1;
      dropIfIdle(at);
    }
    return true;
  }

  function usedBy(level: Level<Item>): number {
    return level.used + level.calls * now();
  }

  /** For a name that comes back: nothing of it waited or was under way. */
  function forgetIdleTime(level: Level<Item>): void {
    if (level.waiting + level.calls === 0) level.used = Math.max(level.used, level.parent?.servedAt ?? 0);
  }

  /** A name that has used more than others is stored until nothing is under way, or too many are stored. */
  function dropIfIdle(level: Level<Item>): void {
    const { parent } = level;
    if (!parent || level.waiting > 0 || level.calls > 0) return;
    const isOfUse = root.calls + root.waiting > 0 && level.used > parent.servedAt;
    if (!isOfUse || parent.parts.size > MAX_IDLE) parent.parts.delete(level.name);
  }

  function firstAllowed(level: Level<Item>, isAllowed: (line: Line) => boolean): HeldPlace<Item> | undefined {
    const [first] = level.places;
    if (first && isAllowed(first.line)) return first;
    const waiting = [...level.parts.values()].filter((part) => part.waiting > 0);
    for (const part of waiting.sort((a, b) => usedBy(a) + a.lastMs - usedBy(b) - b.lastMs)) {
      const found = firstAllowed(part, isAllowed);
      if (found) return found;
    }
    return undefined;
  }

  function begin(line: Line): () => void {
    const beganAt = now();
    const levels = [root];
    for (const name of line.slice(0, SHARING_NAMES)) levels.push(partOf(levels.at(-1) ?? root, name));
    for (const level of levels) {
      forgetIdleTime(level);
      const { parent } = level;
      if (parent) parent.servedAt = Math.max(parent.servedAt, usedBy(level));
      level.used -= beganAt;
      level.calls += 1;
    }
    return () => {
      for (const level of levels) {
        level.calls -= 1;
        level.used += now();
        level.lastMs = now() - beganAt;
      }
      for (const level of levels.toReversed()) dropIfIdle(level);
      if (root.calls + root.waiting === 0) root.parts.clear();
    };
  }

  return {
    add(line, item) {
      let level = root;
      for (const name of [...line, OWN_LINE]) level = partOf(level, name);
      const place: HeldPlace<Item> = { line, item, level, leave: () => leave(place) };
      level.places.add(place);
      for (let at: Level<Item> | null = level; at; at = at.parent) {
        forgetIdleTime(at);
        at.waiting += 1;
      }
      return place;
    },
    take(isAllowed = () => true) {
      const place = root.waiting > 0 ? firstAllowed(root, isAllowed) : undefined;
      if (!place) return undefined;
      const { line, item } = place;
      // Before it leaves the line, which would otherwise begin anew.
      const end = begin(line);
      for (let at = place.level; at.parent; at = at.parent) {
        at.parent.parts.delete(at.name);
        at.parent.parts.set(at.name, at);
      }
      leave(place);
      return { line, item, end };
    },
    begin,
    underWay(names) {
      let level: Level<Item> | undefined = root;
      for (const name of names) level = level?.parts.get(name);
      return level?.calls ?? 0;
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

function emptyLevel<Item>(parent: Level<Item> | null, name: string | null): Level<Item> {
  return {
    parent,
    name,
    parts: new Map(),
    places: new Set(),
    waiting: 0,
    calls: 0,
    used: 0,
    lastMs: 0,
    servedAt: 0,
  };
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
