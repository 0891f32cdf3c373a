/** The names of a caller, from the widest to the narrowest, such as assistant, address and session. */
export type Line = readonly string[];

/** A place in a line. Leaving returns whether it was still waiting. */
export type QueuePlace<Item> = { readonly line: Line; readonly item: Item; leave(): boolean };

/**
 * Serves lines fairly: among the widest names, then among the next level within each, and so on; each line is first in, first out. The
 * next name is the one with the least used time, where its next call is assumed to take as long as its last. Slow calls thus delay
 * others only by the call in flight. Equal names take turns. Idle time gives no advantage: a name starts with the used time of the
 * one served last.
 */
export type FairQueue<Item> = {
  /** The same item may wait in several lines. */
  add(line: Line, item: Item): QueuePlace<Item>;
  /** Begins the next call among the lines that may have one. */
  take(isAllowed?: (line: Line) => boolean): TakenCall<Item> | undefined;
  /** Begins a call without waiting. Call the returned function when it ends. */
  begin(line: Line): () => void;
  /** Calls in flight of these names; without names: all calls. */
  underWay(names: Line): number;
  /** The last place of the name with most places, level by level. Among equals, the name that `comer` belongs to. */
  lastOfLongest(comer: QueuePlace<Item>): QueuePlace<Item> | undefined;
  readonly size: number;
};

export type TakenCall<Item> = { readonly line: Line; readonly item: Item; end(): void };

/** A level of the tree of names. Its parts are in order of their turns. */
type Level<Item> = {
  readonly parent: Level<Item> | null;
  readonly name: string | null;
  readonly parts: Map<string | null, Level<Item>>;
  readonly places: Set<HeldPlace<Item>>;
  waiting: number;
  calls: number;
  /** The time of ended calls, minus the start times of those in flight. */
  used: number;
  /** The time of its last call, and the estimate for the next. */
  lastMs: number;
  /** The used time of the part that was served last. */
  servedAt: number;
};

type HeldPlace<Item> = QueuePlace<Item> & { readonly level: Level<Item> };

/** The line of this level takes turns with the levels below. */
const OWN_LINE = null;

/** The number of levels that share time, assistants and their addresses; the levels below take turns, because a caller can open any number of sessions. */
const SHARING_NAMES = 2;

/** How many names without calls a level stores. */
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

  /** A name that returns without calls waiting or in flight gains nothing from its idle time. */
  function forgetIdleTime(level: Level<Item>): void {
    if (level.waiting + level.calls === 0) level.used = Math.max(level.used, level.parent?.servedAt ?? 0);
  }

  /** Stores a name that used more than others, until no call is in flight or too many names are stored. */
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
      // Begin before it leaves the line: an idle level would be removed and start anew.
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
  // The queue created this place itself.
  const { level } = place as HeldPlace<Item>;
  for (let at: Level<Item> | null = level; at; at = at.parent) levels.add(at);
  return levels;
}
