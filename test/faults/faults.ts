import type { ClusterNode } from '../support/node-cluster.ts';

/** A server that a test stops and starts. */
export type StoppableServer = { stop(): Promise<void>; start(): Promise<void> };

export type Victims = {
  readonly nodes: readonly ClusterNode[];
  readonly redis: StoppableServer;
  readonly postgres: StoppableServer;
  readonly pick: <Item>(items: readonly Item[]) => Item;
};

/** Something that goes wrong while travellers search. It begins, lasts for a while, and ends. */
export type Fault = { begin(): Promise<void>; end(): Promise<void> };

/** What an owner's machines and networks do to a cluster. Each kind is drawn by the seed of the run. */
export const FAULTS = {
  'a node is killed': ({ nodes, pick }) => {
    const node = pick(nodes);
    return { begin: () => node.kill(), end: () => node.start() };
  },
  'a node is updated': ({ nodes, pick }) => {
    const node = pick(nodes);
    return { begin: () => node.stop(), end: () => node.start() };
  },
  'Redis is down': ({ redis }) => ({ begin: () => redis.stop(), end: () => redis.start() }),
  'PostgreSQL is down': ({ postgres }) => ({ begin: () => postgres.stop(), end: () => postgres.start() }),
  'connections of a node are cut': ({ nodes, pick }) => {
    const { redis, postgres } = pick(nodes);
    return {
      async begin() {
        redis.cut();
        postgres.cut();
      },
      async end() {},
    };
  },
  'a node cannot reach Redis': ({ nodes, pick }) => {
    const { redis } = pick(nodes);
    return { begin: async () => redis.refuse(), end: async () => redis.resume() };
  },
  'a node cannot reach PostgreSQL': ({ nodes, pick }) => {
    const { postgres } = pick(nodes);
    return { begin: async () => postgres.refuse(), end: async () => postgres.resume() };
  },
  'Redis hangs for a node': ({ nodes, pick }) => {
    const { redis } = pick(nodes);
    return { begin: async () => redis.hang(), end: async () => redis.resume() };
  },
  'PostgreSQL hangs for a node': ({ nodes, pick }) => {
    const { postgres } = pick(nodes);
    return { begin: async () => postgres.hang(), end: async () => postgres.resume() };
  },
  'answers of Redis get lost': ({ nodes, pick }) => {
    const { redis } = pick(nodes);
    return {
      begin: async () => redis.swallowAnswers(),
      async end() {
        // What waits for an answer that was swallowed would wait for as long as the connection lives.
        redis.resume();
        redis.cut();
      },
    };
  },
  'the stores are slow': ({ nodes }) => ({
    async begin() {
      for (const { redis, postgres } of nodes) {
        redis.delay(150);
        postgres.delay(150);
      }
    },
    async end() {
      for (const { redis, postgres } of nodes) {
        redis.resume();
        postgres.resume();
      }
    },
  }),
} as const satisfies Record<string, (victims: Victims) => Fault>;

export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as readonly FaultName[];
