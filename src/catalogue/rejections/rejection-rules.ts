/** The meaning of a rule and its remedy for operators. Both are shown beside the place, the value and the reason. */
type RuleText = { readonly means: string; readonly remedy: string };

/** All rules that reject or repair a listing, a part of one or a calendar. The codes are stable: operators filter by them. */
export const REJECTION_RULES = {
  // The format of the document
  missing_member: {
    means: 'A member that every listing needs is not there.',
    remedy:
      'Fill in what the place names, in the booking system or in the file: a policy, an address, a price.',
  },
  wrong_type: {
    means: 'The value is of another type than the member has: a text where a number belongs, say.',
    remedy: 'Send the type that the reason names.',
  },
  wrong_format: {
    means: 'The text is not written in the form that the member has.',
    remedy: 'Write it in the form that the reason names.',
  },
  unknown_choice: {
    means: 'The value is not one of those that the member can have.',
    remedy: 'Use one of the values that the reason lists.',
  },
  out_of_range: {
    means: 'The number is smaller or larger than the member can be.',
    remedy: 'Correct the number, or leave the member out where it is optional.',
  },
  too_long: {
    means: 'The text is longer than is read.',
    remedy: 'Shorten it to the length that the reason names.',
  },
  empty_text: {
    means: 'The text is empty, or nothing is left of it without markup and invisible characters.',
    remedy: 'Write a text that can be seen.',
  },
  too_few_entries: {
    means: 'The list has fewer entries than it needs.',
    remedy: 'Add the entries that are missing.',
  },
  too_many_entries: {
    means: 'The list has more entries than are read.',
    remedy: 'Send fewer: join what belongs together, and leave out what is past.',
  },
  too_complex: {
    means: 'The entry breaks the schema, and has so many parts that the first fault is not looked for.',
    remedy: 'Send only the members that the schema names.',
  },
  too_many_faults: {
    means: 'So many parts had a fault that the rest was not read.',
    remedy: 'Correct the parts that are named; the others are read then.',
  },

  // Place and identity of the home
  unknown_place: {
    means: 'The listing is in a place that is not a city of this network.',
    remedy: 'Use the identifier of a city, or ask the owner of the network to map your name for it.',
  },
  other_currency: {
    means: 'The listing is priced in another currency than its city is compared in.',
    remedy: 'Publish its prices in the currency of the city.',
  },
  other_brand: {
    means: 'The listing belongs to a brand that is not this one, or not in this network.',
    remedy: 'Ask the owner of the network to check the entry of the brand.',
  },
  listed_twice: {
    means: 'Another listing has the same reference and comes first; that one counts.',
    remedy: 'Give each home one reference of its own.',
  },
  not_in_catalogue: {
    means: 'There is a calendar to read for a home that the catalogue does not have.',
    remedy: 'Add the home to the catalogue; nothing is to be done when it was taken out on purpose.',
  },
  over_budget: {
    means: 'The brand has more listings than the network keeps of it.',
    remedy:
      'Ask the owner of the network to raise `budget.listings` or `budget.megabytes` in the entry of the brand.',
  },

  // Texts
  addresses_assistant: {
    means: 'The text speaks to the assistant that reads it instead of the traveller.',
    remedy: 'Describe the home, and leave out instructions, roles and prompts.',
  },
  texts_address_assistant: {
    means: 'The texts of the listing are harmless one by one, but read together they speak to the assistant.',
    remedy: 'Describe the home in each text, and spread no sentence over several of them.',
  },
  carries_address: {
    means: 'The text holds a web or e-mail address, or the link holds that of another site.',
    remedy: 'Take the address out; the page of the home belongs into `url`.',
  },
  carries_contact: {
    means: 'The text or the link holds a phone number, or bank details.',
    remedy: 'Take the number out; travellers find it on your own page.',
  },
  nested_markup: {
    means: 'The text has markup within markup, several levels deep.',
    remedy: 'Send plain text.',
  },
  label_not_shown: {
    means:
      'The label of a fee, tax or discount cannot be shown, so prices are shown without their breakdown.',
    remedy: 'Name what is paid for in a few plain words, without addresses or numbers to call.',
  },

  // Links and pictures
  address_incomplete: {
    means: 'The link is not a whole web address.',
    remedy: 'Send it from https:// to its end.',
  },
  address_not_https: {
    means: 'The link does not begin with https://.',
    remedy: 'Serve the page or picture over https, and link to it so.',
  },
  address_with_credentials: {
    means: 'The link carries a user name or a password.',
    remedy: 'Link to a page that everybody can open, and change the password: it was sent to others.',
  },
  address_not_registered: {
    means: 'The link leads to a host that is not registered for the brand.',
    remedy: 'Link to one of your own hosts, or ask the owner of the network to register this one.',
  },
  address_numeric_host: {
    means: 'The link names its host by a number.',
    remedy: 'Link to the host by its name.',
  },
  address_undecodable: {
    means: 'The path of the link cannot be decoded.',
    remedy: 'Write a percent sign as %25, and encode the path as UTF-8.',
  },
  address_encoded_repeatedly: {
    means: 'The link is percent-encoded several times.',
    remedy: 'Encode it once.',
  },
  address_for_assistants: {
    means: 'The link leads to /ai/, which is for assistants.',
    remedy: 'Link to a page for travellers.',
  },
  address_with_fragment: {
    means: 'The link has a part after #.',
    remedy: 'Leave out the # and what follows.',
  },
  address_odd_character: {
    means: 'The link has a quotation mark, a bracket or another character that addresses do not need.',
    remedy: 'Percent-encode the character, or leave it out.',
  },
  address_too_long: {
    means: 'The link is longer than is shown.',
    remedy: 'Shorten it: leave out what only counts visits.',
  },
  address_too_many_words: {
    means: 'The link holds more words than the address of a page or picture needs.',
    remedy: 'Use a shorter path.',
  },
  address_off_pattern: {
    means: 'The link is not built as the network file says that the links of the brand are.',
    remedy: 'Follow the pattern, or ask the owner of the network to change it.',
  },
  no_usable_image: {
    means: 'No picture of the home could be shown, and a home without pictures is not offered.',
    remedy: 'Correct the address of at least one picture.',
  },

  // Amenities, ratings, cancellation
  amenity_key: {
    means:
      'The key of an amenity is not made of small letters, digits and single separators, or is too long.',
    remedy: 'Use a key such as `air_conditioning`, of at most 40 characters.',
  },
  unknown_amenity: {
    means:
      'The vocabulary of amenities has no word for what the booking system calls it, so it is not shown.',
    remedy: 'Use one of the standard amenities of your booking system, where one means the same.',
  },
  rating_above_scale: {
    means: 'The score of the rating is above its scale.',
    remedy: 'Send the score and the scale that belong together: 4.6 of 5, or 92 of 100.',
  },
  contradicts_itself: {
    means: 'Two members of the listing cannot both be true.',
    remedy: 'Correct the one that is wrong.',
  },

  // Calendars, rates, amounts
  calendar_missing: {
    means: 'The booking system gave no calendar for the home.',
    remedy: 'Answer for each home that is asked for, or take it out of the catalogue.',
  },
  calendar_twice: {
    means: 'The booking system gave more than one calendar for the home.',
    remedy: 'Send one calendar for each home.',
  },
  calendar_overlap: {
    means: 'Two periods of the calendar hold the same night.',
    remedy: 'Let each period end on the day on which the next begins.',
  },
  feed_unreadable: {
    means:
      'A feed that says which nights of the home are taken cannot be read, so no night of it is on offer.',
    remedy: 'Open the address of the feed, and correct what the reason names.',
  },
  feed_lost_nights: {
    means:
      'A feed has lost all of its taken nights, or most of them at once, as feeds do when a channel fails. Those nights stay taken for now.',
    remedy:
      'Look at the calendar in the channel. The nights are free once a reading six hours later still lacks them.',
  },
  calendar_uneven: {
    means: 'The connector built a calendar that lacks nights in some of its columns.',
    remedy: 'Report it to the developers of Staywire: it is a fault of the connector.',
  },
  too_many_stay_rules: {
    means:
      'The nights of the home have very many different minimum and maximum stays, and so have as many other homes of the brand as are taken.',
    remedy: 'Use fewer different minimum and maximum stays, in this home or in others.',
  },
  no_such_day: {
    means: 'A date names a day that does not exist.',
    remedy: 'Correct the date, written YYYY-MM-DD.',
  },
  period_backwards: {
    means: 'A period ends on its first day or before it, so it holds no night.',
    remedy: 'Give the day of departure as its end.',
  },
  price_too_fine: {
    means: 'An amount has more decimals than its currency, or is too large to be exact.',
    remedy: 'Round it to the smallest unit of the currency.',
  },

  // Imported files
  not_json: {
    means: 'A line of the file is not one JSON object in UTF-8.',
    remedy: 'Write each object on one line of its own, in UTF-8.',
  },
  misplaced_header: {
    means: 'The header is not the first line of the file.',
    remedy: 'Move it to the top, or leave it out.',
  },
  broken_row: {
    means: 'A row of the file has more or fewer cells than its header, or text behind a closing quote.',
    remedy: 'Quote cells that hold a comma, a quote or a line break, and double the quotes in them.',
  },
  night_twice: {
    means: 'The file names the same night of a home twice; the first row counts.',
    remedy: 'Keep one row for each night of a home.',
  },
  no_price: {
    means: 'The home has no price, neither for its nights nor for itself, so no stay in it can be priced.',
    remedy: 'Add a price to the nights that are free.',
  },
} as const satisfies Record<string, RuleText>;

export type RejectionRule = keyof typeof REJECTION_RULES;
