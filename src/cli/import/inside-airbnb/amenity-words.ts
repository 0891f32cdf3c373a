import type { AmenityKey } from '../../../catalogue/amenities.ts';

/** The words of the published files for each amenity, separated by `|`. Words with a brand name or a size are not listed. */
const WORDS: Readonly<Partial<Record<AmenityKey, string>>> = {
  wifi: 'Wifi|Wireless Internet|Fast wifi',
  pocket_wifi: 'Pocket wifi',
  wired_internet: 'Ethernet connection',
  workspace: 'Dedicated workspace|Laptop friendly workspace',
  oven: 'Single oven|Double oven|Stainless steel oven|Stainless steel single oven',
  stove:
    'Electric stove|Gas stove|Induction stove|Stainless steel stove|Stainless steel electric stove|Stainless steel gas stove',
  coffee_machine:
    'Coffee maker|Coffee maker: drip coffee maker|Coffee maker: espresso machine|Coffee maker: Nespresso|Coffee maker: Keurig coffee machine|Coffee maker: drip coffee maker, Keurig coffee machine',
  kettle: 'Hot water kettle',
  rice_cooker: 'Rice maker',
  dishes: 'Dishes and silverware',
  barbecue:
    'BBQ grill|BBQ grill: charcoal|BBQ grill: electric|BBQ grill: gas|Private BBQ grill|Private BBQ grill: charcoal|Private BBQ grill: gas|Shared BBQ grill|Shared BBQ grill: charcoal|Shared BBQ grill: gas',
  heating: 'Central heating|Radiant heating|Heating - split type ductless system',
  air_conditioning:
    'Central air conditioning|Portable air conditioning|Window AC unit|AC - split type ductless system',
  portable_fan: 'Portable fans',
  fireplace:
    'Indoor fireplace|Indoor fireplace: electric|Indoor fireplace: gas|Indoor fireplace: wood-burning|Indoor fireplace: ethanol|Indoor fireplace: pellet stove',
  washing_machine:
    'Washer|Free washer|Free washer – In unit|Free washer – In building|Paid washer|Paid washer – In unit|Paid washer – In building',
  dryer:
    'Dryer|Free dryer|Free dryer – In unit|Free dryer – In building|Paid dryer|Paid dryer – In unit|Paid dryer – In building',
  drying_rack: 'Drying rack for clothing',
  bed_linen: 'Bed linens',
  wardrobe: 'Clothing storage: wardrobe',
  blackout_curtains: 'Room-darkening shades',
  television: 'TV|HDTV',
  cable_tv: 'Cable TV|TV with standard cable|HDTV with standard cable',
  sound_system: 'Bluetooth sound system',
  books: 'Books and reading material',
  table_tennis: 'Ping pong table',
  cot: 'Crib|Crib - always at the listing|Crib - available upon request',
  travel_cot:
    "Pack ’n play/Travel crib|Pack 'n Play/travel crib|Pack ’n play/Travel crib - always at the listing|Pack ’n play/Travel crib - available upon request",
  high_chair: 'High chair - always at the listing|High chair - available upon request',
  baby_bath: 'Baby bath - always at the listing',
  playground: 'Outdoor playground',
  suitable_for_children: 'Family/kid friendly',
  bicycles: 'Bikes',
  garden:
    'Backyard|Private backyard|Private backyard – Fully fenced|Private backyard – Not fully fenced|Shared backyard|Shared backyard – Fully fenced|Shared backyard – Not fully fenced|Garden or backyard',
  pool: 'Pool',
  hot_tub: 'Shared hot tub',
  sauna: 'Private sauna|Shared sauna',
  gym: 'Shared gym in building|Private gym in building',
  free_parking: 'Free parking on premises|Free driveway parking on premises|Free carport on premises',
  garage: 'Free residential garage on premises',
  paid_parking: 'Paid parking on premises|Paid parking off premises|Paid parking lot off premises',
  street_parking: 'Paid street parking off premises|Free street parking',
  ev_charger: 'EV charger|EV charger - level 1|EV charger - level 2',
  lift: 'Elevator|Elevator in building',
  key_box: 'Lockbox',
  luggage_dropoff: 'Luggage dropoff allowed',
  smoke_alarm: 'Smoke detector',
  carbon_monoxide_alarm: 'Carbon monoxide detector',
  security_cameras: 'Exterior security cameras on property',
  pets_allowed: 'Pets allowed',
  events_allowed: 'Suitable for events',
  long_stays: 'Long term stays allowed',
  cleaning_during_stay: 'Cleaning available during stay',
  sea_view: 'Sea view|Ocean view',
  lake_view: 'Lake view',
  mountain_view: 'Mountain view',
  city_view: 'City skyline view',
  garden_view: 'Garden view',
  pool_view: 'Pool view',
  beachfront: 'Beach access – Beachfront',
  ski_in_ski_out: 'Ski-in/Ski-out',
};

/** Maps the words of the published files to the vocabulary. */
export const AMENITY_WORDS: Readonly<Record<string, AmenityKey>> = Object.fromEntries(
  Object.entries(WORDS).flatMap(([key, words]) => words.split('|').map((word) => [word, key as AmenityKey])),
);
