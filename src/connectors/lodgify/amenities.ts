import type { AmenityKey } from '../../catalogue/amenities.ts';
import { createAmenityMap, type MappedAmenities } from '../shared/listings/amenities.ts';

/**
 * Names in the vendor's answers about rooms. Its websites translate `HeatingACGeneral` as "heating available". `EntertainmentInternet`
 * is missing because `has_wifi` says more, and so are ambiguous names such as `SanitaryTub`.
 */
const BY_NAME: Readonly<Record<string, AmenityKey>> = {
  CookingEatingBlender: 'blender',
  CookingEatingChildsHighChair: 'high_chair',
  CookingEatingCoffeeMachine: 'coffee_machine',
  CookingEatingDishWasher: 'dishwasher',
  CookingEatingKitchenStove: 'stove',
  CookingEatingMicrowave: 'microwave',
  CookingEatingOven: 'oven',
  CookingEatingRefrigerator: 'refrigerator',
  CookingEatingToaster: 'toaster',
  EntertainmentPiano: 'piano',
  EntertainmentStereoSystem: 'sound_system',
  EntertainmentTVAntenna: 'television',
  HeatingACAirConditioning: 'air_conditioning',
  HeatingACCeilingFans: 'ceiling_fan',
  HeatingACCentralHeating: 'heating',
  HeatingACElectricHeating: 'heating',
  HeatingACFireplace: 'fireplace',
  HeatingACGeneral: 'heating',
  LaundryClothesDryer: 'dryer',
  LaundryHangers: 'hangers',
  LaundryIronAndBoard: 'iron',
  LaundryWashingMachine: 'washing_machine',
  MiscellaneousCarbonMonoxideDetector: 'carbon_monoxide_alarm',
  MiscellaneousFireExtinguisher: 'fire_extinguisher',
  MiscellaneousFirstAidKit: 'first_aid_kit',
  MiscellaneousSafe: 'safe',
  MiscellaneousSmokeDetector: 'smoke_alarm',
  ParkingGeneral: 'parking',
  ParkingOptionIncluded: 'free_parking',
  RoomsBalcony: 'balcony',
  RoomsKitchen: 'kitchen',
  RoomsTerrace: 'terrace',
  SanitaryBidet: 'bidet',
  SanitaryBlowDryer: 'hair_dryer',
  SanitaryShower: 'shower',
  SanitaryTowelSet: 'towels',
  SleepingBabyCrib: 'cot',
  SleepingBedLinen: 'bed_linen',
};

/** Amenities that the vendor states as a flag of the room. */
const BY_FLAG = {
  has_wifi: 'wifi',
  has_parking: 'parking',
  pets_allowed: 'pets_allowed',
  breakfast_included: 'breakfast',
} as const satisfies Readonly<Record<string, AmenityKey>>;

export const LODGIFY_FLAGS = Object.keys(BY_FLAG);

/** Rooms and beds are counted elsewhere, so they are not reported as unmapped. */
const NOT_AN_AMENITY =
  /^(?:Sleeping\w*Bed|SleepingStudioCouch|Rooms(?:Bedroom|Bathroom|Toilet|DiningRoom|LivingRoom))$/;

const mapNames = createAmenityMap({ ...BY_NAME, ...BY_FLAG });

export function mapLodgifyAmenities(published: readonly string[]): MappedAmenities {
  return mapNames(published.filter((name) => !NOT_AN_AMENITY.test(name)));
}
