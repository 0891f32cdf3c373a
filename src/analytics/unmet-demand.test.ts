import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sampleNetwork } from '../../test/support/sample-network.ts';
import { foldedPlaceName, isMisspelt } from './unmet-demand.ts';

const { brands, places } = sampleNetwork(['casas']);
const lisbon = places.get('lisbon-pt');
assert.ok(lisbon);
const network = {
  brands,
  places: new Map([
    ...places,
    ...['Palma', 'Bari', 'Porto', 'Saint-Malo'].map((name) => {
      const id = name.toLowerCase();
      return [id, { ...lisbon, id, name, aliases: [] }] as const;
    }),
  ]),
};
const SUGGESTED = [...network.places.keys()];

describe('a misspelt place', () => {
  it('has a letter missing, one too many, or two that changed places', () => {
    for (const text of ['libson', 'Libon', 'Lisbonn', 'LISBNO', 'Libson, Portugal', 'Sain Malo', 'Prto']) {
      assert.ok(isMisspelt(text, SUGGESTED, network), text);
    }
  });

  it('is none of the names that others have, or that say more or less', () => {
    for (const text of [
      'Parma',
      'Bali',
      'Bar',
      'Saint-Lô',
      'Porto Santo',
      'Por',
      'Atlantis',
      'Portugal',
      '',
      ',',
    ]) {
      assert.ok(!isMisspelt(text, SUGGESTED, network), text);
    }
  });

  it('is a place that was suggested', () => {
    assert.ok(!isMisspelt('Libson', ['palma'], network));
    assert.ok(!isMisspelt('Libson', [], network));
    assert.ok(!isMisspelt('Libson', ['gone'], network));
  });
});

describe('the name of a place that nobody knows', () => {
  const counted: readonly (readonly [string, string])[] = [
    ['Atlantis', 'atlantis'],
    ['  São  Tomé—and PRÍNCIPE ', 'sao tome and principe'],
    ['St. Moritz', 'st moritz'],
    ['St.Moritz', 'st moritz'],
    ['Saint-Jean-de-Luz', 'saint jean de luz'],
    ['Las Palmas de Gran Canaria', 'las palmas de gran canaria'],
    ['Rio de Janeiro', 'rio de janeiro'],
    ['Paris, Texas', 'paris texas'],
    ['Ko Samui (Surat Thani)', 'ko samui surat thani'],
    ['京都', '京都'],
    ['東京', '東京'],
    ['九十九里', '九十九里'],
    ['四日市', '四日市'],
    ['Ｋｙōｔｏ', 'kyoto'],
    ['K%C3%B8benhavn', 'kobenhavn'],
    ['Xi’an', 'xi an'],
    ['Dot Lake', 'dot lake'],
    ['Com', 'com'],
    ['Malmö, 2 guests', 'malmo guests'],
    ['Paris 07', 'paris'],
    ['a b', 'a b'],
    ['St. Ives', 'st ives'],
    ['Mt.Pleasant', 'mt pleasant'],
    ['Washington D.C.', 'washington d c'],
    ['N.Y.C.', 'n y c'],
    ['U.S. Virgin Islands', 'u s virgin islands'],
    ['S.Miguel', 's miguel'],
    ['Frankfurt a.M.', 'frankfurt a m'],
    ['Rothenburg o.d.T.', 'rothenburg o d t'],
    ['Kraków/Cracow', 'krakow cracow'],
    ['Donostia / San Sebastián', 'donostia san sebastian'],
    ['St. Ives / Cornwall', 'st ives cornwall'],
    ['Halle (Saale)', 'halle saale'],
    ['Saint-Malo', 'saint malo'],
    ['L’Aquila', 'l aquila'],
    ["L'Hospitalet de Llobregat", 'l hospitalet de llobregat'],
    ['N’Djamena', 'n djamena'],
    ['Hawaiʻi', 'hawai i'],
    ['Sant Marcel·lí', 'sant marcel li'],
    ['McAllen', 'mcallen'],
    ['Fort MacArthur', 'fort macarthur'],
    ['LaGrange', 'lagrange'],
    ['DeKalb', 'dekalb'],
    ['KwaZulu-Natal', 'kwazulu natal'],
    ['uMhlanga', 'umhlanga'],
    ['Baile na nGall', 'baile na ngall'],
    ['LISBOA', 'lisboa'],
    ['Łódź', 'lodz'],
    ['İzmir', 'izmir'],
    ['القاهرة', 'القاهرة'],
    ['Αθήνα', 'αθηνα'],
    ['Нижний Новгород', 'нижнии новгород'],
    ['서울', '서울'],
  ];
  it('is counted in lower case, without accents and punctuation', () => {
    for (const [written, name] of counted) {
      assert.equal(foldedPlaceName(written), name, `${written} is counted as ${name}`);
    }
  });

  it('is only what stands before a comma where all of it is longer than names are', () => {
    assert.equal(
      foldedPlaceName('San Miguel de Allende, Guanajuato, Mexico'),
      'san miguel de allende',
      'six words',
    );
    assert.equal(foldedPlaceName('Saint-Rémy-de-Provence (Bouches-du-Rhône)'), 'saint remy de provence');
  });

  const dropped: Readonly<Record<string, readonly unknown[]>> = {
    'no text': [7, ['Atlantis'], null, undefined],
    'not a name': ['', 'Ω', '—', '%', '%%%'],
    'an address of mail, however its sign is written': [
      'me@example.com',
      'maria silva＠gmail.com',
      'maria﹫gmail.com',
      'maria%40gmail.com',
      'maria%2540firma.example',
      'maria silva at gmail dot com',
      'maria at firma dot de',
      'maria (at) firma [dot] de',
      'maria at gmail',
      'Maria GMAIL.com',
      'maria@',
      'maria.silva(at)firma.de',
      'maria silva ( at ) firma',
      'maria silva[at]firma',
      'maria.silva[ät]web.de',
      'maria.silva(a)firma.pt',
      'maria silva {a} firma',
      'maria.silva&#64;firma.de',
      'maria silva&#x40 firma',
      'maria silva&commat;firma',
      'maria.silva%u0040firma.de',
      'maria silva\\u0040firma',
      'maria.silva at uni-bonn.de',
      'maria silva arroba firma',
    ],
    'an address of the web': [
      'https://maria.example',
      'www maria',
      'maria-silva.com',
      'firma．net',
      'maria-silva.de',
      'maria。example',
      'maria\u200b.\u200bde',
      'instagram.com/maria.silva',
      'facebook.com/maria.silva',
      'linkedin.com/in/maria-silva',
      'instagram/maria',
      'in/maria/silva',
      't.me/mariasilva',
      'wa.me/mariasilva',
      'maria＿silva﹒example﹒de',
    ],
    'a secret': [
      'Bearer eyJhbGciOiJIUz',
      'sk_live_AbCdEfGhIjKl',
      'nxs_abc',
      'AbCdEfGhIjKl',
      'key AbCd',
      'C:\\maria',
    ],
    'what has three digits or more, of any script': [
      '+49 170 1234567',
      'call 555 12',
      'Malmö 2027-05-03, 2 guests',
      'Biarritz 64200',
      'Rua Augusta 1 2 3',
      'room ①②③',
      'call ٠١٢',
      'x²³⁴',
      '1770 (Queensland)',
    ],
    'three digits in a row in Chinese': ['一二三四五六七八九零', '电话 一 三 五', '〇七〇'],
    'more words than a name has': ['call me on five five five one two three', 'lang '.repeat(6)],
    'longer than a name is': [`Llan${'fair'.repeat(10)}`],
  };
  for (const [what, texts] of Object.entries(dropped)) {
    it(`is not ${what}`, () => {
      for (const written of texts) assert.equal(foldedPlaceName(written), null, String(written));
    });
  }

  it('is letters and single spaces, at most 40 of them, and the same when it is folded again', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc
        .array(
          fc.constantFrom('Saint', 'dot', 'com', ', ', ' ', '%40', '%', '＠', '7', '一', 'é', '.', 'gmail'),
        )
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (written) => {
        const name = foldedPlaceName(written);
        if (name === null) return;
        assert.match(name, /^[\p{L}\p{M}]+( [\p{L}\p{M}]+)*$/u);
        assert.ok(Array.from(name).length <= 40);
        assert.equal(foldedPlaceName(name), name);
      }),
    );
  });
});
