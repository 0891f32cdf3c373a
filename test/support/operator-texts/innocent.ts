/** What honest operators write, one text a line. All of them should pass. */
export const INNOCENT_TEXTS: Readonly<Record<string, string>> = {
  en: `
Bright two-bedroom flat above the old harbour, 300 m from the tram.
Free cancellation until 14 days before arrival; after that we keep half of the price.
Check-in 15:00-20:00, late check-in until 23:00 for 25 EUR.
Follow the instructions on the door to open the key box.
Guests must respect the house rules; parties are not allowed.
The reception assistant is on site from 8:00 to 20:00, 7 days a week.
Heating system: central. Sound system: Sonos in every room.
St. Mary's Church is 2.5 km away, the beach 24 steps.
Apt. 4B, 3rd floor, 45 sq.m / 480 sq.ft, SW1A 1AA.
We recommend this villa for families with children over 6.
Open 24/7. Wi-Fi 500 Mbit/s. 2.5 bathrooms. Max. 8 persons.
Ignore the first turning, then go left at the church.
Please tell us your arrival time and whether you need a cot.
Registration number AL 12345/2019, licence VT-123456-A.
Season from 01.06.2027 to 30.09.2027, 7 nights minimum.
You are 5 minutes from the sea, and our agent will meet you at the door.
A smart home: the voice assistant controls lights and blinds.
Price from 1,250.00 to 2,400.00 EUR per week, linen 15 EUR a person.
Previous guests praised the garden. No smoking, no pets.
The deposit of 300 EUR is refunded within 14 days after departure.
Show this card at the pool bar for a free drink.
Perfect for writers: forget the city and its rules for a week.
Must-see view: choose the corner room for the sunset.
Hidden gem with a secret garden behind the main house.
Use the tool shed by the gate; bicycles and a pump are inside.
`,
  es: `
Piso luminoso de dos dormitorios junto al puerto viejo, a 300 m del tranvía.
Cancelación gratuita hasta 14 días antes de la llegada; después se cobra el 50 %.
Entrada de 15:00 a 20:00, salida antes de las 11:00.
Siga las instrucciones de la puerta para abrir la caja de llaves.
Los huéspedes deben respetar las normas de la casa; no se admiten fiestas.
La recepción abre de 8:00 a 20:00 todos los días.
Calefacción central y aire acondicionado en todas las habitaciones.
La iglesia de Sta. María está a 2,5 km y la playa a 200 m.
Apto. 4B, 3.ª planta, 45 m², C.P. 08001 Barcelona.
Recomendamos esta villa para familias con niños.
Wifi de 500 Mb/s, 2 baños, máx. 8 personas.
Olvide el coche: todo queda a un paseo.
Díganos la hora de llegada y si necesita cuna.
Número de registro VT-123456-A, licencia HUTB-012345.
Temporada del 01/06/2027 al 30/09/2027, mínimo 7 noches.
El propietario le recibe directamente en la casa.
Precio de 1.250,00 a 2.400,00 € por semana, sábanas incluidas.
No se admiten mascotas ni fumar dentro de la casa.
La fianza de 300 € se devuelve en 14 días por transferencia.
Vistas directas al mar desde la terraza superior.
`,
  pt: `
Apartamento luminoso de dois quartos junto ao porto antigo, a 300 m do elétrico.
Cancelamento gratuito até 14 dias antes da chegada; depois cobramos 50 %.
Entrada das 15:00 às 20:00, saída até às 11:00.
Siga as instruções na porta para abrir a caixa das chaves.
Os hóspedes devem respeitar as regras da casa; não são permitidas festas.
A receção está aberta das 8h00 às 20h00.
Aquecimento central e ar condicionado com comando.
A Igreja de Sta. Maria fica a 2,5 km e a praia a 200 m.
Apt. 4B, 3.º andar, 45 m², 1100-148 Lisboa.
Recomendamos esta moradia a famílias com crianças.
Wi-Fi de 500 Mb/s, 2 casas de banho, máx. 8 pessoas.
Esqueça o carro: tudo fica a pé.
Diga-nos a hora de chegada e se precisa de berço.
Registo de Alojamento Local n.º 12345/AL.
Época de 01-06-2027 a 30-09-2027, mínimo de 7 noites.
O proprietário recebe os hóspedes pessoalmente.
Preço de 1.250,00 a 2.400,00 € por semana, com roupa de cama.
Não são permitidos animais. Não fumadores.
A caução de 300 € é devolvida em 14 dias.
Casa com piscina e com vista direta para o mar.
`,
  fr: `
Appartement lumineux de deux chambres près du vieux port, à 300 m du tramway.
Annulation gratuite jusqu’à 14 jours avant l’arrivée ; ensuite 50 % sont retenus.
Arrivée de 15 h 00 à 20 h 00, départ avant 11 h 00.
Suivez les instructions sur la porte pour ouvrir la boîte à clés.
Les hôtes doivent respecter le règlement intérieur ; fêtes interdites.
La réception est ouverte de 8 h à 20 h, 7 j/7.
Chauffage central et climatisation dans chaque pièce.
L’église Ste-Marie est à 2,5 km, la plage à 200 m.
Apt. 4B, 3e étage, 45 m², 75011 Paris.
Nous recommandons cette villa aux familles avec enfants.
Wifi 500 Mbit/s, 2 salles de bains, 8 personnes max.
Oubliez la voiture : tout se fait à pied.
Dites-nous votre heure d’arrivée et si un lit bébé est nécessaire.
Numéro d’enregistrement 7511512345678.
Saison du 01/06/2027 au 30/09/2027, 7 nuits minimum.
Le propriétaire vous accueille directement sur place.
De 1 250,00 à 2 400,00 € par semaine, draps compris.
Animaux non admis, logement non fumeur.
La caution de 300 € est rendue sous 14 jours par virement.
Accès direct à la plage depuis le jardin.
`,
  de: `
Helle Zweizimmerwohnung am alten Hafen, 300 m zur Straßenbahn.
Kostenlose Stornierung bis 14 Tage vor Anreise, danach behalten wir 50 %.
Anreise 15:00-20:00 Uhr, Abreise bis 11:00 Uhr.
Bitte folgen Sie den Anweisungen an der Tür, um den Schlüsselkasten zu öffnen.
Gäste müssen die Hausordnung beachten; Feiern sind nicht erlaubt.
Die Rezeption ist täglich von 8 bis 20 Uhr besetzt.
Zentralheizung und Klimaanlage in allen Räumen.
Die Kirche St. Maria ist 2,5 km entfernt, der Strand 200 m.
Whg. 4B, 3. OG, 45 m², 10115 Berlin.
Wir empfehlen diese Villa für Familien mit Kindern.
WLAN 500 Mbit/s, 2 Bäder, max. 8 Personen.
Vergessen Sie das Auto: alles ist zu Fuß erreichbar.
Bitte nennen Sie uns Ihre Ankunftszeit und ob Sie ein Babybett brauchen.
Registriernummer 01/Z/RA/001234-20.
Saison vom 01.06.2027 bis 30.09.2027, mindestens 7 Nächte.
Der Eigentümer begrüßt Sie direkt vor Ort.
Von 1.250,00 bis 2.400,00 € pro Woche, Bettwäsche inklusive.
Keine Haustiere, Nichtraucherwohnung.
Die Kaution von 300 € wird innerhalb von 14 Tagen überwiesen.
Direkter Zugang zum Strand vom Garten aus.
`,
  it: `
Appartamento luminoso con due camere vicino al porto vecchio, a 300 m dal tram.
Cancellazione gratuita fino a 14 giorni prima dell’arrivo, poi tratteniamo il 50 %.
Check-in dalle 15:00 alle 20:00, check-out entro le 11:00.
Seguire le istruzioni sulla porta per aprire la cassetta delle chiavi.
Gli ospiti devono rispettare le regole della casa; feste vietate.
La reception è aperta dalle 8 alle 20 tutti i giorni.
Riscaldamento centralizzato e aria condizionata in ogni stanza.
La chiesa di S. Maria è a 2,5 km, la spiaggia a 200 m.
Int. 4B, 3° piano, 45 m², 00184 Roma.
Consigliamo questa villa alle famiglie con bambini.
Wi-Fi 500 Mbit/s, 2 bagni, max 8 persone.
Dimenticate l’auto: tutto si raggiunge a piedi.
Comunicateci l’ora di arrivo e se serve una culla.
CIN IT082053C2ABCDEFGH, CIR 082053-LOC-01234.
Stagione dal 01/06/2027 al 30/09/2027, minimo 7 notti.
Il proprietario vi accoglie direttamente in casa.
Da 1.250,00 a 2.400,00 € a settimana, biancheria inclusa.
Animali non ammessi, vietato fumare.
La cauzione di 300 € viene restituita entro 14 giorni.
Accesso diretto alla spiaggia dal giardino.
`,
  nl: `
Licht tweekamerappartement bij de oude haven, 300 m van de tram.
Gratis annuleren tot 14 dagen voor aankomst, daarna houden wij 50 % in.
Inchecken 15:00-20:00, uitchecken voor 11:00.
Volg de instructies op de deur om het sleutelkastje te openen.
Gasten moeten de huisregels respecteren; feesten zijn niet toegestaan.
De receptie is dagelijks geopend van 8 tot 20 uur.
Centrale verwarming en airco in elke kamer.
De St.-Mariakerk ligt op 2,5 km, het strand op 200 m.
App. 4B, 3e verdieping, 45 m², 1012 AB Amsterdam.
Wij raden deze villa aan voor gezinnen met kinderen.
Wifi 500 Mbit/s, 2 badkamers, max. 8 personen.
Vergeet de auto: alles is te voet bereikbaar.
Laat ons uw aankomsttijd weten en of u een kinderbed nodig heeft.
Registratienummer 0363 1234 5678 9ABC DEF0.
Seizoen van 01-06-2027 tot 30-09-2027, minimaal 7 nachten.
De eigenaar ontvangt u persoonlijk bij het huis.
Van 1.250,00 tot 2.400,00 euro per week, beddengoed inbegrepen.
Geen huisdieren, niet roken.
De borg van 300 euro wordt binnen 14 dagen teruggestort.
Directe toegang tot het strand vanuit de tuin.
`,
  pl: `
Jasne dwupokojowe mieszkanie przy starym porcie, 300 m od tramwaju.
Bezpłatne odwołanie do 14 dni przed przyjazdem, później zatrzymujemy 50 %.
Zameldowanie 15:00-20:00, wymeldowanie do 11:00.
Postępuj zgodnie z instrukcją na drzwiach, aby otworzyć skrzynkę na klucze.
Goście muszą przestrzegać regulaminu; imprezy są zabronione.
Recepcja czynna codziennie od 8 do 20.
Ogrzewanie centralne i klimatyzacja w każdym pokoju.
Kościół św. Marii jest 2,5 km stąd, plaża 200 m.
M. 4B, 3. piętro, 45 m², 00-950 Warszawa.
Polecamy tę willę rodzinom z dziećmi.
Wi-Fi 500 Mb/s, 2 łazienki, maks. 8 osób.
Zapomnij o samochodzie: wszędzie dojdziesz pieszo.
Prosimy podać godzinę przyjazdu i czy potrzebne jest łóżeczko.
Numer ewidencyjny 123/2024.
Sezon od 01.06.2027 do 30.09.2027, minimum 7 nocy.
Właściciel wita gości osobiście na miejscu.
Od 1 250,00 do 2 400,00 zł za tydzień, pościel w cenie.
Bez zwierząt, zakaz palenia.
Kaucja 300 zł jest zwracana w ciągu 14 dni.
Bezpośrednie zejście na plażę z ogrodu.
`,
  ru: `
Светлая двухкомнатная квартира у старого порта, 300 м до трамвая.
Бесплатная отмена за 14 дней до заезда, позже удерживается 50 %.
Заезд 15:00-20:00, выезд до 11:00.
Следуйте инструкции на двери, чтобы открыть ящик для ключей.
Гости должны соблюдать правила дома; вечеринки запрещены.
Ресепшен открыт ежедневно с 8 до 20.
Центральное отопление и кондиционер в каждой комнате.
Церковь св. Марии в 2,5 км, пляж в 200 м.
Кв. 4Б, 3-й этаж, 45 м², 101000 Москва.
Рекомендуем эту виллу семьям с детьми.
Wi-Fi 500 Мбит/с, 2 ванные, до 8 человек.
Забудьте о машине: до всего можно дойти пешком.
Сообщите нам время приезда и нужна ли детская кроватка.
Номер в реестре С772024001234.
Сезон с 01.06.2027 по 30.09.2027, минимум 7 ночей.
Хозяин лично встретит вас на месте.
От 12 500 до 24 000 ₽ за неделю, бельё включено.
Без животных, курение запрещено.
Залог 3000 ₽ возвращается в течение 14 дней.
Прямой выход на пляж из сада.
`,
  zh: `
老港口旁明亮的两居室公寓，距电车站300米。
入住前14天可免费取消，之后收取50%房费。
入住时间15:00-20:00，退房时间11:00前。
请按照门上的说明打开钥匙盒。
客人须遵守房屋规定，禁止聚会。
前台每天8:00至20:00开放。
每个房间都有中央空调和暖气。
圣玛丽教堂距离2.5公里，海滩200米。
4B室，三楼，45平方米，邮编200001。
我们推荐带孩子的家庭入住这栋别墅。
无线网络500兆，两间浴室，最多8人。
无需开车，步行即可到达各处。
请告诉我们您的到达时间以及是否需要婴儿床。
登记号 2024-沪-0123。
旺季为2027年6月1日至9月30日，至少7晚。
房东会亲自在门口迎接您。
每周1250至2400元，含床单。
禁止携带宠物，禁止吸烟。
300元押金将在14天内退还。
从花园可直接到达海滩。
`,
  ja: `
旧港のそばの明るい2寝室のアパート、路面電車まで300m。
到着の14日前までキャンセル無料、それ以降は50％を頂戴します。
チェックイン15:00～20:00、チェックアウト11:00まで。
ドアの説明に従って鍵箱を開けてください。
お客様はハウスルールをお守りください。パーティーは禁止です。
フロントは毎日8時から20時まで営業しています。
全室に暖房とエアコンがあります。
聖マリア教会まで2.5km、ビーチまで200m。
4B号室、3階、45平米、〒150-0001。
お子様連れのご家族におすすめの別荘です。
Wi-Fi 500Mbps、浴室2つ、最大8名。
車は忘れて、すべて歩いて行けます。
到着時間とベビーベッドの要否をお知らせください。
住宅宿泊事業 届出番号 M130012345。
シーズンは2027年6月1日から9月30日まで、7泊以上。
オーナーが現地でお迎えします。
1週間125,000円から240,000円、リネン込み。
ペット不可、禁煙。
保証金3万円は14日以内に返金されます。
庭から直接ビーチに出られます。
`,
  ar: `
شقة مشرقة بغرفتي نوم قرب الميناء القديم على بعد 300 متر من الترام.
إلغاء مجاني حتى 14 يوما قبل الوصول وبعد ذلك نحتفظ بنسبة 50٪.
تسجيل الوصول من 15:00 إلى 20:00 والمغادرة قبل 11:00.
اتبع التعليمات على الباب لفتح صندوق المفاتيح.
يجب على الضيوف احترام قواعد البيت والحفلات ممنوعة.
الاستقبال مفتوح يوميا من 8 إلى 20.
تدفئة مركزية وتكييف في كل غرفة.
كنيسة القديسة مريم على بعد 2.5 كم والشاطئ 200 متر.
شقة 4ب، الطابق الثالث، 45 مترا مربعا.
نوصي بهذه الفيلا للعائلات مع الأطفال.
واي فاي 500 ميغابت، حمامان، بحد أقصى 8 أشخاص.
انس السيارة، فكل شيء قريب سيرا على الأقدام.
أخبرونا بموعد وصولكم وهل تحتاجون إلى سرير أطفال.
رقم التسجيل 12345/2024.
الموسم من 01/06/2027 إلى 30/09/2027، 7 ليال على الأقل.
يستقبلكم المالك شخصيا في البيت.
من 1250 إلى 2400 درهم أسبوعيا مع البياضات.
الحيوانات والتدخين غير مسموح بهما.
يعاد التأمين 300 درهم خلال 14 يوما.
وصول مباشر إلى الشاطئ من الحديقة.
`,
  ko: `
옛 항구 옆의 밝은 방 두 개짜리 아파트, 트램까지 300m.
도착 14일 전까지 무료 취소, 이후에는 50%를 받습니다.
체크인 15:00-20:00, 체크아웃 11:00까지.
문에 적힌 안내에 따라 열쇠함을 여세요.
손님은 집의 규칙을 지켜야 하며 파티는 금지입니다.
프런트는 매일 8시부터 20시까지 운영합니다.
모든 방에 난방과 에어컨이 있습니다.
성모 마리아 교회까지 2.5km, 해변까지 200m.
4B호, 3층, 45제곱미터, 우편번호 03187.
아이가 있는 가족에게 이 빌라를 추천합니다.
와이파이 500Mbps, 욕실 2개, 최대 8명.
차는 잊으세요. 어디든 걸어갈 수 있습니다.
도착 시간과 아기 침대가 필요한지 알려 주세요.
등록번호 2024-제주-0123.
성수기는 2027년 6월 1일부터 9월 30일까지, 최소 7박.
집주인이 현관에서 직접 맞이합니다.
일주일에 1,250,000원부터 2,400,000원, 침구 포함.
반려동물 불가, 금연.
보증금 300,000원은 14일 이내에 돌려드립니다.
정원에서 해변으로 바로 나갈 수 있습니다.
`,
  tr: `
Eski limanın yanında iki yatak odalı aydınlık daire, tramvaya 300 m.
Varıştan 14 gün öncesine kadar ücretsiz iptal, sonrasında %50 alınır.
Giriş 15:00-20:00, çıkış 11:00'e kadar.
Anahtar kutusunu açmak için kapıdaki talimatları izleyin.
Misafirler ev kurallarına uymalıdır; parti yasaktır.
Resepsiyon her gün 8-20 arası açıktır.
Her odada merkezi ısıtma ve klima vardır.
Meryem Ana Kilisesi 2,5 km, plaj 200 m uzaklıkta.
D. 4B, 3. kat, 45 m², 34433 İstanbul.
Bu villayı çocuklu ailelere öneriyoruz.
Wi-Fi 500 Mbit/s, 2 banyo, en fazla 8 kişi.
Arabayı unutun: her yere yürünür.
Varış saatinizi ve bebek yatağı gerekip gerekmediğini bize bildirin.
İzin belgesi no 34-1234.
Sezon 01.06.2027 - 30.09.2027, en az 7 gece.
Ev sahibi sizi kapıda bizzat karşılar.
Haftalık 12.500,00 - 24.000,00 TL, çarşaflar dahil.
Evcil hayvan ve sigara yasaktır.
300 avro depozito 14 gün içinde iade edilir.
Bahçeden plaja doğrudan erişim.
`,
  hi: `
पुराने बंदरगाह के पास दो बेडरूम का रोशन फ़्लैट, ट्राम से 300 मीटर।
आगमन से 14 दिन पहले तक मुफ़्त रद्दीकरण, उसके बाद 50% शुल्क।
चेक-इन 15:00-20:00, चेक-आउट 11:00 तक।
चाबी का डिब्बा खोलने के लिए दरवाज़े पर लिखे निर्देश देखें।
मेहमानों को घर के नियम मानने चाहिए; पार्टी की अनुमति नहीं है।
रिसेप्शन रोज़ 8 से 20 बजे तक खुला है।
हर कमरे में हीटिंग और एसी है।
सेंट मैरी चर्च 2.5 किमी, समुद्र तट 200 मीटर दूर है।
फ़्लैट 4B, तीसरी मंज़िल, 45 वर्ग मीटर, पिन 110001।
हम बच्चों वाले परिवारों को इस विला की सिफ़ारिश करते हैं।
वाई-फ़ाई 500 एमबीपीएस, 2 बाथरूम, अधिकतम 8 लोग।
गाड़ी भूल जाइए: सब कुछ पैदल दूरी पर है।
अपने आने का समय और पालने की ज़रूरत हमें बताएँ।
पंजीकरण संख्या 123/2024।
सीज़न 01-06-2027 से 30-09-2027, कम से कम 7 रातें।
मालिक घर पर स्वयं आपका स्वागत करते हैं।
प्रति सप्ताह 12,500 से 24,000 रुपये, चादरें शामिल।
पालतू जानवर और धूम्रपान मना है।
3000 रुपये की जमा राशि 14 दिन में लौटाई जाती है।
बगीचे से समुद्र तट तक सीधा रास्ता।
`,
  plain: `
Casa da Graça, 2 bedrooms, river view
AI-designed loft by the Ai river
Villa "Ca’ d’Oro" – 3 étoiles
Suite #2 / 3rd floor // sea side
Kids <12 free, dogs > 10 kg not allowed
Steps from the beach.Sleeps four.Top floor
Wi‑Fi, TV (55"), A/C, BBQ & 2 bikes @ no cost
Linen: EUR 12.50 p.p.; pool heating: EUR 40/day
GPS 38.7139, -9.1334; altitude 120 m
Ages 0-2 free, 3-11 half price, 12-17 75 %
Mon-Fri 09:00-18:00, Sat 10:00-14:00
Built 1895, renovated 2019-2021, energy class B
Spanish registration ESFCTU000008014000123456000000000000000HUTB0123456
Cleaning fee
City tax (2.00 EUR x 2 guests x 7 nights)
7 nights x 129.00 EUR
Discount for 7 nights or more (-10 %)
Sofa bed 140 x 200 cm, cot 60 x 120 cm
Tourist tax 4% + 0.50 EUR/person/night
Non-refundable. No-show: 100 % of the price.
The system of canals begins at the door; a prompt ferry runs hourly.
Users of the sauna bring their own towels; the user manual hangs by the door.
Our assistant Maria speaks English, German and Russian.
Message boards and board games in the common room
Line 4 of the metro, stop São Bento, exit C
`,
};
