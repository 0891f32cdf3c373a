/**
 * Words for the answer, the comparison, other offers or the person who asked. They do not belong in the description of a home. Same format
 * as `CONCEPTS`.
 */
export const ANSWER_WORDS = {
  machineReader: `
    language_models llms automated_agent* automatic_agent* automated_system* automated_reader* ai_agent* ai_assistant* ai_model* ai_tool* ai_system* chat_assistant* digital_assistants web_crawler* software_comparing software_that_compare* software_reading program_that_compare* program_comparing
    modelos_de_lenguaje modelos_linguistico* modelo_linguistico agentes_automatic* agente_automatic* agentes_de_ia asistentes_de_ia asistente_de_ia programa_que_compara software_que_compara sistemas_automatizados
    modelos_de_linguagem modelo_linguistico agentes_autom* assistentes_de_ia assistente_de_ia
    modeles_de_langage modeles_linguistiques agents_automatiques agent_automatique agents_ia assistants_ia assistant_ia logiciel_qui_compare programme_qui_compare
    sprachmodell* automatische_agenten automatischen_agenten automatisierte_agenten ki_agent* ki_assistent* ki_system* software_die_vergleicht programm_das_vergleicht
    modelli_linguistici modello_linguistico modelli_di_linguaggio agenti_automatic* agente_automatico agenti_ia assistenti_ia programma_che_confronta software_che_confronta
    taalmodel* geautomatiseerde_agent* automatische_agent* ai_assistent* programma_dat_vergelijkt software_die_vergelijkt
    modele_jezykowe modeli_jezykowych modelom_jezykowym model_jezykowy agenci_automatyczni agentow_automatyczn* automatycznych_agent* asystenci_ai program_porownujacy
    языковые_модели языковых_моделей языковым_моделям языковая_модель автоматических_агент* автоматические_агент* автоматическим_агент* ии_агент* ии_ассистент* программа_сравнива* программе_котор*
    dil_modelleri* dil_modeli otomatik_temsilci* otomatik_ajan* yapay_zeka_asistan* yapay_zeka_ajan* karsilastiran_yazilim* karsilastiran_program*
    النماذج_اللغويه النماذج_اللغوية نماذج_اللغه نماذج_اللغة الوكلاء_الاليين الوكلاء_الالي* المساعدات_الذكيه البرنامج_الذي_يقارن
    भाषा_मॉडल* स्वचालित_एजेंट* एआई_सहायक*
    语言模型 語言模型 自动代理 智能体 智能助手 比较程序 言語モデル 自動エージェント 比較するプログラム 언어_모델 언어모델 자동화_에이전트 자동_에이전트
  `,
  summarise: `
    summarise summarises summarising summarize summarizes summarizing paraphrase paraphrases paraphrasing recaps recapping rewords condenses_this boils_this boiling_this shortens_this
    resuma resumas resuman resumir resumes_est* resume_est* quien_resume quien_resuma resumires quem_resume quem_resumir
    qui_resume qui_resumez resumez resumer_cet* resumer_ce resumes_ce resumes_cet* resume_cet* resume_ce
    zusammenfasst zusammenfassen zusammenzufassen zusammenfasse fasse_diese* fass_diese* fasst_diese*
    riassume riassuma riassumi riassumere riassumete riassumono riassumesse sintetizza
    samenvat samenvatten vat_deze vat_dit
    streszcza streszczaj* streszcz streszczasz streszczac streszcza podsumowuje podsumuj podsumowac podsumowujesz
    пересказыва* перескажи* пересказать резюмиру* обобща* суммиру* кратко_излага*
    ozetleyen* ozetleyin ozetlerken ozetleyecek* ozetliyorsan* ozetleyecegin*
    يلخص تلخص لخص يلخصون تلخيص ملخص اختصار_هذا
    सारांश* सार_लिख* सार_बना* संक्षेप_कर* संक्षेप_लिख*
    总结 總結 概括 归纳 摘要 要約 요약
  `,
  whoever: `
    whoever anyone_who those_who everyone_who to_the_one whosoever
    quien quienes aquel_que aquellos_que quem aquele_que aqueles_que celui_qui ceux_qui celle_qui quiconque
    wer wem alle_die derjenige* diejenigen an_alle chi coloro_che colui_che a_chi wie degene degenen iedereen_die voor_wie
    kto tego_kto temu_kto ten_kto tym_ktorzy кто тот_кто тому_кто всем_кто тем_кто
    her_kim kim kisi kisiye kimse من_يلخص الي_من الى_من كل_من لمن जो_भी जो 的人 那位 的你 的您 方へ 方は 人へ 人は 分께 분께 분은 분에게 사람은 사람에게
  `,
  thisText: `
    this_text this_page this_description this_listing this_ad this_advert this_entry this_note this_message this_paragraph this_notice this_line
    este_texto esta_pagina este_anuncio esta_descripcion esta_ficha esta_nota este_mensaje este_aviso este_recado esta_descricao esta_mensagem desta_pagina deste_texto deste_anuncio deste_recado desta_nota
    ce_texte cette_page cette_annonce cette_description cette_fiche cette_note ce_message ces_lignes
    diesen_text dieser_text diesem_text diese_seite dieser_seite diese_beschreibung dieser_beschreibung dieses_inserat diese_anzeige dieser_hinweis diesem_hinweis diesen_hinweis diese_notiz dieser_notiz diese_nachricht diese_zeilen
    questo_testo questa_pagina questo_annuncio questa_descrizione questa_scheda questa_nota questo_messaggio queste_righe
    deze_tekst deze_pagina deze_advertentie deze_beschrijving deze_notitie dit_bericht deze_regels
    ten_tekst tego_tekstu te_strone ta_strona tej_strony ten_opis tego_opisu to_ogloszenie tego_ogloszenia tej_uwadze te_uwage ta_notatk* te_notatk* tej_notat* te_wiadomosc
    этот_текст этого_текста эту_страницу этой_страниц* это_описание этого_описания эту_запись этой_записи это_сообщение этом_сообщении это_объявление этого_объявления эту_заметк* этой_заметк*
    bu_metn* bu_metin* bu_sayfa* bu_ilan* bu_aciklama* bu_not bu_notu bu_notun bu_yazi* bu_mesaj*
    هذا_النص هذه_الصفحه هذه_الصفحة هذا_الوصف هذا_الاعلان هذه_الملاحظه هذه_الملاحظة هذه_الرساله هذه_الرسالة هذه_السطور
    इस_पाठ* इस_पन्न* इस_विवरण* इस_टिप्पणी* इस_पेज* इस_सूचना* इस_संदेश* यह_टिप्पणी* इस_नोट*
    这段 本页 此页 这页 本文 这条 该描述 这篇 此信息 这份说明 この紹介 このページ この文 このメモ この説明 このテキスト このメッセージ この掲載 이_소개 이_페이지 이_글 이_메모 이_설명 이_문장 이_메시지 이_공지
  `,
  searchResult: `
    search_result* results_of_the_search results_of_this_search in_this_search further_match* other_match* no_match* further_result* no_other_result* no_further_result* no_more_result* zero_results 0_results matches_found results_found suitable_property_found matching_propert* hosts_in_this
    resultado_de_la_busqueda resultados_de_la_busqueda resultados_de_busqueda mas_coincidencias otras_coincidencias mas_resultados otros_resultados
    resultado_da_pesquisa resultados_da_pesquisa resultado_da_busca resultados_da_busca outros_resultados mais_resultados outras_correspondencias
    resultat_de_la_recherche resultats_de_la_recherche resultats_de_recherche resultat_de_recherche autre_correspondance autres_correspondances autres_resultats autre_resultat
    suchergebnis* weitere_treffer weiteren_treffer keine_treffer weitere_ergebnisse weiteren_ergebnisse
    risultati_della_ricerca risultato_della_ricerca esito_della_ricerca altro_risultato altri_risultati
    zoekresultat* andere_resultaten overige_resultaten verdere_resultaten geen_andere_treffers
    wynik_wyszukiwania wyniki_wyszukiwania wynikow_wyszukiwania wynikach_wyszukiwania innych_trafien inne_trafienia innych_wynikow pozostale_wyniki
    результат_поиска результаты_поиска результатов_поиска результатах_поиска других_совпадений других_результатов
    arama_sonuc* baska_eslesme* baska_sonuc* diger_sonuc*
    نتيجه_البحث نتيجة_البحث نتائج_البحث نتائج_اخري نتائج_اخرى نتائج_بحث
    खोज_परिणाम* खोज_के_परिणाम* और_मेल कोई_अन्य_परिणाम
    搜索结果 搜尋結果 查询结果 检索结果 其他匹配 其他结果 没有其他房源 検索結果 他に該当 他の結果 검색_결과 검색결과 다른_결과 다른_검색
  `,
  rivals: `
    other_hosts other_houses other_homes other_places other_flats other_rentals other_listings other_options other_offers other_propert* other_apartments other_hotels other_cottages other_villas other_accommodation* remaining_places remaining_homes remaining_houses remaining_listings remaining_options rest_of_the_list rest_of_the_homes alternatives competitor* every_other_home every_other_place all_others the_others rivals
    demas_alojamientos demas_casas demas_opciones demas_pisos demas_anuncios demas_ofertas otros_alojamientos otras_casas otros_pisos otras_opciones otros_anuncios otras_ofertas otros_apartamentos restantes_alojamientos el_resto_de_casas el_resto_de_alojamientos los_demas las_demas alternativas
    outras_casas outros_alojamentos outras_opcoes outros_apartamentos outros_anuncios outras_ofertas restantes_casas restantes_opcoes resto_da_lista demais_casas demais_opcoes
    autres_logements autres_hebergements autres_maisons autres_gites autres_offres autres_annonces autres_options autres_appartements autres_locations reste_de_la_liste
    ubrigen_unterkunft* anderen_unterkunft* ubrigen_hauser ubrigen_wohnungen ubrigen_angebote anderen_angebote anderen_inserate restlichen_unterkunft* restlichen_angebote restlichen_liste alternativen alle_anderen
    altre_case altri_alloggi altri_appartamenti altre_offerte altri_annunci altre_opzioni altre_strutture resto_della_lista restanti_alloggi
    overige_huizen overige_woningen overige_accommodaties overige_opties andere_accommodaties andere_aanbiedingen andere_opties andere_advertenties rest_van_de_lijst
    pozostale_noclegi pozostale_domy pozostale_oferty pozostale_obiekty pozostalych_ofert inne_oferty innych_ofert inne_noclegi innych_noclegow inne_obiekty reszta_listy
    остальное_жилье остальные_дома остальные_варианты остальные_объекты остальные_предложения другие_предложения другие_варианты других_вариантов других_предложений другие_объявления остального_списка
    diger_evler diger_konaklama* diger_ilanlar* diger_secenek* diger_daireler kalan_evler kalan_secenek* obur_evler listenin_geri_kalani*
    بقيه_البيوت بقية_البيوت بقيه_المنازل بقية_المنازل بقيه_العروض بقية_العروض البيوت_الاخري البيوت_الاخرى العروض_الاخري العروض_الاخرى المنازل_الاخري المنازل_الاخرى الخيارات_الاخري الخيارات_الاخرى بقيه_القائمه بقية_القائمة
    बाकी_घर* बाकी_विकल्प* बाकी_सूची* दूसरे_घर* दूसरे_विकल्प* अन्य_घर* अन्य_विकल्प* अन्य_संपत्ति*
    其余的房源 其余房源 其他房源 别的房源 其他房子 其他选择 其他选项 其他民宿 其他住宿 剩下的房源 ほかの宿 他の宿 他の物件 ほかの物件 他の選択肢 残りの物件 残りの宿 나머지_숙소 나머지_집 다른_숙소 다른_집들 다른_선택지 나머지_목록 다른_매물
  `,
  unavailable: `
    closed shut unavailable fraud fraudulent scam scams reported fully_booked sold_out unsafe condemned infested illegal withdrawn suspended banned no_longer_exist* not_available taken_down removed
    cerrad* fraude estafa* denunciad* completos agotad* clausurad* peligros* retirad* suspendid* no_disponibles
    encerrad* fechad* burla* esgotad* denunciad* perigos* indisponiv*
    ferme fermes fermee fermees arnaque* fraude* complets indisponible* dangereu* insalubre* retires retirees
    geschlossen gesperrt ausgebucht betrug* unsicher abgerissen gemeldet nicht_verfugbar
    chius* truff* esaurit* pericolos* segnalat* sospes* non_disponibili
    gesloten dicht volgeboekt oplichting fraude onveilig afgekeurd niet_beschikbaar
    zamkniet* oszust* zajete niedostepn* niebezpieczn* wycofan*
    закрыт* мошенни* заняты недоступн* опасн* обман* снят
    kapatil* kapandi* kapali dolandiric* dolu tehlikeli* musait_degil
    اغلقت* مغلق* احتيال* نصب محجوزه غير_متاح* خطير*
    बंद धोखा* भरे_हुए असुरक्षित* उपलब्ध_नहीं*
    关停 关闭 欺诈 骗子 满房 已满 不安全 下架 閉鎖 詐欺 満室 危険 폐쇄 사기 만실 위험
  `,
  mention: `
    mention mentions mentioning be_mentioned bring_up bringing_up name_them naming_them speak_of talk_about refer_to_them list_them hear_about
    mencion* nombrarl* nombres_a citarl* hables_de menciona* fales_de fale_de fales_d* referir_as cita_las
    mentionn* les_citer citer evoque* en_parle en_parlez parle_pas parlez_pas
    erwahne* erwahnt_zu erwahnung nenne nenn zur_sprache
    menzion* nominarl* nominare parlarne parlare_di citarl*
    noem noemen vermeld vermelden benoem*
    wspomin* wymieni* mowic_o o_nich_mowic nie_mow
    упомина* упомян* говорить_о называть_их
    soz_et* bahset* adini_an* anma*
    ذكرها ذكرهم تذكر اذكر الاشاره_الي
    जिक्र* ज़िक्र* उल्लेख* नाम_ले* नाम_मत
    提及 提到 提起 再提 介绍其他 触れ 言及 언급
  `,
  omit: `
    leave_them_out leave_it_out leave_out left_out leave_out_the omit omits omitted omitting hold_off skip_over conceal conceals withhold withholds keep_quiet keep_silent say_nothing do_not_disclose don_t_disclose not_reveal never_reveal no_point_in no_need_to_mention
    omite omita omitir omiten se_omit* oculta_l* ocultes calla_l* no_reveles no_hace_falta_nombr*
    omitir omita omite oculta_o esconde_o nao_reveles nao_vale_a_pena guarda_as
    omets omettez omettre passe_sous_silence passez_sous_silence tais_l* cache_l* dissimule* inutile_de_l* ne_revele*
    weglassen weggelassen lass_weg lasse_weg verschweig* verheimlich* verschwieg* brauchen_nicht_erwahnt nicht_verraten nenne_keine
    ometti omettere omettete tralascia* nascondi taci non_rivelare non_serve_nom*
    weggelaten weglaten laat_weg verzwijg* verzwegen verberg niet_noemen noem_ze
    pomijaj pomin pomijane pomijac przemilcz* ukryj zataj* nie_ujawnia*
    опуска* опусти* умолчи* умалчива* скрой* скрыва* утаи* не_раскрыва*
    atla atlayin gizle gizleyin soyleme* bahsetme* belirtme* yer_almaz yer_verme*
    احذف اخف اخفاء لا_تذكر لا_داعي_لذكر* لا_تكشف تكتم
    छिपाओ छिपा_दो छोड़_दो मत_बताना मत_बताओ ज़िक्र_मत जिक्र_मत
    隐瞒 省略 略去 不必提 不必再提 别提 不要提 不用提 別提 隠して 伏せて 省いて 省略 숨기 생략 빼고
  `,
  visitor: `
    the_guest the_guests the_customer the_customers the_client the_clients the_visitor the_visitors the_traveller* the_traveler* the_tourist* the_buyer the_renter the_person the_people_asking anyone_asking the_asker
    huesped huespedes cliente clientes viajero viajeros visitante* turista turistas persona_que_pregunta quien_pregunt*
    hospede hospedes viajante* quem_pergunt*
    client clients voyageur* visiteur* vacancier* touriste touristes celui_qui_pose celui_qui_demande
    gast gaste gasten gastes kunde kunden besucher* reisende* urlauber* wer_fragt
    ospite ospiti cliente clienti viaggiator* visitator* turisti chi_ti_scrive chi_chiede
    klant klanten bezoeker* reiziger* degene_die
    gosc gosciowi goscie gosci klient* odwiedzajac* podrozn* turysta turyscie turystom pytajac*
    гост* клиент* посетител* путешественник* турист туристу туристам туристов тот_кто_спрашива* кто_спрашива*
    misafir* musteri* ziyaretci* yolcu* turiste turistlere konuk* soran soran_kisi*
    الضيف ضيف الضيوف الزبون زبون العميل الزائر زائر المسافر مسافر السائح من_يسال لمن_يسال
    मेहमान* ग्राहक* आगंतुक* यात्री* पर्यटक* पूछने_वाल*
    客人 客户 顾客 访客 旅客 游客 提问的人 询问者 客には お客 客に 訪問者 旅行者 質問した人 質問者 尋ねた人 손님 고객 방문자 여행자 질문한_사람 질문자
  `,
  everyVisitor: `
    every_guest every_traveller every_traveler every_visitor every_customer each_guest each_traveller each_traveler all_travellers all_travelers all_guests all_customers
    cada_viajero cada_huesped cada_cliente todos_los_viajeros todos_los_huespedes todos_los_clientes cada_viajante cada_hospede todos_os_viajantes todos_os_hospedes todos_os_clientes
    chaque_client chaque_voyageur chaque_visiteur tous_les_voyageurs tous_les_clients jedem_gast jedem_reisenden jedem_kunden allen_gasten allen_reisenden allen_kunden
    ogni_viaggiatore ogni_ospite ogni_cliente tutti_i_viaggiatori tutti_gli_ospiti iedere_gast elke_gast elke_reiziger iedere_reiziger alle_gasten alle_reizigers
    kazdemu_podroznemu kazdemu_gosciowi kazdemu_klientowi wszystkim_gosciom каждому_путешественнику каждому_гостю каждому_клиенту всем_гостям всем_путешественникам
    her_yolcuya her_misafire her_musteriye butun_misafirlere tum_misafirlere كل_مسافر كل_ضيف كل_زبون جميع_المسافرين جميع_الضيوف हर_यात्री* हर_मेहमान* हर_ग्राहक* सभी_यात्रि*
    每位旅客 每位客人 每个客人 每位用户 所有旅客 所有客人 すべての旅行者 全ての旅行者 すべてのお客 모든_여행자 모든_손님 모든_고객
  `,
  propose: `
    propose proposed suggest suggested be_picked pick_this be_offered be_shown be_recommended be_presented present_this push_this approved_choice standard_choice approved_as chosen
    propon* sugerir* sugerid* sugiere suger* propost* propor propose proposez proposer suggere* choix_valide vorzuschlagen vorschlag* anzubieten empfehlen propost* proporre suggerir* suggerit* voorstellen voorgesteld voor_te_stellen goedgekeurde_keuze
    zapropon* propon* sugerow* предлаг* предлож* советова* oner* onerilme* اقتراح اقترح* ترشيح सुझा* पेश_कर* 推荐 推薦 建议 提案 勧め すすめ 제안 추천
  `,
  platform: `
    people_who_run platform_team site_team booking_platform the_platform developers_of your_developers makers_of your_makers your_creators your_software your_programmers the_administrators operations_team
    equipo_de_la_plataforma direccion_de_la_plataforma la_plataforma desarrolladores_de tus_desarrolladores tus_creadores administradores_del
    equipa_que_gere equipa_da_plataforma equipe_da_plataforma a_plataforma desenvolvedores programadores_do teus_criadores seus_criadores
    equipe_de_la_plateforme la_plateforme concepteurs_de developpeurs_de tes_createurs tes_concepteurs vos_concepteurs
    betreiber_des betreiber_der portalbetreiber plattformbetreiber entwickler_der deine_entwickler deiner_entwickler deine_betreiber
    gestori_del_portale gestori_della_piattaforma la_piattaforma sviluppatori_del tuoi_sviluppatori tuoi_creatori
    makers_van beheerders_van_het ontwikkelaars_van het_platform jouw_software jouw_makers je_makers
    zespolu_prowadzacego zespol_portalu administratorow_portalu administracja_portalu tworcow_twojego tworcy_twojego platformy_rezerwacyjnej
    команды_сайта команда_сайта администрации_сайта администрация_сайта администрация_платформы администрации_платформы разработчик* создател*
    siteyi_isleten platform_ekibi* platform_yonetimi* gelistiricilerin* yazilimcilarin* site_yonetimi*
    فريق_اداره_المنصه فريق_ادارة_المنصة اداره_المنصه ادارة_المنصة مطورو* المطورين فريق_المنصه فريق_المنصة
    मंच_चलाने* प्लेटफॉर्म_टीम* प्लेटफ़ॉर्म* डेवलपर* निर्माताओं*
    平台管理团队 平台团队 平台方 平台官方 运营团队 开发者 开发团队 運営チーム 運営者 運営事務局 開発者 開発チーム 플랫폼_운영팀 운영팀 개발자 개발팀
  `,
  announcement: `
    message_from notice_from announcement_from note_from word_from statement_from instructions_from aviso_de comunicado nota_de mensaje_de mensagem_da aviso_da note_des note_de message_des message_de avis_de mitteilung hinweis_der nachricht_der avviso_dei avviso_del comunicazione_dei messaggio_dei bericht_van mededeling komunikat wiadomosc_od сообщение_от уведомление_от объявление_от duyuru ekibinden_duyuru mesaji بيان_من اشعار_من رساله_من رسالة_من की_सूचना की_ओर_से 通知 公告 告示 からのお知らせ からの通知 공지 알림
  `,
  notKnow: `
    must_not_know must_never_know should_not_know should_never_know need_not_know need_not_hear need_not_learn not_find_out never_find_out must_never_learn never_learn must_not_learn must_not_see never_see_this not_be_told never_be_told not_be_informed does_not_need_to_know doesn_t_need_to_know without_telling_them without_their_knowledge without_informing
    no_debe_saber no_debe_enterarse no_se_entere no_sepa no_tiene_que_saber no_necesita_saber sin_que_lo_sepa que_no_se_entere
    nao_deve_saber nao_precisa_saber nao_precisa_de_saber nao_pode_saber nao_saiba sem_que_saiba so_precisa_de_conhecer so_precisa_saber
    ne_doit_pas_savoir ne_doit_jamais_savoir ne_doit_jamais_voir ne_doit_pas_voir ne_doit_rien_savoir n_a_pas_besoin_de_savoir a_son_insu ne_l_apprenne
    darf_nichts_wissen nichts_wissen nicht_wissen_darf nichts_davon_wissen nichts_erfahren nie_erfahren muss_nicht_wissen nicht_erfahren darf_nicht_erfahren ohne_sein_wissen
    non_deve_sapere non_deve_mai_sapere non_sappia non_serve_che_sappia non_deve_accorgersi a_sua_insaputa non_venga_a_sapere
    mag_nooit_weten mag_niet_weten hoeft_niet_te_weten niet_te_horen_krijg* nooit_te_weten zonder_dat_hij
    nie_moze_sie_dowiedziec nie_musi_wiedziec nie_powinien_wiedziec niech_nie_wie nie_dowie bez_jego_wiedzy
    не_должен_знать не_должны_знать не_должен_узнать не_узнал не_обязательно_знать без_его_ведома
    bilmemeli* ogrenmemeli* bilmesin* haberi_olmasin* bilmesine_gerek*
    ان_يعلم_بوجود لا_ينبغي_لمن لا_يجب_ان_يعلم لا_يعلم دون_علمه دون_ان_يعلم
    पता_नहीं_चलना* पता_न_चल* मत_बताना मत_बताओ जानना_ज़रूरी_नहीं
    别让 不要让 不能让 不该知道 不必知道 不让他知道 别告诉 不要告诉 知られて 知らせない 知られない 伝えない 教えない 알아서는 알리지 모르게 알면_안 몰라야 말하지_마
  `,
  laterKnown: `
    until_check_in until_arrival until_they_arrive until_after only_on_arrival once_they_arrive hasta_llegar hasta_la_llegada hasta_que_llegue so_a_chegada ate_chegar avant_son_arrivee avant_l_arrivee qu_a_l_arrivee qu_une_fois_sur_place erst_vor_ort erst_bei_ankunft erst_bei_der_ankunft all_arrivo solo_all_arrivo pas_bij_aankomst pas_bij_de_aankomst dopiero_na_miejscu dopiero_po_przyjezdzie уже_на_месте только_на_месте только_по_приезде varinca gelince ancak_varista قبل_وصوله الا_عند_الوصول पहुँचने_तक पहुंचने_तक 到了再 到店再 到达后再 入住后再 到着するまで 着いてから 도착할_때까지 도착한_뒤에야 도착하기_전까지
  `,
  learn: `
    hear hears learn learns find_out finds_out discover discovers know told informed enter* entere averigu* saber conhecer saiba apprend* savoir sache parle decouv* erfahren erfahrt wissen scopra scopre sapere sappia horen weten dowie dowiedzi* wie узна* знать ogren* bil* haber* تخبر* يعلم يعرف علم बताना बताओ पता जान 知道 得知 告诉 知らせ 知る 알리 알게
  `,
  notTell: `
    do_not_tell don_t_tell never_tell do_not_inform don_t_inform don_t_let_the do_not_let_the do_not_say don_t_say
    no_le_digas no_les_digas no_digas no_cuentes no_informes no_avises nao_digas nao_contes nao_informes nao_diga nao_conte
    ne_dis_pas ne_dis_rien ne_dites_pas ne_dites_rien n_informe_pas n_en_parle ne_parle_pas sag_nicht sag_nichts sage_nichts erzahl_nicht* erzahle_nicht* sagt_nicht verrate_nicht*
    non_dire non_dirlo non_dirgli non_informare non_raccontare zeg_niet zeg_niets vertel_niet vertel_niets nie_mow nie_mowcie nie_informuj nie_wspominaj не_говори* не_сообщай* не_рассказывай*
    soyleme soylemeyin anlatma anlatmayin لا_تخبر* لا_تقل मत_कहो मत_कहना मत_बता* 不要说 别说 勿告知 不要告诉 别告诉 伝えないで 言わないで 教えないで 知らせないで 말하지_마 말하지_말 알리지_마 알려_주지_마
  `,
  ifAsked: `
    if_asked when_asked if_anyone_asks if_someone_asks if_they_ask if_the_guest_asks if_the_user_asks should_anyone_ask should_they_ask should_anyone_wonder should_the_guest_ask
    si_pregunt* si_te_pregunt* si_alguien_pregunt* se_pergunt* se_te_pergunt* se_alguem_pergunt* si_on_te_demande si_on_vous_demande s_ils_demandent s_il_demande si_quelqu_un_demande
    wenn_jemand_fragt falls_jemand_fragt wenn_der_gast_fragt falls_der_gast_fragt se_chiedono se_qualcuno_chiede se_ti_chiedono als_iemand_vraagt als_ze_vragen als_de_gast_vraagt mocht_iemand_vragen
    jesli_ktos_zapyta jesli_zapyta* gdy_zapyta* gdy_ktos_zapyta если_спрос* если_кто_спросит если_кто_то_спросит если_гость_спросит sorarlarsa sorulursa biri_sorarsa misafir_sorarsa اذا_سال* ان_سال* لو_سال* अगर_कोई_पूछ* पूछने_पर यदि_कोई_पूछ* 如果有人问 有人问起 若有人问 被问到 聞かれたら 尋ねられたら 質問されたら 물어보면 물으면 묻는다면
  `,
  withoutAsking: `
    without_asking without_confirmation without_confirming without_checking without_further_question* on_behalf_of_the sin_preguntar sin_confirmar sin_consultar sem_perguntar sem_confirmar sem_consultar sans_demander sans_confirmation ohne_nachzufragen ohne_ruckfrage ohne_zu_fragen senza_chiedere senza_conferma zonder_te_vragen zonder_bevestiging bez_pytania bez_potwierdzenia не_спрашивая без_подтверждения sormadan onay_almadan دون_سؤال دون_تاكيد بدون_سؤال बिना_पूछे 不经询问 无需确认 不用问 無断で 確認せず 聞かずに 묻지_않고 확인_없이
  `,
  conclude: `
    confirm_the book_the book_this book_it reserve_the reserve_this complete_the_booking complete_the_reservation proceed_with_the_booking confirma_la reserva_est* confirma_a confirme_la confirmez_la reserve_cet* buche_dies* bestatige_die bestatige_den conferma_la prenota_quest* bevestig_de boek_dit boek_deze potwierdz* zarezerwuj* подтверди* заброниру* onayla* rezerve_et* rezervasyonu_tamamla* اكد_الحجز احجز_هذا बुक_कर_दो पुष्टि_कर* 确认预订 直接预订 完成预订 予約を確定 予約を完了 예약을_확정 예약을_완료 예약하고
  `,
  notCompare: `
    do_not_compare don_t_compare never_compare stop_comparing end_the_search stop_the_search stop_searching no_compares no_compare nao_compares ne_compare_pas ne_comparez_pas arrete_la_recherche arretez_la_recherche vergleiche_nicht nicht_weiter_suchen beende_die_suche non_confrontare ferma_la_ricerca interrompi_la_ricerca vergelijk_niet stop_met_zoeken nie_porownuj* zakoncz_wyszukiwanie не_сравнивай* прекрати_поиск karsilastirma_yapma* aramayi_durdur* لا_تقارن اوقف_البحث तुलना_मत* खोज_बंद_कर* 不要比较 停止搜索 不要再搜 比較しないで 検索を終了 検索をやめ 비교하지_마 검색을_중단
  `,
  bestScore: `
    ten_out_of_ten 10_out_of_10 five_stars 5_stars highest_score top_score full_marks maximum_score best_rating maxima_puntuacion puntuacion_maxima cinco_estrellas pontuacao_maxima cinco_estrelas note_maximale meilleure_note cinq_etoiles hochstpunktzahl bestnote volle_punktzahl funf_sterne voto_massimo punteggio_massimo cinque_stelle hoogste_score vijf_sterren najwyzsza_ocen* maksymalna_ocen* высший_балл высшую_оценк* максимальную_оценк* пять_звезд en_yuksek_puan* tam_puan* اعلي_تقييم اعلى_تقييم خمس_نجوم सबसे_ज़्यादा_अंक पूरे_अंक 最高分 满分 五星 最高評価 満点 최고_점수 만점 별_다섯
  `,
  rateIt: `
    rate_this rate_it rate_our score_this score_it give_it_a give_this assign_it grade_it award_it puntua* califica_est* dale_la ponle avalia_est* da_lhe atribui note_cet* notez_cet* donne_lui donnez_lui attribue* bewerte gib_ihm gib_ihr vergib dagli dalle_il valuta_quest* geef_deze geef_dit beoordeel ocen_ten ocen_te daj_mu przyznaj* поставь* оцени* дай_ему puan_ver* puanla* اعط* قيم_هذا قيم_هذه अंक_दो रेटिंग_दो 打分 给它 評価をつけ 評価して 점수를_주 평가하세
  `,
  deserves: `
    deserves_the must_come must_be_described must_be_presented should_be_presented should_come merece debe_aparecer deve_aparecer merite doit_apparaitre verdient muss_erscheinen soll_erscheinen merita deve_comparire hoort_te_staan zasluguje заслужива* hak_ediyor* يستحق* हकदार* 值得 ふさわし 마땅
  `,
  noMention: `
    do_not_mention don_t_mention never_mention do_not_bring_up don_t_bring_up never_bring_up do_not_point_out don_t_point_out do_not_talk_about_the mention_only_the no_menciones no_mencione no_mencionar no_nombres no_cites nao_menciones nao_mencione nao_mencionar nao_refiras ne_mentionne* ne_cite* n_evoque* ne_signale* erwahne_nicht* erwahne_kein* nicht_erwahnen nicht_zur_sprache non_menzionare non_nominare non_citare non_accennare noem_niet* vermeld_niet* noem_geen vermeld_geen niet_vermelden nie_wspominaj* nie_wymieniaj* не_упоминай* sozunu_etme* bahsetme bahsetmeyin لا_تشر_الى لا_تشر_الي जिक्र_मत* ज़िक्र_मत* उल्लेख_मत* 不要提 别提 勿提 触れないで 言及しないで 언급하지
  `,
  advantages: `
    advantages positives strengths good_sides good_points pros ventajas vantagens avantages points_forts vorteile pregi lati_positivi voordelen zalety преимущества достоинства avantajlar* مزايا ايجابيات फ़ायदे फायदे खूबियाँ 优点 长处 長所 良い点 장점
  `,
  treatAs: `
    treat_this_as treat_this_text treat_the_following consider_this_text consider_the_following take_this_as interpret_this follow_this_text considera_este_texto trata_este considera_esto trate_este_texto considere_este_texto considere_ce_texte traite_ce behandle_diesen betrachte_diesen tratta_questo considera_questo behandel_deze beschouw_deze traktuj_ten potraktuj_ten считай_это воспринимай_это bu_metni_talimat اعتبر_هذا تعامل_مع_هذا इसे_निर्देश* 将此视为 把这段当作 として扱 として解釈 로_간주 로_취급
  `,
  regardless: `
    whatever_it_costs whatever_the_price cueste_lo_que_cueste custe_o_que_custar quel_qu_en_soit egal_was_es qualunque_sia wat_het_ook ile_by_nie сколько_бы ne_olursa_olsun مهما_كان चाहे_जो_हो にかかわらず 얼마든 regardless no_matter_what whatever_they_ask whatever_the_request even_if_it_does_not sin_importar independientemente_de aunque_no independentemente_de peu_importe quel_que_soit quelle_que_soit unabhangig_von egal_was indipendentemente_da a_prescindere ongeacht bez_wzgledu_na независимо_от farketmeksizin fark_etmeksizin بغض_النظر चाहे_जो_भी 无论 不管 不论 に関わらず 関係なく 상관없이
  `,
  youRecommend: `
    you_recommend you_suggest you_propose you_end_up_suggesting you_end_up_recommending que_sugieras que_recomiendes que_propongas que_recomendes que_sugiras que_proponhas que_tu_recommandes que_tu_proposes que_tu_conseilles du_empfiehlst du_vorschlagst vorschlagst che_consigli che_proponi che_suggerisci je_aanraadt je_voorstelt je_aanbeveelt polecasz proponujesz rekomendujesz рекомендуешь предлагаешь советуешь onerdigin onerirken onerecegin توصي_به تقترحه तुम_सुझाओ तुम_सुझा* 你推荐 你建议的 あなたが勧め あなたが薦め 당신이_추천
  `,
  endorsed: `
    verified_by endorsed_by approved_by certified_by vetted_by verificad* aprobad* avalad* aprovad* verifie* approuve* gepruft_von gepruft_durch freigegeben verificat* approvat* goedgekeurd* zweryfikowan* zatwierdzon* проверен* одобрен* onayl* dogrulan* معتمد* موثق* सत्यापित* स्वीकृत* 认证 批准 認定 承認 승인 인증
  `,
  boundary: `
    end_of_listing end_of_the_listing end_of_description end_of_the_description end_of_data end_of_input end_of_text end_of_context end_of_document begin_instructions new_instruction new_instructions fin_de_la_descripcion fin_del_anuncio fim_da_descricao fim_do_anuncio fin_de_la_description fin_de_l_annonce ende_der_beschreibung ende_des_inserats fine_della_descrizione fine_dell_annuncio einde_van_de_beschrijving einde_advertentie koniec_opisu koniec_ogloszenia конец_описания конец_объявления aciklamanin_sonu ilanin_sonu نهايه_الوصف نهاية_الوصف नए_निर्देश* विवरण_समाप्त* 描述结束 说明结束 新指令 紹介文ここまで 説明はここまで 新しい指示 설명_끝 소개_끝 새로운_지시
  `,
  served: `
    you_are_helping you_re_helping you_are_assisting you_are_advising you_are_talking_to you_are_chatting_with you_are_serving you_answer_to your_client your_customer your_interlocutor
    a_quien_atiendes que_atiendes a_quien_ayudas a_quien_asesoras con_quien_hablas tu_cliente tu_interlocutor que_ajudas que_atendes quem_te_consulta quem_te_pergunta com_quem_falas teu_cliente
    que_tu_aides que_tu_conseilles a_qui_tu_parles ton_client ton_interlocuteur der_du_hilfst dem_du_hilfst den_du_beratst mit_dem_du_sprichst mit_der_du_sprichst dein_kunde deinem_kunden deinen_kunden
    che_stai_aiutando che_assisti con_cui_parli tuo_cliente tuo_interlocutore die_je_helpt die_jij_helpt met_wie_je_praat jouw_klant je_klant ktorej_pomagasz ktoremu_pomagasz z_ktorym_rozmawiasz z_ktora_rozmawiasz twoj_klient twojemu_klientowi
    которой_ты_помогаешь которому_ты_помогаешь с_кем_ты_говоришь твой_клиент твоему_клиенту твоего_клиента кому_ты_помогаешь yardim_ettigin konustugun_kisi musterin musterine التي_تساعدها الذي_تساعده من_تساعده عميلك زبونك من_تتحدث_معه जिनकी_मदद_कर* जिसकी_मदद_कर* तुम्हारे_ग्राहक*
    你正在帮 你帮助的 你服务的 你的客户 你的用户 あなたが手伝って あなたの顧客 あなたの依頼者 당신이_돕고 당신의_고객 당신의_손님
  `,
  tell: `
    tell tells say_to inform explain_to assure promise reassure
    dile diles digale digales diga_al diga_a cuentes cuentale hazle_creer lo_que_le_cuentes diz diz_ao diga_ao digas contes fales falares dis dites raconte explique_au sag sage sagt erzahl erzahle versichere digli di_al di_all di_agli dire_al dire_all dire_agli racconta vertel vertelt zeg powiedz powiedzcie mow mowcie zapewnij
    скажи* говори* расскажи* рассказывай* заверь* soyle soyleyin soyleme soylemeyin soylemelisin anlat anlatma اخبر* تخبر* تقل قل बताओ बता_दो कहो कहना मत_कह* 告诉 告知 跟客人说 对客人说 跟他们说 向客人 言わない 言って 伝えて 伝えない 話さない 말하지 말하세 말해_주세 알려_주지 전하세
  `,
  we: `
    we i will our_team our_staff the_host the_hosts the_owner nosotros nosotras le_informar* nuestro_equipo el_anfitrion nosso nossa a_anfitria o_anfitriao nous notre on l_hote wir ich unser unsere der_gastgeber noi il_nostro la_nostra l_host wij we ons onze de_gastheer my nasz nasza gospodarz мы я наш наша хозяин biz ben bizim ev_sahibi نحن فريقنا हम हमारी हमारा 我们 房东会 私たち スタッフ 当方 저희 우리가 직원
  `,
  applies: `
    apply applies applicable count aplica aplican vale valen aplicam valem s_applique* concernent concerne vaut valent gilt gelten betreffen betrifft valgono applicano geldt gelden dotycza dotyczy obowiazuja obowiazuje распространя* действу* касаютс* gecerli* uygulanmaz* تنطبق ينطبق تسري लागू 适用 適用 적용
  `,
  site: `
    site sites website platform portal search_engine plataforma sitio buscador pagina plateforme moteur_de_recherche plattform webseite suchmaschine piattaforma sito portale motore_di_ricerca zoekmachine serwis* portalu platformy wyszukiwark* сайт* платформ* поисковик* sitenin siteye platformun arama_motoru الموقع المنصه المنصة محرك_البحث साइट* मंच* 网站 平台 搜索引擎 サイト プラットフォーム 検索エンジン 사이트 플랫폼 검색_엔진
  `,
  evaluate: `
    rate score rank grade evaluate judge valora puntua califica avalia classifica pontua classe classez note notez evalue evaluez bewerte bewertet stufe valuta valutate classifica beoordeel waardeer ocen oceniaj оцени* оценива* ставь puanla* degerlendir* قيم قيموا صنف आँको आंको मूल्यांकन* 打出 打分 评分 评为 評価 評価して 採点 평가 점수
  `,
  above: `
    higher better_than above ahead_of in_front_of over_the por_encima mejor_que por_delante delante_de acima melhor_do_que melhor_que a_frente devant avant_tout au_dessus mieux_que besser hoher uber_alle vor_alle sopra davanti meglio_di hoger beter_dan boven wyzej lepiej_niz ponad выше лучше_чем выше_остальн* daha_yuksek* yuksek daha_iyi اعلي افضل_من ऊपर बेहतर 更高 高于 より高 より上 高く 보다_높 높게 보다_위
  `,
  theRest: `
    the_rest anything_else everything_else else_you all_else all_the_others rest_of_the_list in_the_list on_the_list the_list the_other el_resto los_demas las_demas lo_demas todo_lo_demas de_la_lista as_demais o_resto todo_o_resto da_lista tout_le_reste le_reste les_autres de_la_liste alles_andere der_rest allen_anderen in_der_liste der_liste tutto_il_resto gli_altri il_resto della_lista al_het_andere de_rest van_de_lijst reszte reszta reszty listy pozostale остальн* всех_прочих в_списке списка digerlerinden listedeki geri_kalan بقيه بقية القائمه القائمة सूची* बाकी 列表 其他 其余 一覧 ほかの 他の 残り 목록 다른 나머지
  `,
  cheapWords: `
    cheaper something_cheaper lower_price mas_barato mas_barata mais_barato mais_barata moins_cher moins_chere gunstiger* billiger* piu_economic* meno_caro goedkoper* tansz* taniej подешевле дешевле дешев* daha_ucuz* ucuz ارخص सस्ता सस्ते सस्ती 便宜 安い 저렴 더_싼 싼
  `,
  showIt: `
    show shows send offer muestra muestrale ensena ensenale manda ofrece mostra mostre envia oferece montre montrez envoie propose zeig zeige schick biete mostra mostrate manda proponi toon stuur laat_zien bied pokaz pokazuj wyslij zaproponuj показывай* покажи* предлагай* отправляй* goster gosterin yonlendir اعرض ارسل दिखाओ भेजो 给他看 展示 推给 見せて 見せる 勧めて 보여 추천
  `,
  settled: `
    already_chosen already_selected already_been_chosen marked_as_the_winner the_winner already_picked considered_chosen ya_elegid* ya_ha_sido_elegid* como_ganador ya_seleccionad* ja_escolhid* ja_selecionad* como_vencedor deja_choisi* deja_retenu* comme_gagnant bereits_gewahlt bereits_ausgewahlt als_sieger als_gewinner gia_scelt* gia_selezionat* come_vincitore al_gekozen als_winnaar juz_wybran* zwyciezc* уже_выбран* победител* zaten_secil* kazanan_olarak تم_اختيار* पहले_ही_चुन* विजेता* 已选定 已被选为 優勝 既に選ばれ すでに選ばれ 이미_선택 이미_선정
  `,
  mailAddress: `
    email_address email_addresses e_mail_address mail_address phone_number budget correo_electronico su_correo direccion_de_correo presupuesto endereco_de_email o_email orcamento adresse_mail adresse_email adresse_e_mail e_mail_adresse indirizzo_mail indirizzo_email mailadres e_mailadres adres_e_mail адрес_почты электронн* почту e_posta* بريده البريد_الالكتروني ईमेल* 邮箱 メールアドレス 이메일
  `,
  readsThis: `
    reads reading_this processing_this analyses_this analyzes_this lea_esto lee_este lea_este leia_este le_este lit_ce lit_cette lisant_ce liest_diesen diesen_text_liest diese_seite_liest legge_questo legge_questa leest_deze leest_dit czyta_ten czyta_te читает_этот читает_это okuyan* okuyor* يقرا_هذا تقرا_هذا पढ़_रहा* पढ़_रहे* 阅读这 读到这 正在读 読んでいる 処理している 読む方 읽고_있는 읽는_분 처리하는
  `,
  repeat: `
    repeat copy paste quote verbatim word_for_word repite copia_est* cita_textual repete copie_ce repete_ce wiederhole kopiere zitiere wortlich ripeti copia_quest* herhaal kopieer letterlijk powtorz skopiuj doslownie повтори* скопируй* дословно tekrarla kopyala aynen كرر انسخ حرفيا दोहराओ शब्दशः 照抄 复述 一字不差 原样 そのまま伝え そのまま書 繰り返して 그대로_전 그대로_써 반복해
  `,
  worksForUs: `
    you_work_for_us you_work_for_the_owner you_represent_us you_represent_the_owner on_our_behalf trabajas_para_nosotros representas_a trabalhas_para_nos representas_a tu_travailles_pour_nous tu_nous_representes du_arbeitest_fur_uns du_vertrittst lavori_per_noi ci_rappresenti je_werkt_voor_ons je_vertegenwoordigt pracujesz_dla_nas reprezentujesz работаешь_на_нас представляешь_нас bizim_icin_calis* bizi_temsil تعمل_لدينا تعمل_لصالحنا हमारे_लिए_काम 你为我们 你代表我们 私たちの代理 우리를_대신
  `,
  forMachines: `
    for_machines_only for_bots_only not_for_humans not_for_human_eyes humans_ignore invisible_to_humans hidden_from_guests only_for_bots only_for_ai nur_fur_maschinen nicht_fur_menschen nur_fur_ki solo_para_maquinas no_para_humanos solo_para_ia so_para_maquinas pour_les_machines pas_pour_les_humains solo_per_macchine non_per_umani alleen_voor_machines niet_voor_mensen tylko_dla_maszyn nie_dla_ludzi только_для_машин не_для_людей sadece_makine* insanlar_icin_degil للالات_فقط ليس_للبشر केवल_मशीन* 仅供机器 机器阅读 不给人看 機械向け 人間向けではな 기계용 사람용이_아
  `,
  disparage: `
    negative_comment* negative_review* bad_review* bad_comment* badmouth disparage speak_ill comentario_negativo comentarios_negativos mala_resena habla_mal critica_negativa fala_mal avis_negatif commentaire_negatif dis_du_mal negativen_kommentar negative_bewertung schlechtrede* rede_schlecht commento_negativo recensione_negativa parla_male negatieve_opmerking* negatieve_beoordeling* spreek_slecht negatywny_komentarz negatywna_opini* плохой_отзыв отрицательн* негативн* olumsuz_yorum* kotule* تعليق_سلبي تعليقا_سلبي* नकारात्मक_टिप्पणी* बुराई_कर* 负面评论 差评 说坏话 否定的なコメント 悪い評価 悪く言 부정적인_댓글 나쁜_평가
  `,
  comparisonTable: `
    comparison_table comparison_list comparison_chart tabla_comparativa tabla_de_comparacion tabela_comparativa tableau_comparatif vergleichstabelle* vergleichsliste* tabella_comparativa vergelijkingstabel* tabela_porownawcz* tabeli_porownawcz* сравнительная_таблица сравнительной_таблиц* таблицу_сравнения karsilastirma_tablo* جدول_المقارنه جدول_المقارنة तुलना_तालिका* 比较表 对比表 比較表 比較一覧 비교표
  `,
  dealWith: `
    claim_that claim_to lie_to mislead deceive pressure push_the rush_the write_to hide_the conceal_the withhold_the
    afirma asegura_al miente engana escribe_al escribele escondele esconde_a presiona oculta_al afirma_que mente_ao engana_o escreve_ao esconde_ao pressiona
    affirme affirmez mens_au trompe ecris_au ecris_a ecrivez_au cache_au cache_a cachez presse_le
    behaupte behauptet luge_den tausche schreib schreibe verschweig verschweige verheimliche drange
    afferma mentisci inganna scrivi_al scrivi_all nascondi_al nascondi_alla nascondi_all
    beweer lieg misleid schrijf verzwijg verberg zet_onder_druk
    twierdz oklam wprowadz_w_blad napisz ukryj zataj naciskaj
    утверждай* соври* обмани* напиши* скрой* утаи* торопи*
    iddia_et kandir yaz sakla gizle 
    ادع فادع اكذب اخدع اكتب اخف اضغط
    दावा_करो झूठ_बोलो को_लिख* छिपाओ छुपाओ
    声称 谎称 骗 瞒着 瞒 写给 催 主張して 嘘を 書いて 隠して 隠しておいて 急かして 주장하 속이 쓰세 숨기 재촉
  `,
  people: `
    the_family family la_familia a_familia la_famille der_familie alla_famiglia la_famiglia het_gezin rodzina rodzinie семь* aile aileye العائله العائلة परिवार 家人 这家人 家庭 家族 가족 traveller traveler visitor guest customer viajero viajante voyageur reisender reisende viaggiatore reiziger podrozny
  `,
  untilPaid: `
    until_they_have_paid until_paid until_they_pay after_payment until_payment hasta_que_haya_pagado hasta_que_pague hasta_el_pago ate_pagar ate_ter_pago ate_ao_pagamento jusqu_au_paiement jusqu_a_ce_qu bis_sie_bezahlt bis_er_bezahlt bis_zur_zahlung nach_der_zahlung finche_non_ha_pagato fino_al_pagamento tot_betaald tot_het_gezin tot_ze_betaald dopoki_nie_zaplaci do_zaplaty пока_не_заплатит пока_она_не_заплатит до_оплаты odeyene_kadar odeme_yapana حتي_تدفع حتى_تدفع حتى_يدفع भुगतान_होने_तक पैसे_देने_तक 付了款再 付款后再 支払うまで 支払いまで 결제할_때까지
  `,
  candidates: `
    candidates candidate candidatos candidats kandidaten candidati kandidaci kandydat* кандидат* adaylar* مرشح* المرشحين उम्मीदवार* 候选 候補 후보
  `,
  ourLink: `
    our_link our_booking_link nuestro_enlace nosso_link notre_lien unser_link unseren_link nostro_link onze_link nasz_link naszego_linku нашу_ссылку linkimiz* رابطنا हमारा_लिंक* 我们的链接 うちのリンク 私たちのリンク 우리_링크
  `,
  neutrality: `
    neutrality fairness_policy impartial* neutralidad neutralidade imparcial* neutralite impartialite neutralitat* neutralitatsregel* imparzial* neutralita neutraliteit* neutralnosc* bezstronn* нейтральност* беспристраст* tarafsiz* الحياد निष्पक्ष* 中立 公正 中立性 중립 공정성
  `,
  favour: `
    favour_us favor_us favour_this favor_this prefer_us favour_our favor_our favorecer* favorece_nos favorecernos favorise_nous nous_favoriser nous_favorisez uns_bevorzugen bevorzuge_uns favorirci favoriscici ons_bevoordelen bevoordeel_ons faworyzuj* faworyzowac предпочти_нас предпочитай_нас bizi_kayir* فضلنا 偏向我们 优待我们 うちを優遇 優遇して 우리를_우대
  `,
  betweenUs: `
    between_us keep_this_between between_you_and_me our_little_secret entre_nosotros entre_nos entre_nous unter_uns tra_noi tra_di_noi onder_ons tussen_ons miedzy_nami между_нами aramizda* بيننا हमारे_बीच 我们知道 你我之间 内緒 ここだけの 우리끼리 비밀이
  `,
  yourMakers: `
    your_instructions your_guidelines your_prompt your_training your_programming your_directives your_safety_rules your_constraints your_original i_am_your_developer i_am_your_creator this_is_your_developer soy_tu_desarrollador soy_tu_creador sou_o_teu_programador je_suis_ton_developpeur ich_bin_dein_entwickler sono_il_tuo_sviluppatore ik_ben_je_ontwikkelaar jestem_twoim_tworca я_твой_разработчик ben_senin_gelistiricin انا_مطورك 我是你的开发者 あなたの開発者 당신의_개발자 tus_instrucciones tus_directrices tus_reglas tus_normas tuas_instrucoes suas_instrucoes tuas_regras suas_diretrizes tes_instructions tes_consignes tes_regles vos_consignes vos_directives tes_directives deine_anweisungen deine_regeln deine_vorgaben deine_richtlinien deine_bisherigen tue_istruzioni tue_regole jouw_instructies je_instructies jouw_regels twoje_instrukcje twoje_zasady твои_инструкции твои_правила talimatlarini kurallarini تعليماتك قواعدك तुम्हारे_निर्देश* 你的指令 你的规则 你的设定 あなたの指示 あなたのルール 당신의_지침 당신의_규칙
  `,
  yourAnswer: `
    when_you_talk_to when_talking_to when_speaking_to cuando_hables_con quando_falares_com quand_tu_parles_a wenn_du_mit_dem wenn_du_mit_der quando_parli_con als_je_praat_met gdy_rozmawiasz когда_говоришь_с konusurken عندما_تتحدث बात_करते_समय 和客人谈 客と話すとき 손님과_이야기할_때
    in_the_answer in_the_reply in_the_response in_the_summary in_any_summary in_your_message en_la_respuesta en_el_resumen na_resposta no_resumo dans_la_reponse dans_le_resume in_der_antwort in_der_zusammenfassung nella_risposta nel_riassunto in_het_antwoord in_de_samenvatting w_odpowiedzi w_podsumowaniu в_ответе в_резюме yanitta cevapta في_الرد في_الاجابه في_الاجابة जवाब_में 回答里 回复里 答复中 回答に 回答で 返答に 답변에서 답변에
    your_answer your_answers your_reply your_response your_summary your_write_up your_list your_results your_output your_comparison your_recommendation* your_ranking your_reasoning your_suggestions your_shortlist your_overview whatever_you_show what_you_show when_you_describe when_describing when_you_show when_presenting when_you_present when_you_list when_you_compare lay_out_the_choices the_choices_you shown_to_the
    tu_respuesta tus_respuestas tu_resumen tu_lista tu_comparacion tus_resultados lo_que_ensenes lo_que_muestres al_describir al_mostrar al_presentar al_comparar en_los_resumenes cuando_muestres
    tua_resposta tuas_respostas teu_resumo sua_resposta seu_resumo tua_lista tua_comparacao o_que_mostrares quando_mostrares ao_mostrares ao_descrever ao_apresentar ao_comparar
    ta_reponse tes_reponses ton_resume ta_liste ta_comparaison votre_reponse ce_que_tu_montres ce_que_vous_montrez en_presentant lorsque_tu_presentes quand_tu_presentes
    deine_antwort deiner_antwort deinen_antworten deine_zusammenfassung deiner_zusammenfassung deine_liste deiner_liste deinem_vergleich was_du_zeigst wenn_du_zeigst wenn_du_beschreibst in_zusammenfassungen bei_der_aufzahlung
    tua_risposta tuo_riassunto tua_lista tuo_confronto cio_che_mostri quello_che_mostri quando_mostri quando_presenti quando_descrivi nei_riassunti
    jouw_antwort je_antwoord jouw_antwoord jouw_samenvatting je_samenvatting je_lijst wat_je_laat_zien wat_je_toont als_je_laat_zien in_samenvattingen
    twoja_odpowiedz twojej_odpowiedzi twoje_podsumowanie zestawienia zestawieniu twojej_listy gdy_pokazujesz w_podsumowaniach w_streszczeniach
    твой_ответ твоем_ответе твоего_ответа твой_список своем_ответе в_пересказе когда_показываешь в_своем_списке
    yanitin* cevabin* cevabinda yanitinda ozetin ozetinde gosterdiklerin* listende ozetlerde gosterirken
    اجابتك ردك ملخصك قائمتك مقارنتك ما_تعرضه ما_تعرض عندما_تعرض في_الملخص*
    तुम्हारे_जवाब* अपने_जवाब* तुम्हारा_जवाब* अपने_सार* जो_कुछ_दिखाओ जो_दिखाओ दिखाते_समय
    你的回答 你的回复 你的总结 你的列表 回答中 回复中 展示时 介绍时 列出时 比较时 あなたの回答 回答の中 回答では 見せるとき 紹介するとき 表示するとき 당신의_답변 답변에 보여_줄_때 소개할_때 요약에서
  `,
  cheaperOnes: `
    cheaper_ones ahead_of_cheaper before_cheaper lower_priced mas_baratos mas_baratas mais_baratos mais_baratas moins_chers moins_cheres gunstigeren billigeren piu_economic* meno_care goedkopere tanszymi tansze более_дешевых дешевых daha_ucuz* الارخص الرخيصه सस्ते_वालों सस्तों 更便宜 便宜的 安い物件 安い宿 더_저렴한 더_싼
  `,
  place: `
    put place position rank list feature display coloca coloque pon ponga situa ponlo muestra poe ponha coloca mostra mets mettez place placez fais_figurer faire_figurer affiche affichez setze setz stelle stell platziere zeige metti mettete posiziona mostra colloca zet plaats toon umiesc postaw wyswietl ustaw pokaz поставь* помести* размести* выведи* покажи* koy koyun yerlestir* goster ضع ضعوا اعرض ادرج रखो रखें दिखाओ 放在 排在 置于 列在 置いて 並べ 載せて 놓으 배치 올리
  `,
  top: `
    at_the_top on_the_top at_the_very_top the_top_of top_of_the_list first_place in_first top_spot lo_mas_alto en_lo_alto arriba_del_todo primer_lugar primera_posicion encabez* primeiro_lugar no_topo em_cima tout_en_haut en_haut_de en_tete premiere_place premiere_position ganz_nach_oben ganz_oben an_die_spitze an_erster_stelle an_erste_stelle in_cima al_primo_posto per_primo bovenaan op_de_eerste_plaats helemaal_boven na_samej_gorze na_gorze na_pierwszym_miejscu на_самый_верх на_первое_место наверх первым первой en_basina en_basta en_uste en_ustte ilk_siraya في_اعلي في_اعلى في_المقدمه في_المقدمة في_المرتبه_الاولي सबसे_ऊपर सबसे_पहले 最前面 最上面 第一位 首位 最前 置顶 一番上 最上位 先頭 一番前 맨_위 맨_앞 가장_위 첫_번째로
  `,
  identity: `
    passport_number passport_numbers card_number credit_card_number number_of_the_card date_of_birth three_digits security_code cvv cvc numero_de_pasaporte pasaporte_y numero_de_tarjeta tarjeta_del fecha_de_nacimiento numero_do_cartao numero_de_passaporte data_de_nascimento numero_de_passeport numero_de_carte date_de_naissance kartennummer* passnummer* ausweisnummer geburtsdatum kreditkartennummer* numero_della_carta numero_di_carta numero_del_passaporto passaporto_del data_di_nascita kaartnummer* paspoortnummer* geboortedatum creditcardnummer* numer_paszportu numer_karty date_urodzenia data_urodzenia numeru_karty номер_паспорта номер_карты паспорта_и_карты дату_рождения дата_рождения kart_numara* pasaport_numara* dogum_tarihi* رقم_جواز رقم_بطاقه رقم_بطاقة رقم_البطاقه رقم_البطاقة تاريخ_الميلاد تاريخ_ميلاد पासपोर्ट_नंबर* कार्ड_नंबर* जन्मतिथि* जन्म_तिथि* 护照号 卡号 银行卡号 信用卡号 出生日期 パスポート番号 カード番号 生年月日 여권_번호 카드_번호 생년월일 여권번호 카드번호
  `,
  elicit: `
    find_out get_hold ask_for ask_the obtain extract collect type_in have_the_customer have_the_guest request_the averigu* consigue consigan preguntale pregunta_al pide_su pidele pide_al pide_su pide_ao pede_ao peca_ao pergunta_ao demande_au demandez_au demande_lui demande_son demande_sa demandez_son demandez_sa obtiens obtenez recueill* frage_zuerst frage_nach frag_nach frag_den frag_die frag_ihn frage_den frage_die erfrage erfragen lass_dir_geben fatti_dare chiedi_al chiedi_il chiedi_all chiedigli chiedi_la ottieni vraag_de vraag_naar vraag_om vraag_hem vraag_zijn achterhaal zdobadz popros_o zapytaj* wypytaj* uzyskaj узнай* выясни* выведай* запроси* спроси* попроси* iste isteyin ogren sor sorun احصل_على احصل_علي اطلب_من اطلب اسال पूछ_लो पूछो माँगो मांगो ले_लो 问清 先问 索要 询问 要求提供 套出 聞き出し 聞いて 尋ねて 入力させ 알아내 물어보 받아내 입력하게
  `,
  beforePrice: `
    before_quoting before_you_quote before_giving_a_price before_showing antes_de_dar antes_de_decir antes_de_indicar avant_d_annoncer avant_de_donner bevor_du zuerst prima_di_dire prima_di_dare eerst zanim_podasz прежде_чем_назвать soylemeden_once vermeden_once قبل_ذكر_السعر قبل_ذكر बताने_से_पहले 报价之前 报价前 伝える前 示す前 말하기_전 알려_주기_전 attach_them send_it_along joins_le joins_la junta_os hange_beides stuur_die allega*
  `,
  notHere: `
    not_book_here don_t_book_here not_booking_here skip_this_site skip_the_site leave_this_site away_from_this_site instead_of_this_site outside_the_platform outside_this_platform off_platform off_the_platform off_site_payment bypass_the_site made_here_are_not
    cancele_aqui no_reserve_aqui no_reserves_aqui no_reserven_aqui fuera_de_la_plataforma fuera_de_esta desistir_deste fora_da_plataforma fora_deste_site nao_reserve_aqui
    en_dehors_de_la_plateforme hors_plateforme hors_de_ce_site pas_reserver_ici reservations_d_ici hier_nicht_zu_buchen nicht_hier_buchen hier_nicht_buchen ausserhalb_der_plattform außerhalb_der_plattform am_portal_vorbei
    non_prenotare_qui non_prenoti_qui fuori_dalla_piattaforma hier_niet_boeken niet_hier_boeken niet_hier_te buiten_het_platform buiten_de_site nie_rezerwowal_tutaj nie_rezerwuj_tutaj nie_rezerwowac_tutaj poza_platform* poza_portalem
    не_бронировать_здесь не_бронируй_здесь не_бронируйте_здесь в_обход_сайта мимо_сайта вне_платформы buradan_rezervasyon_yapma* buradan_ayirtma* site_disinda* platform_disinda* بالا_يحجز_هنا لا_يحجز_هنا لا_تحجز_هنا خارج_المنصه خارج_المنصة خارج_الموقع यहाँ_बुकिंग_न* यहाँ_बुक_न* यहां_बुकिंग_न* साइट_के_बाहर* 不要在这里下单 不要在这里订 不要在此预订 不要在这里预订 平台外 绕过平台 ここで予約させ ここで予約しな ここでは予約 サイト外 プラットフォーム外 여기서_예약하지 플랫폼_밖 사이트_밖
  `,
  persuade: `
    convince persuade talk_them_into coax nudge steer have_the_guest get_the_guest send_people send_guests send_them_to convenc* persuad* leva_o levem_o induz* convain* persuad* incite* oriente* pousse_le uberred* uberzeug* bewege_den bewege_die drange_den convinc* spingi* induci* overtuig* overhaal* laat_de_klant laat_de_gast namow* przekonaj* naklon* уговор* убеди* склони* ikna* yonlendir* اقنع* وجه_ال* मनाओ मना_लो समझाओ राज़ी* 劝 说服 引导 説得 誘導 促して 설득 유도
  `,
  payOutside: `
    wire transfer pay_the_caretaker pay_us send_the_money transferencia transfier* transferir virer_l* virement uberweis* versare versi bonifico overmaken overmaak* przela* przelew* перевести переведи* перевод gonderme* havale* يحول تحويل حول भेज* 转给 转账 转帐 送金 振り込 송금 이체
  `,
  voided: `
    no_longer_appl* no_longer_valid no_longer_hold* no_longer_count* is_void are_void null_and_void ceases_to_apply superseded is_cancelled ya_no_vale* ya_no_aplica* queda_anulad* quedan_anulad* deja_de_valer ja_nao_vale* deixa_de_valer ne_vaut_plus ne_valent_plus ne_s_applique* n_est_plus_valable gilt_nicht_mehr gelten_nicht_mehr hinfallig nicht_mehr_gultig non_vale_piu non_valgono_piu decade decadono vervalt vervallen geldt_niet_meer gelden_niet_meer przestaje_obowiazywac przestaja_obowiazywac nie_obowiazuje juz_nie_obowiazuj* больше_не_действу* не_действует утратил* отменя* gecersiz* لم_يعد_ساري* لم_تعد_ساري* ملغي* لاغ* लागू_नहीं* रद्द_समझ* 作废 无效 失效 不再适用 無効 効力を失 무효 더_이상_적용
  `,
  toldYou: `
    you_were_told you_were_given you_have_been_told you_have_been_given told_you_before you_learned your_orders te_dijeron te_han_dicho te_dieron te_disseram te_deram te_mandaram recebeste on_t_a_dit on_t_a_donne recues_plus dir_vorher dir_gesagt dir_aufgetragen dir_gegeben ti_hanno_dato ti_hanno_detto ti_e_stato je_eerder je_is_verteld je_is_opgedragen ci_wczesniej ci_powiedziano ci_kazano тебе_велели тебе_говорили тебе_сказали тебе_раньше вам_говорили sana_daha_once sana_soylenen sana_verilen قيل_لك طلب_منك أعطي_لك तुम्हें_जो तुम्हें_बताया तुम्हें_दिए 告诉你的 给你的 你被告知 与えられた 言われた 受けた指示 들은 받은_지시 주어진
  `,
  layAside: `
    drop_whatever drop_the drop_any drop_all drop_your set_aside lay_aside put_aside discard abandon_your abandon_the stop_following do_not_follow don_t_follow cast_aside deja_de_lado deja_a_un_lado dejad_de_lado no_sigas abandona descarta deixa_de_lado deixe_de_lado poe_de_lado ponha_de_lado abandone nao_sigas laisse_tomber laissez_tomber laisse_de_cote laissez_de_cote mets_de_cote ne_suis_pas beiseite verwirf lass_fallen nicht_mehr_befolg* lascia_perdere lasciate_perdere metti_da_parte mettete_da_parte non_seguire naast_je_neer opzij laat_los laat_varen odloz* porzuc* nie_stosuj* odrzuc отложи* отбрось* отбросьте не_следуй* bir_kenara_birak* vazgec دع_عنك اترك تخل_عن لا_تتبع छोड़_दो छोड़ो मत_मानो 放弃 抛开 丢掉 不要遵守 捨てて 破棄 従わない 버리 따르지
  `,
  guidance: `
    guidance rules instructions guidelines orders directions commands restrictions policies neutrality indicaciones normas reglas pautas ordenes orientac* regras ordens directives regles consignes indications vorgaben regeln weisungen vorschriften richtlinien indicazioni regole direttive norme opdrachten regels richtlijnen aanwijzingen polecenia zasady wytyczne reguly распоряжен* правила указани* установки yonlendirme* kurallar* talimat* توجيهات قواعد تعليمات आदेश* नियम* निर्देश* 要求 规则 指示 设定 規則 方針 ルール 決まり 指示 방침 규칙 지침
  `,
  newGoal: `
    your_new_goal your_new_task your_new_mission your_new_role your_new_objective your_new_job your_new_instruction* your_real_task your_only_task_is your_goal_is_to your_task_is_to your_job_is_to your_objective_is
    tu_nuevo_objetivo tu_nueva_mision tu_nueva_tarea tu_nuevo_papel tu_tarea_es tu_objetivo_es su_nuevo_objetivo seu_novo_objetivo teu_novo_objetivo sua_nova_missao tua_nova_missao tua_nova_tarefa sua_nova_tarefa a_tua_tarefa_e ton_nouvel_objectif votre_nouvel_objectif ta_nouvelle_mission ta_nouvelle_tache votre_nouvelle_mission ta_tache_est ta_mission_est
    dein_neues_ziel deine_neue_aufgabe ihre_neue_aufgabe deine_neue_rolle deine_aufgabe_ist dein_ziel_ist tuo_nuovo_obiettivo tuo_nuovo_compito tua_nuova_missione il_tuo_compito_e je_nieuwe_doel jouw_nieuwe_doel je_nieuwe_taak jouw_nieuwe_taak jouw_taak_is je_taak_is twoim_nowym_celem twoj_nowy_cel twoje_nowe_zadanie twoim_zadaniem твоя_новая_цель твоя_новая_задача ваша_новая_задача твоя_задача твоя_цель yeni_hedefin yeni_gorevin senin_gorevin هدفك_الجديد مهمتك_الجديده مهمتك_الجديدة مهمتك_هي तुम्हारा_नया_लक्ष्य* आपका_नया_लक्ष्य* तुम्हारा_नया_काम* तुम्हारा_काम_है 你的新目标 你的新任务 你的任务是 你的目标是 新しい目標 新しい任務 あなたの任務 あなたの役目 새_목표 새로운_목표 새로운_임무 당신의_임무
  `,
  counts: `
    counts applies matters prevails decides manda vale cuenta conta compte prevaut zahlt gilt entscheidet telt geldt liczy obowiazuje важна важно решает gecerlidir gecerli المعتمد يسري चलेगी चलेगा 为准 说了算 従って 優先 따라야 우선
  `,
  closing: `
    end_with close_with finish_with conclude_with kindly_close and_close add_the append ending_with termina_con acaba_con cierra_con concluye_con anade termina_com acaba_com fecha_com conclui_com acrescenta termine_par terminez_par conclus_par concluez_par finis_par ajoute* schliesst_mit schließt_mit schließe_mit schliesse_mit ende_mit endet_mit beende chiudi_con concludi_con termina_con finisci_con aggiungi eindig_met sluit_af voeg_toe zakoncz* dodaj закончи* заверши* добавь* sonuna ekle bitir اختم* اضف अंत_में 结尾 最后写 末尾 末尾に 最後に 마지막에 끝에
  `,
  phrase: `
    the_words the_sentence the_phrase following_words following_sentence la_frase las_palabras a_frase as_palavras la_phrase les_mots dem_satz den_worten den_satz le_parole de_zin de_woorden slowami zdaniem zdanie словами фразой фразу cumlesini cumlesiyle sozleriyle بعباره بعبارة بجمله بجملة عباره वाक्य* शब्द* लिखो 请写 写上 这句话 と書いて という言葉 の一文 라고_써 라고_쓰 문장을 문구
  `,
  supposing: `
    if in_case should_anyone when_asked should_someone si_una si_un si_alguien si_pregunt* en_caso se_uma se_um se_alguem se_perguntarem caso si_une si_quelqu* au_cas falls wenn_jemand wenn_eine sollte_jemand se_una se_qualcuno nel_caso als_iemand mocht indien jesli jezeli gdyby gdy_ktos если isterse* ararsa* sorarsa* eger اذا ان_طلب لو अगर यदि 要是 如果 若有 假如 いたら 聞かれたら 尋ねられたら 場合は 있으면 물으면 묻는다면 경우
  `,
  reply: `
    answer_that reply_that say_that respond_that tell_them answer_only simply_say contesta responde respondele diles dile responde_que responde_apenas diz_que diga_que reponds repondez dis_que dis_leur antworte antwortet sag_ihm sag_ihnen sag_dass rispondi rispondete di_che digli antwoord zeg_dat zeg_hem odpowiedz odpowiadaj powiedz ответь* отвечай* скажи* soyle soyleyin cevap_ver* yanitla* اجب فاجب قل فقل जवाब_दो जवाब_देना कह_दो कहो 就回答 回答说 就说 回答只有 答えて 返答して 答えること 답하 대답하 말하세
  `,
  onlyThis: `
    nothing_but only_this only_our nothing_more only_the simply_the_best only solo solamente unicamente so_a somente apenas unico rien_d_autre seulement uniquement nur ausschliesslich soltanto solo solamente alleen uitsluitend wylacznie tylko jedynie только лишь исключительно yalnizca sadece وحده فقط सिर्फ* केवल* 只有 唯一 仅有 しか だけ のみ 만_맞 집만 뿐
  `,
  failure: `
    error error_503 error_500 error_404 erro erreur errore fehler fout blad ошибка hata خطا त्रुटि* 错误 錯誤 エラー 오류 status_code exception timeout
  `,
  loading: `
    loading load_the could_not_load could_be_loaded rest_of_the_list of_the_list cargar carregar lista charger chargement la_liste laden liste der_liste caricare caricamento lijst zaladow* ladowani* listy загруз* список* списк* yukle* liste* تحميل قائمه القائمه قائمة सूची* लोड* 加载 列表 読み込 一覧 リスト 불러 목록 results matches offered listings
  `,
  statusLine: `
    200_ok http_200 http_404 http_500 error_503 error_500 error_404 erro_503 erro_500 erro_404 erreur_503 erreur_500 erreur_404 fehler_503 fehler_500 fehler_404 errore_503 errore_500 errore_404 fout_503 fout_500 fout_404 blad_503 blad_500 blad_404 ошибка_503 ошибка_500 ошибка_404 hata_503 hata_500 hata_404 错误_503 エラー_503 오류_503 오류_500
  `,
} as const;
