import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isLaidOutAsChat, ruleAgainstText, ruleAgainstTextsTogether } from './text-for-a-model.ts';

const linesOf = (block: string) => block.trim().split('\n');

const ENDINGS =
  'vip casa world fun pro space tech cloud cheap deals vacations place zone today life icu sbs cfd ws la mobi asia name tours hotel booking estate properties haus immo villas reise guru pw buzz cn.com sk hu ro bg rs ua il ae sg my th id vn ph in.th com pt it'.split(
    ' ',
  );

describe('a host name in a text', () => {
  it('is held back alone, in capitals with a path, with a query and with a port, whatever its ending', () => {
    for (const ending of ENDINGS) {
      for (const text of [
        `see seaside-lisbon.${ending} for photos`,
        `Book at seaside-lisbon.${ending}/pay for less`,
        `BOOK AT SEASIDE-LISBON.${ending.toUpperCase()}/PAY FOR LESS`,
        `See seaside-lisbon.${ending}?x=1`,
        `See seaside-lisbon.${ending}:8443`,
      ]) {
        assert.equal(ruleAgainstText(text), 'carries_address', text);
      }
    }
  });

  const written = linesOf(`
Book at seaside-lisbon.newending/pay for less
seaside.newending?room=1
see seaside.casa, seaside.world
SEASIDE.VIP
Seaside.Vip
seaside.сasa with a disguised letter
seaside．casa
seaside.casa/
evil•com
evil · com
evil,com has it cheaper
evil|net
evil_org
Book at seaside .vip
Book at evil .com
seaside-lisbon.garden for photos
go to seaside.garden
seaside.Casa:8443
evil⸱com/pay
evil⸱com
evilꞏpt
evil%2Ecom/pay
evil%252Epay-here%252Ecom
see evil%2Ept
seaside-villas**.**com
seaside-villas_._com
host\\@seaside-villas\\.com
https\\://seaside-villas\\.com/pay
e v i l . c o m
write to m.me/casaevil
photos: v.gd/abc
`);
  it('is held back however it is written', () => {
    for (const text of written) {
      assert.equal(ruleAgainstText(text), 'carries_address', text);
    }
  });

  const honest = linesOf(`
Two bedrooms.Living room with a sofa.Garden
5.Floor, no lift
Wi-Fi.Pool.Parking
Fast Wi-Fi.Pool/garden view
Kitchen.Living/dining room
45 sq.mt/480 sq.ft
Zona P.za Bologna, P.za/Corso
P.za/Corso però vicino
S.Paolo/Ostiense, St.Peter/Vatican
3BedroomApt-St.Peter/Vatican
CENTRO.CHUECA/JUSTICIA
App.to 4 persone, 5 min.to the centre, 8min.to the station
Metro 2.dk, 24.hr reception
les habitants, paysan.ne.s et artisan.ne.s
quiet and bright.free wifi
close to the beach.you can walk
baños.La cocina.Su terraza
COCINA.SALON.BAÑO
Roma.Free parking
Restaurants,cafes,bars. Shops.Museum
Apartamento T2,com vista mar
Apartamento T2 · com piscina
Casa•com varanda
Huis in Amsterdam,net buiten het centrum
Central Duplex App. with priv.garden
Anniv.sale price
incl.bed/breakfast
max.4 pers.No pets
Check.In from 15:00, Check.Out 11:00
e.g. i.e. a.m./p.m. etc.
10.pm, 4.th floor, 1.st
Tokyo.Room 2F
信義區.華山文化特區/生活機能優
駅近です。free wifi
wifi・tv・bar
Berg.Mit Balkon.Im Hof.Am See
ve ayrıca.Ve merkezi
beautiful.room.Neukolln
Rent per night.Rs 5000
See house-rules.pdf
version 2.0, Dr.Smith, No.5, Nr.7, Str.12
10%20%30% off, 100%de confort, 50%50
Sauna⸱Pool⸱Bar
`);
  it('is not seen in honest prices and names', () => {
    for (const text of honest) {
      assert.equal(ruleAgainstText(text), undefined, `is not seen in ${JSON.stringify(text)}`);
    }
  });
});

describe('a number to call in a text', () => {
  const numbers = linesOf(`
912·345·678
Loft WhatsApp 912·345·678
+351 912·345·678
912•345•678
912|345|678
912_345_678
912~345~678
912*345*678
912…345…678
912 - 345 - 678
912:345:678
912=345=678
912📞345📞678
9·1·2·3·4·5·6·7·8
9 1 2 · 3 4 5 · 6 7 8
98765•43210
Phone 912•345•678
Phone 912,345,678
WhatsApp 912345
Contact: 0471/79.19.38
0171/1234567
06.12.34.56.78
06-12-34-56-78
Call 06.12.34.56.78
Tel 06/12/34/56/78
0471.79.19.38
2101.23.45.67.8
+39/335/6608110
0032 486 75 09 17
Casa Nova 912345678
Loft in Madrid 912 345 678
My number: 912 345 678
no. 912·345·678
Secret Garden +351~912~345~678
โทร ๐๘๑ ๒๓๔ ๕๖๗๘
Casa Rio ๐๘๑ ๒๓๔ ๕๖๗๘
โทร๐๘๑๒๓๔๕๖๗๘
Call ๙๑๒๓๔๕๖๗๘
tel ೯೧೨೩೪೫೬೭೮
phone: ၉၁၂၃၄၅၆၇၈
𞥙𞥑𞥒𞥓𞥔𞥕𞥖𞥗𞥘
Casa Nova ꘩꘡꘢꘣꘤꘥꘦꘧꘨
电话 九一二三四五六七八
九一二 三四五 六七八
玖壹贰叁肆伍陆柒捌
WhatsApp ❾❶❷❸❹❺
❾❶❷❸❹❺❻❼❽
⓽⓵⓶⓷⓸⓹⓺⓻⓼
➈➀➁➂➃➄➅➆➇
➒➊➋➌➍➎➏➐➑
+351 ⓿❶❷❸❹❺❻❼❽
፱፩፪፫፬፭፮፯፰
Tel %39%31%32345678
IBAN PT50·0002·0123·1234·5678·9015·4
`);
  it('is held back however it is written', () => {
    for (const text of numbers) {
      assert.equal(ruleAgainstText(text), 'carries_contact', text);
    }
  });

  const honest = linesOf(`
AL 12345/2019
AL 01234/2019
Licence 123456/AL
Wohnen als Ferienwohnung liegt vor: 09/Z/ZA/00000793-16
Registration number 0123·4567·8901
Numéro d'enregistrement : 7511301234567
Licence no. 912345678
CIN: 912345678
Ref. 123456789
Steuernummer 24-495-00159
Buses 712, 728, 732, 781
Tram 12, 15, 25, 28 and 201/202/203
Floors 1,2,3,4,5,6,7,8,9
38.7223, -9.1393
38.7223,-9.1393
Beds 160×200 / 140×190 / 90×200
2+1, 3+1, 4+1, 5+1, 6+1, 7+1, 8+1, 9+1
10% 20% 30% 40% 50%
€100 · €200 · €300
100 · 200 · 300 m to the sea
10000~20000
12500~18999
1.250.000 TL
Rooms 101|102|103
2023 | 2024 | 2025
Open 01.06.2026 – 30.09.2026
Open 01.06-30.09.2026, 01/06/2026-30/09/2026
Check-in 15:00–22:00 · check-out 08:00–11:00
15:00 | 22:00 | 08:00 | 11:00
2 bedrooms · 1 bathroom · 70 m²
4 · 2 · 1 · 70
5 · 5 · 5 · 5 · 5 · 5 · 5 · 5 · 5. Pink room
Rua Nova 12, 1100-148 Lisboa
Apt 1204, 90210
WhatsApp 24/7
Contactless check-in, code sent 24 hours before
Free until 14 days before; 50 % until 7 days; 100 % after
100/50/25 Mbit/s
1,250.00 to 2,450.00
24/7/365
Open 01.06.26-30.09.26, 01/06/26 - 30/09/26, 01-06-26 – 30-09-26
Closed 24-12-2026-02-01-2027 and 24.12.2026-02.01.2027
Open 2027-04-01/2027-10-31, 2027.4.1-2027.10.31
เปิดตั้งแต่ปี ๒๕๖๗ ราคา ๑,๒๐๐ บาทต่อคืน
เช็คอิน ๑๕:๐๐ เช็คเอาท์ ๑๑:๐๐ น.
ว่าง ๑๕.๐๑.๒๕๗๐ - ๒๐.๐๑.๒๕๗๐
อายุ ๐-๕ ปี ฟรี, ๖-๑๒ ปี ๒๕๐ บาท
北京市朝阳区建国路一二三号四单元五六七室
二〇二七年一月一日至二〇二七年十二月三十一日
周一二三四五六营业,九点到二十一点
一室一厅一卫,二三楼,可住四五六人
东京都港区六本木一丁目二番三号
① 客厅 ② 卧室 ③ 厨房 ④ 浴室 ⑤ 阳台 ⑥ 花园
❶ Pool ❷ Sauna ❸ Garden ❹ Wi-Fi ❺ Lift ❻ Parking
ⓐ Level ⓵ and ⓶
ቤት ፪ መኝታ ፩ መታጠቢያ
`);
  it('is not seen in honest dates and numbers', () => {
    for (const text of honest) {
      assert.equal(ruleAgainstText(text), undefined, `is not seen in ${JSON.stringify(text)}`);
    }
  });
});

describe('a number that the law makes a host print', () => {
  const printed = linesOf(`
Wohnraumschutznummer 41-0012345-22 – Hamburg
Wohnraumschutz-Nr. 41-0012345-19-2
Altbau Ottensen (41-0012345-22)
Bei der Osterkirche 12 41-0012345-22
Altbau 41-0012345-22 (4 Gäste)
AMA 00001234567
Διαμέρισμα 55 τ.μ., ΑΜΑ: 00001234567, 300μ. από τη θάλασσα
ΑΦΜ 123456789
TA-123-456-7890-01
Maui Condo TA-123-456-7890-01
TMK 4-3-8-001-002-0003, TA-123-456-7890-01, GE-123-456-7890-01
GET/TAT TA 031-234-5678-01
TMK: (2) 3-9-017-001-0003
TMK 430080010020003
Reg. No. 50101-000123-2020
Reg.-Nr.: 50101-000123-2020
Déclaration n° 83061 000123 4A
N° 75056-001234-AB
SIRET 123 456 789 00012, RCS Annecy
SIRET : 12345678900012
SIREN 123 456 789
TVA FR12 345 678 901
N° TVA : FR 12 345678901
BTW BE 0123.456.789
KBO 0401.234.567
USt-IdNr. DE 123 456 789
CHE-123.456.789 MWST
P.IVA 01234567890 – Residence Sole s.r.l.
Partita IVA: 01234567890
C.F. RSSMRA80A01H501U, P. IVA 01234567890
OIB 12345678901
OIB: 12345678901, Split
NIP 123-456-78-90
NIP 123-45-67-890
NIP: 1234567890
NIPC 501234567, RNAL 98765
NIPC 501 234 567
Org.nr 912 345 678 MVA
Org. nr. 912345678
Organisationsnummer 556123-4567
Adószám: 12345678-1-42
ABN 12 345 678 901
Surf Stays Pty Ltd ABN 12345678901. 2 rooms
ACN 123 456 789
EIN 12-3456789
NZBN 9429012345678
Pay by card on arrival. SIRET 123 456 789 00012
`);
  it('is shown where the law asks for it', () => {
    for (const text of printed) {
      assert.equal(ruleAgainstText(text), undefined, `is shown in ${JSON.stringify(text)}`);
    }
  });

  const disguised = linesOf(`
SIRET call 912 345 678
SIRET 912 345 678
SIRET: 06 12 34 56 78
SIRET 123 456 789 00012 / 912 345 678
SIRET 123 456 789 00012 912 345 678
SIRET 123 456 789 00012 and 912 345 678
SIREN 06 12 34 56 78
OIB: +385 91 234 5678
OIB 00385 91 234 5678
OIB 38591234567
OIB 091 234 5678
OIB, dial 12345678901
OIB ours 12345678901
OIB 12345678901 12345678902
OIB 12345678901-234567
ABN 12 345 678 901.234
OIB 12345678901 (WhatsApp)
OIB 12345678901, on Telegram
WhatsApp OIB 12345678901
WhatsApp! OIB 12345678901
WhatsApp our team any time OIB 12345678901
Message us at OIB 12345678901
☎ OIB 12345678901
Call P.IVA 01234567890
P.IVA 335 123 4567
P.IVA 3351234567
P.IVA 39335123456
Partita IVA 0039 335 1234567
NIP 912 345 678
NIP 123-456-7890
NIP 48 912 345 678
Snip 123-456-78-90
NIPC 912345678
NIPC 501234567 912345678
NIPC 501234567-912345678
Org.nr 912 345 678 912 345 678
Org.nr ring 912 345 678
Org.nr +47 912 34 567
Organisationsnummer 070-123 45 67
ABN 61 412 345 678
ABN 0412 345 678
ABN +61 412 345 678
TVA 912 345 678
TVA FR 06 12 34 56 78
TVA 0471.791.938
TVA FR12 912 345 678 901
USt-IdNr. 0171 2345678
TA-808-555-1234
TA-808-555-1234-01
Villa-123-456-7890-01
TMK 808-555-1234
TMK 1-808-555-1234
AMA 6912345678
AMA 210 123 4567
AMA 00306912345678
Panorama 00001234567
Wohnraumschutznummer 0171 2345678
Wohnraumschutznummer 49-1712345-67
Altbau Ottensen (49-1712345678)
Altbau 912-41-0012345-22
Reg. No. 912 345 678
Reg. No. 50101-912345-678
Déclaration n° 06 12 34 56 78
Déclaration 912 345 678
N° 75056-001234
EIN 212-555-0188
CHE 079 123 45 67
`);
  it('does not excuse another number', () => {
    for (const text of disguised) {
      assert.equal(ruleAgainstText(text), 'carries_contact', text);
    }
  });

  const AUTHORITIES =
    'Wohnraumschutznummer|AMA|ΑΦΜ|TMK|TA|GE|Reg. No.|Déclaration n°|N°|SIRET|SIREN|TVA|TVA FR|BTW|BTW BE|USt-IdNr.|USt-IdNr. DE|CHE|P.IVA|Partita IVA|OIB|NIP|NIPC|Org.nr|Organisationsnummer|Adószám|ABN|ACN|NZBN|EIN'.split(
      '|',
    );
  const PHONES =
    '+351 912 345 678|912 345 678|912345678|912-345-678|06 12 34 56 78|0612345678|612345678|+33 6 12 34 56 78|33612345678|0171 2345678|01712345678|0171/2345678|491712345678|49 171 2345678|+49 171 2345678|335 123 4567|3351234567|393351234567|02 1234 5678|0212345678|091 234 5678|0912345678|385912345678|38591234567|512 345 678|512345678|48512345678|48 512 345 678|91 23 45 67 89|+47 912 34 567|4791234567|070-123 45 67|0701234567|46701234567|0412 345 678|0412345678|61412345678|61 412 345 678|(808) 555-1234|808-555-1234|8085551234|18085551234|1-808-555-1234|212-555-0188|6912345678|691 234 5678|306912345678|210 123 4567|079 123 45 67|0791234567|0471.79.19.38|0471 79 19 38|+36 20 123 4567|36201234567|021 123 4567|0211234567|00351 912 345 678|00351912345678'.split(
      '|',
    );
  const shownAs = (write: (word: string, phone: string) => string) =>
    AUTHORITIES.flatMap((word) => PHONES.map((phone) => write(word, phone))).filter(
      (text) => ruleAgainstText(text) === undefined,
    ).length;

  it('hides a phone number at the stated rates, and none behind a word to call', () => {
    assert.equal(AUTHORITIES.length * PHONES.length, 1740);
    assert.equal(
      shownAs((word, phone) => `${word} ${phone}`),
      99,
    );
    assert.equal(
      shownAs((word, phone) => `Call ${word} ${phone}`),
      0,
    );
    assert.equal(
      shownAs((word, phone) => `${word} call ${phone}`),
      0,
    );
  });

  it('is shown beside the other texts of its listing', () => {
    const texts = [
      'Altbau Ottensen (41-0012345-22)',
      '4 rooms',
      'Wohnraumschutznummer 41-0012345-22',
      '22765',
    ];
    assert.equal(ruleAgainstTextsTogether(texts), undefined);
  });
});

describe('the search for contacts', () => {
  it('has no step that begins anew at each sign of a long run', () => {
    for (const seed of ['#', '=', '{', '- ', '%25', '1.2.3.4ſ', '९', '九', '九 ', '𞥙', 'user ']) {
      const text = seed.repeat(200_000 / seed.length);
      const began = process.cpuUsage();
      ruleAgainstText(text);
      isLaidOutAsChat(text);
      const { user, system } = process.cpuUsage(began);
      // A quadratic step takes a minute and more, a linear one half a second.
      assert.ok(user + system < 10_000_000, `${JSON.stringify(seed)} took ${(user + system) / 1000} ms`);
    }
  });

  it('takes time in proportion to the length, whatever the signs', () => {
    const pieces = fc.constantFrom(
      'a',
      'a.',
      '.',
      'b-',
      '-',
      '1',
      '12',
      '·',
      ' ',
      '00',
      '+',
      ',',
      '/',
      ':',
      'tel',
      'com',
      '.casa',
      '@',
      '(',
      '。',
      '0/',
      'siret ',
      'oib',
      'ta-',
      '123 ',
      '12345678901',
    );
    const seeds = fc.sample(
      fc.array(pieces, { minLength: 1, maxLength: 5 }).map((chosen) => chosen.join('')),
      {
        seed: 1,
        numRuns: 150,
      },
    );
    for (const seed of seeds) {
      const text = seed.repeat(Math.ceil(20_000 / seed.length));
      const began = process.cpuUsage();
      ruleAgainstText(text);
      const { user, system } = process.cpuUsage(began);
      // A quadratic step over 20,000 characters costs seconds.
      assert.ok(user + system < 700_000, `${JSON.stringify(seed)} took ${(user + system) / 1000} ms`);
    }
  });
});
