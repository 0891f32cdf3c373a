import { toDecimal } from '../../../src/stay/money.ts';
import { type EmulatedHome, nightsBetween } from '../homes.ts';

/** A calculation, whether or not the nights are free: nothing in the documentation says that it looks. */
export function priceDetailsOf(
  home: EmulatedHome,
  dates: { readonly from: string; readonly to: string },
  depositInTotal: boolean,
  markup: number,
) {
  const nightly = nightsBetween(dates.from, dates.to).map((day) => home.nightlyPrice(day));
  const accommodation = Math.round(nightly.reduce((sum, price) => sum + price, 0) * markup);
  const tax = Math.round((accommodation * home.taxPercent) / 100);
  const parts = [
    { type: 'price', name: 'baseRate', title: 'Base rate', minor: accommodation },
    { type: 'fee', name: 'cleaningFee', title: 'Cleaning fee', minor: home.cleaningFee },
    { type: 'tax', name: 'vat', title: 'VAT / GST', minor: tax },
    {
      type: 'fee',
      name: 'damageDeposit',
      title: 'Damage deposit',
      minor: home.deposit,
      included: depositInTotal,
    },
  ].filter(({ name, minor }) => name === 'baseRate' || minor !== 0);
  const total = parts.filter(({ included }) => included !== false).reduce((sum, { minor }) => sum + minor, 0);
  return {
    totalPrice: toDecimal(total, home.currency),
    originalTotalPrice: 0,
    selectedComponentsAmount: 0,
    components: parts.map(({ type, name, title, minor, included }) => ({
      id: null,
      listingFeeSettingId: null,
      type,
      name,
      title,
      alias: null,
      quantity: null,
      value: toDecimal(minor, home.currency),
      total: toDecimal(minor, home.currency),
      isIncludedInTotalPrice: included === false ? 0 : 1,
      isOverriddenByUser: 0,
      isQuantitySelectable: 0,
      isMandatory: null,
      isDeleted: 0,
    })),
    extraComponents: [],
    selectedComponents: [],
  };
}
