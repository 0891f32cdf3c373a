import type { Seeded } from '../seeded.ts';
import { box, disc, glow, gradient, HEIGHT, oval, WIDTH } from './shapes.ts';

/** A time of day: the colours of the sky and the distance, and whether windows are lit. */
export type Light = {
  readonly sky: readonly string[];
  readonly sun: string;
  readonly sunHeight: number;
  readonly cloud: string;
  readonly far: string;
  readonly middle: string;
  readonly near: string;
  readonly sea: readonly [string, string];
  /** The tint that this time of day gives to near things, and how strong it is. */
  readonly veil: string;
  readonly veilStrength: number;
  readonly windowsLit: number;
  readonly stars: boolean;
};

export const LIGHTS = {
  morning: {
    sky: ['#9fd0ee', '#d8ecf5', '#fdf1dc'],
    sun: '#fff7dc',
    sunHeight: 300,
    cloud: '#ffffff',
    far: '#a9c4d6',
    middle: '#7fa3b8',
    near: '#5a7f93',
    sea: ['#7fb9cf', '#3f87a8'],
    veil: '#fff3d9',
    veilStrength: 0.05,
    windowsLit: 0.05,
    stars: false,
  },
  noon: {
    sky: ['#4f9fdc', '#9ccdf0', '#e3f3fb'],
    sun: '#ffffff',
    sunHeight: 130,
    cloud: '#ffffff',
    far: '#93b7cf',
    middle: '#6b97ae',
    near: '#4a7789',
    sea: ['#4bb3cc', '#1f7ea3'],
    veil: '#ffffff',
    veilStrength: 0,
    windowsLit: 0,
    stars: false,
  },
  golden: {
    sky: ['#7f9cc4', '#f3c49a', '#fbe3b8'],
    sun: '#fff0c2',
    sunHeight: 400,
    cloud: '#fde0c5',
    far: '#c9a48f',
    middle: '#a57a6b',
    near: '#7a5650',
    sea: ['#e6b58d', '#8d7f95'],
    veil: '#ff9d4d',
    veilStrength: 0.14,
    windowsLit: 0.25,
    stars: false,
  },
  dusk: {
    sky: ['#2f3e73', '#8a6a9c', '#f0a48f'],
    sun: '#ffd9b0',
    sunHeight: 480,
    cloud: '#c58fa5',
    far: '#6d5f8c',
    middle: '#4e4573',
    near: '#352f57',
    sea: ['#a07ba0', '#3d3f70'],
    veil: '#2a2458',
    veilStrength: 0.3,
    windowsLit: 0.6,
    stars: false,
  },
  night: {
    sky: ['#0f1a3a', '#1f2f5c', '#3f4a7d'],
    sun: '#f3efdc',
    sunHeight: 170,
    cloud: '#4a5585',
    far: '#2b3763',
    middle: '#1f294f',
    near: '#151c3a',
    sea: ['#2f406f', '#111a3c'],
    veil: '#0c1233',
    veilStrength: 0.48,
    windowsLit: 0.7,
    stars: true,
  },
} as const satisfies Record<string, Light>;

/** A drawing in this light: every colour is mixed with the tint. */
export function inLight(light: Light, drawing: readonly string[], strength = 1): string[] {
  const share = light.veilStrength * strength;
  if (share === 0) return [...drawing];
  return drawing.map((part) =>
    part.replaceAll(/#[0-9a-f]{6}\b/g, (colour) => mixed(colour, light.veil, share)),
  );
}

function mixed(colour: string, other: string, share: number): string {
  const channels = [1, 3, 5].map((start) => {
    const [one, two] = [colour, other].map((hex) => Number.parseInt(hex.slice(start, start + 2), 16));
    return Math.round((one ?? 0) * (1 - share) + (two ?? 0) * share);
  });
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** Most pictures are taken by day. */
export function pickLight(seeded: Seeded): Light {
  return LIGHTS[
    seeded.pick([
      'morning',
      'morning',
      'noon',
      'noon',
      'golden',
      'golden',
      'golden',
      'dusk',
      'night',
    ] as const)
  ];
}

/** The whole sky with sun or moon, clouds and stars. */
export function drawSky(seeded: Seeded, light: Light): string[] {
  const sunX = seeded.integer(180, WIDTH - 180);
  return [
    `<defs>${gradient('sky', light.sky)}${glow('halo', light.sun, 0.75)}</defs>`,
    box(0, 0, WIDTH, HEIGHT, 'url(#sky)'),
    ...(light.stars
      ? Array.from({ length: 70 }, () =>
          disc(seeded.integer(0, WIDTH), seeded.integer(0, 420), 0.8 + seeded.fraction() * 1.6, '#fff', {
            opacity: 0.35 + Math.round(seeded.fraction() * 50) / 100,
          }),
        )
      : []),
    disc(sunX, light.sunHeight, light.stars ? 120 : 230, 'url(#halo)'),
    disc(sunX, light.sunHeight, light.stars ? 34 : 44, light.sun),
    ...Array.from({ length: seeded.integer(2, 5) }, () => drawCloud(seeded, light)).flat(),
  ];
}

function drawCloud(seeded: Seeded, light: Light): string[] {
  const x = seeded.integer(-60, WIDTH);
  const y = seeded.integer(60, 330);
  const size = 0.6 + seeded.fraction() * 1.1;
  const opacity = 0.35 + Math.round(seeded.fraction() * 35) / 100;
  return [
    oval(x, y, 120 * size, 17 * size, light.cloud, { opacity }),
    oval(x - 34 * size, y - 13 * size, 52 * size, 23 * size, light.cloud, { opacity }),
    oval(x + 28 * size, y - 19 * size, 60 * size, 29 * size, light.cloud, { opacity }),
  ];
}
