import type { Property } from '../properties.ts';
import type { Seeded } from '../seeded.ts';
import { drawHills, drawSkyline } from './horizon.ts';
import { LIGHTS, type Light } from './light.ts';
import { box, curve, disc, gradient, group, HEIGHT, oval, stroke, WIDTH } from './shapes.ts';

/** What all rooms have: a wall, a floor, a window with the city in it, and the colours of the house. */
export type Tones = {
  readonly wall: string;
  readonly floor: string;
  readonly plank: string;
  readonly main: string;
  readonly accent: string;
  readonly wood: string;
  readonly linen: string;
};

const TONES: Record<string, readonly Tones[]> = {
  'casa-lumeira': [
    {
      wall: '#f4ead9',
      floor: '#c98f63',
      plank: '#b57c52',
      main: '#2f5d8c',
      accent: '#e0a03f',
      wood: '#8a5a3b',
      linen: '#fdf8ee',
    },
    {
      wall: '#dfe8ee',
      floor: '#c79a72',
      plank: '#b4865e',
      main: '#c8553d',
      accent: '#2f5d8c',
      wood: '#7d5237',
      linen: '#fffaf2',
    },
  ],
  hearthlane: [
    {
      wall: '#3f5a4c',
      floor: '#7a5237',
      plank: '#69452d',
      main: '#a5583f',
      accent: '#d8a648',
      wood: '#4f3423',
      linen: '#f3eadb',
    },
    {
      wall: '#c9bfa8',
      floor: '#84593b',
      plank: '#714b31',
      main: '#2f4a3f',
      accent: '#b5472f',
      wood: '#54382a',
      linen: '#f7f0e3',
    },
  ],
  stillehus: [
    {
      wall: '#eeece7',
      floor: '#dcc7a8',
      plank: '#cdb693',
      main: '#8b928c',
      accent: '#c79a3f',
      wood: '#d0b189',
      linen: '#ffffff',
    },
    {
      wall: '#e3e6e6',
      floor: '#d8c6ae',
      plank: '#c9b59a',
      main: '#5d6a6f',
      accent: '#a9674a',
      wood: '#c9aa80',
      linen: '#fbfbf9',
    },
  ],
  driftlark: [
    {
      wall: '#fff5ea',
      floor: '#e3c9a6',
      plank: '#d6b98f',
      main: '#2a9d8f',
      accent: '#ff7f6b',
      wood: '#b98a5e',
      linen: '#ffffff',
    },
    {
      wall: '#e4f2f1',
      floor: '#dcc3a0',
      plank: '#cfb28a',
      main: '#ff7f6b',
      accent: '#f4b942',
      wood: '#b07f55',
      linen: '#fffdf8',
    },
  ],
  'quince-and-key': [
    {
      wall: '#ecdcc0',
      floor: '#b5623f',
      plank: '#a35432',
      main: '#6f2232',
      accent: '#7d8446',
      wood: '#5d3a26',
      linen: '#fbf4e4',
    },
    {
      wall: '#d9c9a5',
      floor: '#ad6a48',
      plank: '#9a5a3b',
      main: '#5f6b3a',
      accent: '#8c2f39',
      wood: '#55371f',
      linen: '#fdf6e6',
    },
  ],
  kumori: [
    {
      wall: '#efe8da',
      floor: '#cdbb8a',
      plank: '#bba872',
      main: '#2f3f6f',
      accent: '#c8452f',
      wood: '#5d4433',
      linen: '#faf7f0',
    },
    {
      wall: '#e2e0d8',
      floor: '#c9b98f',
      plank: '#b8a677',
      main: '#57534c',
      accent: '#7a8f5c',
      wood: '#4a3527',
      linen: '#fbfaf5',
    },
  ],
};

export function pickTones(seeded: Seeded, property: Property): Tones {
  return seeded.pick(TONES[property.brand.source] ?? []);
}

export function pickRoomLight(seeded: Seeded): Light {
  return LIGHTS[seeded.pick(['morning', 'noon', 'golden', 'golden', 'dusk'] as const)];
}

export const FLOOR = 590;

export function drawRoom(tones: Tones): string[] {
  const planks = Array.from({ length: 13 }, (_, index) => {
    const far = index * 100;
    return stroke(`M${far} ${FLOOR} L${(far - 600) * 1.9 + 600} ${HEIGHT}`, tones.plank, 3, 0.8);
  });
  return [
    box(0, 0, WIDTH, FLOOR, tones.wall),
    box(0, FLOOR, WIDTH, HEIGHT - FLOOR, tones.floor),
    ...planks,
    box(0, FLOOR - 18, WIDTH, 18, '#fff', { opacity: 0.55 }),
  ];
}

type Frame = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** The city through the glass, drawn small, and the light that falls in. */
export function drawWindowWithView(seeded: Seeded, property: Property, light: Light, frame: Frame): string[] {
  const { x, y, width, height } = frame;
  const id = `pane${Math.round(x)}`;
  const scale = (width / WIDTH) * 1.3;
  const outside = [
    disc(seeded.integer(200, 700), light.sunHeight, 60, light.sun),
    drawHills(seeded, light.far, 560, 120),
    ...drawSkyline(seeded, light, property.city.character, 620),
    box(0, 600, WIDTH, 1200, light.near),
  ];
  return [
    `<defs>${gradient(`${id}sky`, light.sky)}<clipPath id="${id}"><rect x="${x}" y="${y}" width="${width}" height="${height}"/></clipPath></defs>`,
    box(x - 16, y - 16, width + 32, height + 32, '#fbf8f2'),
    box(x, y, width, height, `url(#${id}sky)`),
    group(
      [
        group(
          outside,
          `transform="translate(${x} ${y + height * 0.86 - 620 * scale}) scale(${scale.toFixed(3)})"`,
        ),
      ],
      `clip-path="url(#${id})"`,
    ),
    box(x + width / 2 - 5, y, 10, height, '#fbf8f2'),
    box(x, y + height * 0.36, width, 7, '#fbf8f2'),
    box(x - 26, y + height + 12, width + 52, 16, '#f1ebe0'),
    curve(`M${x} ${FLOOR} h${width} l${width * 0.5} 210 h${-width * 1.2} Z`, light.sun, { opacity: 0.2 }),
  ];
}

export function drawCurtains({ x, y, width }: Frame, colour: string): string[] {
  const folds = (start: number) =>
    [0, 1, 2, 3].map((fold) =>
      box(start + fold * 20, y - 30, 21, FLOOR - y + 18, colour, { opacity: fold % 2 === 0 ? 0.95 : 0.78 }),
    );
  return [
    stroke(`M${x - 110} ${y - 36} H${x + width + 110}`, '#8a7a63', 8),
    ...folds(x - 96),
    ...folds(x + width + 16),
  ];
}

export function drawPlant(seeded: Seeded, x: number, foot: number, height: number): string[] {
  const leaves = Array.from({ length: 9 }, (_, index) => {
    const lean = (index - 4) / 4;
    const reach = height * (0.6 + seeded.fraction() * 0.4);
    const colour = index % 2 === 0 ? '#4c7f50' : '#6a9a5e';
    return stroke(
      `M${x} ${foot - 60} Q${x + lean * 20} ${foot - 60 - reach * 0.7} ${x + lean * height * 0.42} ${foot - 60 - reach}`,
      colour,
      15,
    );
  });
  return [
    ...leaves,
    curve(`M${x - 38} ${foot - 76} h76 l-12 76 h-52 Z`, '#d9cbb5'),
    box(x - 42, foot - 80, 84, 14, '#e6dac7', { radius: 4 }),
  ];
}

/** A framed picture: sun and hills, in the colours of the house. */
export function drawArtwork(seeded: Seeded, tones: Tones, { x, y, width, height }: Frame): string[] {
  const sun = seeded.integer(30, 70) / 100;
  return [
    box(x, y, width, height, tones.wood),
    box(x + 9, y + 9, width - 18, height - 18, tones.linen),
    disc(x + width * sun, y + height * 0.42, Math.min(width, height) * 0.17, tones.accent),
    curve(
      `M${x + 20} ${y + height - 20} Q${x + width * 0.35} ${y + height * 0.42} ${x + width * 0.6} ${y + height - 20} Z`,
      tones.main,
    ),
    curve(
      `M${x + width * 0.36} ${y + height - 20} Q${x + width * 0.7} ${y + height * 0.56} ${x + width - 20} ${y + height - 20} Z`,
      tones.main,
      { opacity: 0.6 },
    ),
  ];
}

export function drawFloorLamp(x: number, foot: number, shade: string): string[] {
  return [
    disc(x, foot - 350, 150, '#ffe6ac', { opacity: 0.22 }),
    stroke(`M${x} ${foot} V${foot - 330}`, '#3a342d', 7),
    oval(x, foot, 46, 9, '#3a342d'),
    curve(`M${x - 38} ${foot - 400} h76 l26 84 h-128 Z`, shade),
  ];
}
