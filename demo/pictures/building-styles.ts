import type { Character } from '../cities.ts';

/** Position, size and colours of the front of a building. */
export type Facade = {
  readonly x: number;
  /** The height of the street, on which everything stands. */
  readonly foot: number;
  readonly width: number;
  readonly floors: number;
  readonly wall: string;
  readonly trim: string;
  readonly door: string;
};

/** What the fronts of one city have in common. */
export type BuildingStyle = {
  readonly walls: readonly string[];
  readonly trims: readonly string[];
  readonly doors: readonly string[];
  readonly floorHeight: number;
  readonly windowWidth: number;
  readonly windowHeight: number;
};

export const BUILDING_STYLES: Record<Character, BuildingStyle> = {
  southern: {
    walls: ['#f2d7a6', '#eab68f', '#f5e6cf', '#d99b7c', '#bcd0d6', '#e9c7b5', '#cfe0dc', '#f0c987'],
    trims: ['#fbf4e6', '#f7efe2'],
    doors: ['#2f6b5e', '#2b5a8c', '#8c3b2e', '#5c6b3a'],
    floorHeight: 136,
    windowWidth: 56,
    windowHeight: 88,
  },
  boulevard: {
    walls: ['#ece2cf', '#e3d6bf', '#f0e8d8', '#ddcfb8'],
    trims: ['#fbf6ea', '#cdbfa5'],
    doors: ['#27473f', '#3c2f45', '#1f3657', '#5a2a2a'],
    floorHeight: 126,
    windowWidth: 48,
    windowHeight: 94,
  },
  georgian: {
    walls: ['#d9c39a', '#cdb58c', '#c2b8a6', '#b9ada0'],
    trims: ['#f5efe2', '#ece4d3'],
    doors: ['#1d3b34', '#7a1f2b', '#1f2f4f', '#2f2f33', '#c99a2e'],
    floorHeight: 132,
    windowWidth: 52,
    windowHeight: 92,
  },
  brick: {
    walls: ['#a5583f', '#8c4a3a', '#b56d4c', '#7d4538', '#6f5146'],
    trims: ['#efe5d5', '#e6d9c6'],
    doors: ['#1c2b3a', '#2f4a3a', '#111418', '#7a2a2a'],
    floorHeight: 130,
    windowWidth: 54,
    windowHeight: 90,
  },
  northern: {
    walls: ['#d9a441', '#c65f43', '#5f8f9c', '#e8dcc4', '#7f9f7a', '#c9856f', '#4f6f8f'],
    trims: ['#ffffff', '#f6f2ea'],
    doors: ['#20323f', '#5a2f2a', '#2f4f3f'],
    floorHeight: 122,
    windowWidth: 46,
    windowHeight: 74,
  },
  palm: {
    walls: ['#fbf7f0', '#f5ead9', '#f7d9cd', '#dfeceb', '#fff1d0'],
    trims: ['#c98d63', '#3f6f73', '#d8764f'],
    doors: ['#e07a5f', '#2a9d8f', '#e9a93f', '#335c67'],
    floorHeight: 142,
    windowWidth: 96,
    windowHeight: 84,
  },
  eastern: {
    walls: ['#e9dfcc', '#d6c7ae', '#efe9dd', '#c7b299'],
    trims: ['#4a3527', '#3b2c22', '#5d4433'],
    doors: ['#4a3527', '#3b2c22'],
    floorHeight: 128,
    windowWidth: 104,
    windowHeight: 70,
  },
};
