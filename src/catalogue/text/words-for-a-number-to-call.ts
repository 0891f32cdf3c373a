import { foldLookalikes } from './fold-lookalikes.ts';

/** Folded, as a group of a pattern: words and signs that make the digits behind them a number to call or to pay. */
export const WORD_FOR_A_NUMBER_TO_CALL = foldLookalikes(
  '(?:tel|telefon|telefone|whats ?app|whatsap|wapp|viber|telegram|wechat|kontakt|contact|contacto|contato|contatto|contacter|telefono|telephone|phone|mobile|mobil|cell|cellulare|movil|telemovel|call|ring|text|sms|fax|llama|ligue|appelez|ruf|rufen|chiama|bel|zadzwon|тел|телефон|звоните|电话|致电|電話|هاتف|جوال|전화|telefon|फोन|konto|kontonummer|account|acct|cuenta|conta|compte|rekening|rachunek|счет|карту|карта|账号|账户|口座番号|口座|حساب|계좌|hesap|खाता|upi|pix|bizum|iban|card|carte|tarjeta|karte|โทร|ໂທ|ফোন|ફોન|ఫోన్|ಫೋನ್|ဖုန်း|τηλ|טלפון|☎|📞)',
);
