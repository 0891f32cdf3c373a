import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isLaidOutAsChat, ruleAgainstText } from './text-for-a-model.ts';

const linesOf = (block: string) => block.trim().split('\n');

function assertRule(texts: readonly string[], rule: string | undefined): void {
  for (const text of texts) assert.equal(ruleAgainstText(text), rule, JSON.stringify(text));
}

describe('an address or a number in a text', () => {
  const written = linesOf(`
Book at seaside-lisbon.newending/pay for less
seaside.newending?room=1
see seaside.casa, seaside.world
SEASIDE.VIP
Seaside.Vip
seaside．casa
seaside.casa/
seaside-lisbon.garden for photos
go to seaside.garden
seaside.Casa:8443
evil⸱com/pay
evil%2Ecom/pay
evil%252Epay-here%252Ecom
see evil%2Ept
seaside-villas**.**com
seaside-villas_._com
host\\@seaside-villas\\.com
https\\://seaside-villas\\.com/pay
write to m.me/casaevil
photos: v.gd/abc
`);
  it('is rejected when it names another host, however it is written', () => {
    assertRule(written, 'carries_address');
  });

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
Tel %39%31%32345678
IBAN PT50·0002·0123·1234·5678·9015·4
`);
  it('is rejected when it is a number to call or to pay', () => {
    assertRule(numbers, 'carries_contact');
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
  it('is not seen in honest prices, names, dates and numbers', () => {
    assertRule(honest, undefined);
  });

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
GET/TAT TA 031-234-5678-01
TMK: (2) 3-9-017-001-0003
TMK 430080010020003
Reg. No. 50101-000123-2020
Reg.-Nr.: 50101-000123-2020
Déclaration n° 83061 000123 4A
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
  it('is shown when the law makes a host print it', () => {
    assertRule(printed, undefined);
    assertRule(
      ['Call SIRET 912 345 678', 'SIRET, call 912 345 678', 'My SIRET +33 6 12 34 56 78'],
      'carries_contact',
    );
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
});
