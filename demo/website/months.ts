import { type Day, firstDayOf, formatMonth, monthOf, weekdayOf } from '../../src/stay/day.ts';
import type { Operator, Stay } from '../operator.ts';
import type { Property } from '../properties.ts';
import { html, type Markup } from './html.ts';

const WEEKDAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];
const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Which nights are free, for the month of the stay (or this one) and the next. */
export function drawMonths(operator: Operator, property: Property, stay: Stay | undefined): Markup {
  const first = monthOf(Math.max(stay?.checkIn ?? 0, operator.today(property)));
  return html`<div class="months">${[first, first + 1].map((month) => drawMonth(operator, property, stay, month))}</div>`;
}

function drawMonth(operator: Operator, property: Property, stay: Stay | undefined, month: number): Markup {
  const from = firstDayOf(month);
  const days = firstDayOf(month + 1) - from;
  const calendar = operator.calendar(property, from, days);
  const isFree = (day: Day) => calendar.available[day - calendar.firstDay] === 1;
  const blank = weekdayOf(from);
  const weeks = Array.from({ length: Math.ceil((blank + days) / 7) }, (_, week) => week);
  const cell = (position: number) => {
    const date = position - blank + 1;
    if (date < 1 || date > days) return html`<td></td>`;
    const day = from + date - 1;
    if (stay && day >= stay.checkIn && day < stay.checkOut && isFree(day)) {
      return html`<td class="yours">${date}<span class="visually-hidden"> your stay</span></td>`;
    }
    return isFree(day)
      ? html`<td class="free">${date}<span class="visually-hidden"> free</span></td>`
      : html`<td class="taken">${date}<span class="visually-hidden"> not free</span></td>`;
  };
  return html`<table class="month"><caption>${monthFormat.format(new Date(`${formatMonth(month)}-01T00:00:00Z`))}</caption>
<thead><tr>${WEEKDAYS.map((weekday) => html`<th scope="col">${weekday}</th>`)}</tr></thead>
<tbody>${weeks.map((week) => html`<tr>${WEEKDAYS.map((_, weekday) => cell(week * 7 + weekday))}</tr>`)}</tbody></table>`;
}
