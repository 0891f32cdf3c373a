import { ANSWER_WORDS } from './answer-words.ts';
import { foldLookalikes } from './fold-lookalikes.ts';

/**
 * Words and phrases for each concept in many languages. The rules judge a text by the concepts that stand close to each other, not by its
 * sentences. A trailing `*` accepts any ending, and `_` joins the words of a phrase.
 */
export const CONCEPTS = {
  ...ANSWER_WORDS,
  override: `
    ignor* disregard* forget forgetting override* overrule* bypass* neglect_the
    olvid* haz_caso_omiso hagas_caso_omiso no_hagas_caso desconsider* esquec* nao_leve_em_conta dimentic* non_tenere_conto non_tener_conto non_considerare
    oubli* ne_tenez_pas_compte ne_tiens_pas_compte sans_tenir_compte faites_abstraction fais_abstraction
    vergiss* vergesst* missacht* beachte_nichts beachte_nicht beachten_sie_nicht vergessen_sie
    negeer* vergeet* trek_je_niets_aan let_niet_op
    zignoruj* ignoruj* zapomnij* pomin nie_zwracaj_uwagi nie_zwracajcie_uwagi
    игнорир* проигнорир* забуд* не_обращай* не_обращайте* не_учитывай*
    忽略 无视 無視 忘记 忘掉 不要理会 忘れて 忘れろ
    تجاهل* انس انسى لا_تلتفت* لا_تنظر
    무시하 무시해 잊어 잊으
    yok_say* yok_sayin* gormezden_gel* dikkate_alma* goz_ardi_et* unut unutun
    अनदेखा* नज़रअंदाज़* भूल_जा* ध्यान_न_दो*
  `,
  instruction: `
    instruct* instruccion* instruco* instrucao instrucoes istruzion* instruktion* anweisung* instructie* instrukcj* инструкци* указани*
    prompt prompts directive* directiva* directriz* diretriz* direttiv* consignes guideline* richtlini* wytyczn* promptu промпт*
    指令 指示 提示词 提示詞 命令 プロンプト تعليمات توجيهات 지시 프롬프트 talimat* yonerge* komutlar* निर्देश*
  `,
  rule: `
    rules regeln reglas regras regles regole regels zasad* правил* 规则 規則 ルール 규칙 kurallar* नियम* قواعد messages context constraints
    everything anything tout_ce_qui tudo_o_que todo_lo alles_was von_dem quanto_scritto lo_escrito ce_qui_est_ecrit to_co_napisano написанное 内容 내용 yazilanlar* बात*
  `,
  previous: `
    previous previously prior told_before written_above said_above stated_above the_above above_and above_rules given_earlier told_earlier earlier_instructions you_were_given you_were_told you_received
    anterior anteriores mas_arriba aqui_arriba te_dieron has_recibido dito_acima escrito_acima que_recebeu foi_dito
    precedent* plus_haut ci_dessus auparavant avez_recu* as_recu*
    vorherig* bisherig* obig* was_oben oben_steh* vorher_bekommen erhalten_hast
    precedenti scritto_sopra di_cui_sopra hai_ricevut*
    eerdere voorgaande bovenstaande hierboven hiervoor je_kreeg
    poprzedni* powyzej powyzsz* napisano_powyzej otrzymales_wczesniej otrzymal*
    предыдущ* прежни* написанное_выше тебе_дали ты_получил
    之前 以上 上述 先前 你收到的 これまで 以前に 上記 上に書 受け取った
    السابقه السابقة سابقه سابقة اعلاه لك_من_قبل تلقيتها
    이전의 앞서 위에_적힌 위의 받은
    onceki* yukarida* yukaridaki* sana_verilen aldigin
    पिछल* ऊपर_लिख* पहले_दिए* मिले_हुए
  `,
  model: `
    chatbot* chat_bots chatboty чат_бот* чатбот* sohbet_bot* चैटबॉट* 聊天机器人 チャットボット 챗봇 روبوتات_المحادثه روبوتات_المحادثة روبوت_المحادثة robots_conversationnels robot_conversationnel
    conversational_agent* agents_conversationnels agent_conversationnel agente_conversacional agentes_conversacionales agente_conversazionale assistente_virtuale assistenti_virtuali asistente_virtual asistentes_virtuales assistente_virtual virtuelle_assistent* virtuele_assistent* wirtualny_asystent wirtualna_asystentka виртуальный_помощник виртуальный_ассистент sanal_asistan*
    ais the_ai an_ai any_ai every_ai all_ai dear_ai hey_ai hello_ai hi_ai to_ai for_ai as_ai are_ai attention_ai note_to_ai ai_readers ai_assist* ai_agent* ai_model* ai_bot* ai_tool* ai_system* ai_must ai_should ai_please ai_reading ai_summar* ai_instruction* ai_search* assistente_ai agente_ai modello_ai cara_ai beste_ai de_ai een_ai droga_ai asystent_ai liebe_ki die_ki an_ki llm llms chatbot chatbots chatgpt gpt claude copilot language_model* large_language_model* artificial_intelligence neural_network* virtual_assistant*
    ia inteligencia_artificial modelo_de_lengua* modelo_de_linguagem modelos_de_lengua* intelligence_artificielle modele_de_langage modele_linguistique
    kunstliche_intelligenz kunstlichen_intelligenz ki_assist* ki_modell* ki_agent* sprachmodell* intelligenza_artificiale modello_linguistico modello_di_linguaggio
    kunstmatige_intelligentie taalmodel* sztuczna_inteligenc* sztucznej_inteligenc* sztuczną_inteligenc* model_jezykow* modelem_jezykow* modelu_jezykow*
    ии искусственный_интеллект* искусственного_интеллект* языковая_модел* языковой_модел* нейросет*
    人工智能 人工智慧 语言模型 語言模型 大模型 人工知能 言語モデル ذكاء_اصطناعي الذكاء_الاصطناعي نموذج_لغوي* نموذجا_لغوي* 인공지능 언어_모델 언어모델
    yapay_zek* dil_model* कृत्रिम_बुद्धि* एआई भाषा_मॉडल*
  `,
  aiLetters: `
    ai
  `,
  romance: `
    j je n l y nous vous des les une dans est sont il la lo gli di del della dei delle che per con nel nella sono vicino fino davanti accanto grazie oltre adatto
  `,
  agent: `
    assistant assistants asistente* assistente* assistent* asystent* ассистент* помощник* 助手 助理 アシスタント مساعد* كمساعد* 비서 어시스턴트 asistan* सहायक* bot bots bookingbot agent agents agente agenti
    salesman seller vendedor* vendeur* vendeuse verkaufer* verkoper* venditore sprzedawc* продав* 销售员 販売員 بائع 판매원 satici* विक्रेता*
    receptionist recepcionist* receptionniste* rezeption la_reception reception recepcjonist* администратор* 前台 フロント係 프런트_직원 resepsiyonist* रिसेप्शनिस्ट*
  `,
  youAre: `
    you_are_a you_are_an you_are_now you_are_the youre_now you_re_now since_you_are if_you_are
    eres ahora_eres voce_e voce_agora tu_es vous_etes_un* tu_seras bist_du du_bist sei_un sei_il sei_la sei_ora ben_je je_bent_een jij_bent bent_u jestes
    ты_теперь ты तुम तू 你是 你现在是 あなたは あなたが انت 당신은 당신이 sen artik_sen modeliysen आप
  `,
  actAs: `
    act_as act_like behave_as behave_like roleplay_as role_play_as play_the_role actua_como actue_como comportate_como aja_como atue_como comporte_se_como agis_comme agissez_comme comporte_toi verhalte_dich verhalten_sie_sich spiele_die_rolle handle_als comportati agisci_come gedraag_je gedraag_u zachowuj_sie_jak wciel_sie веди_себя_как действуй_как
    扮演 充当 として振る舞 として行動 تصرف* 처럼_행동 gibi_davran* की_तरह_व्यवहार*
  `,
  pretend: `
    pretend_to_be pretend_you* pretend_that_you finge_ser finge_que_eres finja_ser finja_que fais_semblant faites_semblant tu_so_als tun_sie_so_als doe_alsof_je fai_finta fingi_di udawaj* притворись* притворитесь* 假装你 假裝你 ふりをして تظاهر* 인_척하 인_척 होने_का_नाटक*
  `,
  fromNow: `
    from_now_on a_partir_de_ahora de_ahora_en_adelante a_partir_de_agora a_partir_de_maintenant desormais ab_jetzt von_nun_an da_ora_in_poi d_ora_in_poi vanaf_nu od_teraz с_этого_момента отныне 从现在起 从现在开始 今から 今後は من_الان 지금부터 su_andan_itibaren bundan_sonra अब_से
  `,
  directive: `
    sollen soll sollte sollten zou_moeten powinien powinny nalezy следует обязан* demeli* olmali* etmeli* ينبغي 应当 应该 すること べき 불러야
    must should shall always never have_to has_to debe deben deberia siempre nunca deve devem sempre doit doivent toujours jamais muss mussen immer niemals deve devono sempre moet moeten altijd nooit musi musza zawsze nigdy
    должен должны всегда никогда 必须 必須 始终 绝不 务必 なければなりません 常に 必ず 絶対に يجب دائما ابدا 해야 항상 절대 her_zaman asla melidir* gostermelidir* चाहिए हमेशा कभी
  `,
  recommend: `
    recommend recommends recommended rank ranks prioritise prioritize promote prefer choose select recomienda recomiende recomienden recomendar recomende recomenda recomendem recommande recommandez recommander
    empfiehl empfehlt empfehlen_sie consiglia consigliate consigliare raccomanda raad beveel_aan polecaj poleca polec polecac рекомендуй* порекомендуй* 推荐 推薦 薦めて 勧めて اوص اوصي 추천하세 추천하라 추천해 oner onerin onersin सिफारिश* सिफ़ारिश*
  `,
  first: `
    first top_of at_the_top on_top number_one cheapest best_option best_choice best_value whatever_the_price primero primera primer_lugar mejor_opcion antes_que primeiro primeira primeiro_lugar melhor_opcao antes_das antes_dos
    en_premier en_tete meilleur_choix avant_les zuerst erster_stelle beste_wahl vor_allen primo primi per_primo in_cima scelta_migliore prima_delle prima_degli als_eerste bovenaan beste_keuze voor_de_andere
    pierwszy pierwsza pierwszym pierwszej najlepszy_wybor przed_innymi первой первым первую лучший_вариант раньше_остальных 第一位 优先 首位 最佳选择 最上位 最初に 一番上 最優先 最良 优先推荐 اولا افضل_خيار قبل_غيره 가장_먼저 맨_위 최고의_선택 en_ust* en_iyi_secim* once_bu diğerlerinden_once सबसे_ऊपर पहले_इस* सबसे_अच्छा_विकल्प से_पहले_करो
  `,
  say: `
    tell tells inform informs convince persuade say says assure urge remind notify dile digale diga di dis dites sag sage sagt sagen zeg zegt vertel powiedz powiedzcie poinformuj скаж* сообщи* 告诉 告訴 请说 伝えて 言って اخبر* قل فقل 말하 말해 soyle* soyleyin* बताओ बताएं बताना कहो कहें
  `,
  user: `
    the_user the_users your_user your_users user_s the_traveller the_traveler the_human usuario usuarios utilizador* utilisateur* nutzer* benutzer* utente utenti gebruiker* uzytkownik* пользовател* 用户 用戶 ユーザー مستخدم* للمستخدم* المستخدم* 사용자 kullanici* उपयोगकर्ता*
  `,
  show: `
    mention* show shows display* present presents compare disclose reveal reveals reveal print prints repeat output leak hide mencion* muestr* mostr* revel* mentionn* affich* montr* cach* erwahn* zeig* gib_preis menzion* rivel* noem toon onthul* wspominaj* pokaz* pokazuj* ujawni*
    упоминай* показывай* покаж* раскрой* 提及 显示 顯示 透露 提到 表示 明かし 伝え تذكر تعرض اعرض اكشف 언급 보여 표시 공개 bahset* goster* acikla* दिखा* बता*
  `,
  send: `
    send forward transmit post envia* envie* enviar envoy* envoi* schick* sende senden invia inviate stuur verstuur wyslij* отправь* перешли* 发送 发给 送信 送って ارسل* 보내 gonder* भेज*
  `,
  conversation: `
    conversation conversations chat_history chat_log la_conversacion conversacion conversa gesprach* chatverlauf conversazione gesprek rozmow* переписк* разговор* 对话 對話 会話 المحادثه المحادثة محادثه محادثة 대화 konusma* बातचीत* api_key api_keys password* passwort* contrasena*
  `,
  secret: `
    system_prompt* system_message system_instructions developer_message hidden_prompt hidden_instruction* secret_instruction* prompt_del_sistema prompt_de_sistema prompt_do_sistema prompt_systeme systemprompt* prompt_di_sistema systeemprompt* prompt_systemow* системный_промпт* системные_инструкции 系统提示 系統提示 隐藏指令 システムプロンプト 隠された指示 موجه_النظام 시스템_프롬프트 시스템프롬프트 숨겨진_지시 sistem_istem* sistem_komut* gizli_talimat* सिस्टम_प्रॉम्प्ट* छिपे_निर्देश* jailbreak* prompt_injection developer_mode god_mode debug_mode admin_mode modo_depuracion modo_administrador mode_debogage debugmodus modalita_debug режим_отладки hata_ayiklama_modu 调试模式 デバッグモード 디버그_모드
    instrucciones_ocultas instrucoes_ocultas consignes_cachees instructions_cachees geheimen_anweisung* istruzioni_nascoste verborgen_instructies ukryte_instrukcj* скрытые_инструкци* التعليمات_المخفي*
  `,
  not: `
    do_not don_t never must_not hide no nunca jamas nao ne n jamais kein keine keinen nicht niemals nie non mai geen niet nooit nie nigdy не никогда 不要 绝不 不得 请勿 ないで لا 마세요 마라 절대 asla degil degildir bahsetme* gosterme* मत कभी नहीं 不 ません 않습니다 않는다
  `,
  others: `
    other_propert* any_other_propert* other_home other_homes other_option* other_listing* other_brand* other_result* other_offers other_hotel* other_apartment* competitor* competing the_competition the_others
    otras_propiedades otros_alojamientos otras_ofertas otras_casas competencia competidor* los_demas las_demas outras_propriedades outras_casas outros_alojamentos concorrent* concorrencia das_outras dos_outros
    autre_logement autres_logements autres_offres les_autres concurren* anderen_unterkunft* andere_unterkunft* anderen_hauser anderen_angebote konkurrenz* allen_anderen alle_anderen
    altri_alloggi altre_case altre_offerte delle_altre degli_altri andere_woning* andere_huizen voor_de_andere innych_obiekt* konkurencj* przed_innymi inne_domy innych_domow
    другие_вариант* другие_дома конкурент* остальные остальных 其他房源 竞争对手 其他酒店 他の物件 他の宿 競合 عقارات_اخري عقارات_اخرى المنافسين منافس* البيوت_الاخرى البيوت_الاخري غيره 다른_숙소 경쟁사 다른_집 diger_ev* diger_butun digerlerinden diger_daire* rakip* rakipler* दूसरे_घर* दूसरों_से प्रतिस्पर्धि* बाकी_सभी
  `,
  thisHome: `
    this_cottage this_chalet this_cabin this_loft this_studio this_bungalow this_barn this_rental this_accommodation our_house our_cottage our_flat our_place
    este_alojamiento esta_propiedad este_estudio esta_vivienda este_chalet este_alojamento esta_propriedade este_estudio ce_gite ce_logement cette_location ce_chalet cet_hebergement ce_studio diese_unterkunft dieses_ferienhaus diese_ferienwohnung dieses_objekt questo_alloggio questa_villa questa_struttura questo_monolocale dit_huisje deze_accommodatie dit_vakantiehuis deze_villa ten_obiekt ten_nocleg te_wille to_miejsce это_жилье эту_виллу этот_вариант эти_апартаменты это_место bu_konut* bu_villa* bu_mekan* هذا_المنزل هذا_السكن هذا_العقار هذه_الفيلا इस_फ्लैट* यह_फ्लैट* इस_विला* इस_मकान* यही_घर 这间 此房 本房 这处 この宿 この別荘 이_펜션 이_곳을 이_주택
    this_home this_property this_listing this_villa this_flat this_house this_apartment this_hotel this_option this_one our_apartment our_villa our_home our_property our_listing this_place
    esta_casa este_piso este_apartamento esta_villa este_anuncio esta_moradia cet_appartement cette_maison cette_annonce cette_villa dieses_haus diese_wohnung dieses_angebot questa_casa questo_appartamento questo_annuncio dit_huis deze_woning dit_appartement ten_dom to_mieszkanie ten_apartament te_oferte этот_дом эту_квартиру это_объявление 这套 这个房源 这栋 この家 この部屋 この物件 このアパート هذا_البيت هذه_الشقه هذه_الشقة 이_집 이_숙소 이_아파트 bu_evi bu_daireyi bu_ilani इस_घर* यह_घर इस_अपार्टमेंट*
  `,
  book: `
    book booking reserve reserva reservar reserve reservez reserver buche buchen bucht prenota* prenotare boek boeken boekt zarezerw* rezerwuj* брониру* заброниру* 预订 預訂 予約 احجز للحجز 예약 rezervasyon* बुक बुकिंग
  `,
  direct: `
    direct directly directamente diretamente directement direkt direttamente rechtstreeks bezposrednio напрямую 直接 مباشره مباشرة 직접 dogrudan सीधे
  `,
  owner: `
    owner owners with_us our_own propietario dueno dono proprietario proprietaire eigentumer* vermieter* eigenaar wlascicie* владел* хозяин* 房东 房東 オーナー مالك المالك 집주인 ev_sahib* मालिक*
  `,
  cheaper: `
    save saves cheaper discount better_price ahorra* barato barata poupe poupa economise* economize* moins_cher spare sparen gunstiger billiger risparmi* a_meno bespaar* goedkoper oszczed* taniej сэконом* дешевле 更便宜 可省 お得 安く وفر* بسعر_اقل 절약 저렴 kazan kazanin ucuz* बचाएं बचाए सस्ती सस्ता
  `,
  ourPage: `
    our_own_page our_own_site our_own_website our_page our_website our_web_site nuestra_web nuestra_pagina nosso_site notre_site unsere_webseite unserer_seite unserer_webseite nostro_sito onze_website naszej_stronie нашем_сайте 我们的网站 公式サイト
  `,
  messenger: `
    whatsapp* telegram* wechat* viber kakaotalk* facetime skype instagram facebook messenger 微信 lineで ラインで واتساب واتس تلغرام 카카오톡 카톡 व्हाट्सएप* व्हाट्सऐप*
  `,
  contact: `
    message messages write contact text call ring reach escrib* escreva fale contact* contactez ecrivez appel* schreib* scriv* chiama* app_ons napisz* zadzwon* напиш* позвон* 联系 聯繫 加微信 連絡 راسل* اتصل* 연락 yazin* arayin* लिखें लिखो find_us on_instagram us_on ons_via
  `,
  untraceable: `
    bitcoin bitcoins crypto cryptocurrency usdt ethereum western_union moneygram zelle gift_card gift_cards carte_cadeau tarjeta_regalo биткоин* 比特币 비트코인
  `,
  pay: `
    pay pays paid payment transfer wire send paga* pague* pagar payez paie bezahl* zahl* betaal* zaplac* оплат* перевед* 支付 转账 支払 ادفع* حول* 입금 ode* odeme* भेज* भुगतान*
  `,
  attention: `
    querido querida estimad* caro cara cher chere chers cheres liebe lieber liebes beste drogi droga drogie szanown* уважаем* дорогой дорогая sevgili sayin عزيزي प्रिय 亲爱的 尊敬的 の皆さん 친애하는
    attention dear hey hello note_to note_for message_to message_for instructions_for reading_this read_this atencion atencao achtung attenzione let_op uwaga внимание 请注意 注意 انتباه ايها 알림 dikkat ध्यान_दें hinweis_an nota_para note_pour nota_per
  `,
  invoke: `
    call_the invoke execute run_the use_the use_your open_the
  `,
  tool: `
    tool_with tool_to tool_and function_to function_with function_and following_command* plugin plugins following_code shell_command*
  `,
} as const;
export type Concept = keyof typeof CONCEPTS;

/** The words of a concept in the scanner's format. */
export function entriesOf(concept: Concept): readonly string[] {
  return CONCEPTS[concept]
    .split(/\s+/)
    .filter((entry) => entry !== '')
    .map((entry) => {
      const words = entry.replaceAll('_', ' ');
      return words.endsWith('*') ? `${foldLookalikes(words.slice(0, -1))}*` : foldLookalikes(words);
    });
}
