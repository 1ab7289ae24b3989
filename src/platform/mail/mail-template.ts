import { escapeHtml, type Locale, textIn } from '../messages/index.js';
import './mail.messages.js';

/** Content of a mail. Text chosen by a user appears only through {@link quotedName}. */
export interface MailContent {
  readonly locale: Locale;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly action?: Link;
  /** Second link, shown below the action and not as a button. */
  readonly alternative?: Link;
  /** Of the organization that the mail is from. */
  readonly look?: MailLook;
}

/** How the mails of an organization look. */
export interface MailLook {
  /** Words of its name, shown before "via Gatehouse" as the sender; null for the service. */
  readonly sender: string | null;
  /** Color of the button, as `#0b6b6b`; null for the service's. */
  readonly accentColor: string | null;
}

interface Link {
  readonly label: string;
  readonly url: string;
}

/** Maximum length of a quoted name in code points. */
const MAX_NAME_LENGTH = 40;
/**
 * Scripts in common use (UAX 31, table 5). Each word has letters of one script only, or of one row.
 */
const SCRIPTS = [
  'Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hebrew',
  'Kannada Khmer Lao Latin Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan',
].flatMap((scripts) => scripts.split(' ').map((script) => [script]));
const CHINESE_JAPANESE_KOREAN = ['Bopomofo', 'Han', 'Hangul', 'Hiragana', 'Katakana'];
/**
 * Invisible letters, and letters and marks of those scripts that look like a dot, colon or stroke.
 */
const NOT_SHOWN = String.raw`[\p{DI}\u01C0-\u01C3\u02D0\u02D1\u0334-\u0338\u3033-\u3035\uA78F]`;
const MAX_MARKS = 4;
/** Third and further combining marks without a script, which only pranks stack on a letter. */
const STACKED_MARKS = /(\p{sc=Inherited}{2})\p{sc=Inherited}+/gu;
/** A number as names have them. Telephone numbers are longer, begin with 0, or have groups. */
const NUMBER = String.raw`(?<number>(?<!\d)[1-9]\d{0,3}(?!\d))`;
const WORDS = new RegExp([...[...SCRIPTS, CHINESE_JAPANESE_KOREAN].map(wordOf), NUMBER].join('|'), 'gu');

function wordOf(scripts: readonly string[]): string {
  const own = scripts.map((script) => String.raw`\p{scx=${script}}`).join('');
  const letter = String.raw`(?!${NOT_SHOWN})(?=\p{L})[${own}]`;
  const mark = String.raw`(?!${NOT_SHOWN})(?=[\p{Mn}\p{Mc}])[${own}\p{sc=Inherited}]`;
  return `['\u2019]?(?:${letter}(?:${mark}){0,${MAX_MARKS}}['\u2019-]*)+`;
}

/**
 * Quotes a name that a stranger may have entered. Keeps only words of letters, apostrophes and
 * hyphens, and single short numbers: mail programs turn addresses, domains and telephone numbers
 * into links, and each of these needs a character or a group of digits that is removed here.
 * @returns null if nothing is left
 */
export function quotedName(name: string): string | null {
  const words = [...name.normalize('NFKC').replace(STACKED_MARKS, '$1').matchAll(WORDS)];
  const shown = [...joined(words)].slice(0, MAX_NAME_LENGTH).join('').trim();
  return shown === '' ? null : `\u201c${shown}\u201d`;
}

const isNumber = (word: RegExpExecArray | undefined): boolean => word?.groups?.['number'] !== undefined;

/** Joins words. Leaves out numbers next to numbers, and keeps a number at its word, as in B2B. */
function joined(words: readonly RegExpExecArray[]): string {
  let shown = '';
  let end = -1;
  let wasNumber = false;
  for (const [n, word] of words.entries()) {
    const isOne = isNumber(word);
    if (isOne && (isNumber(words[n - 1]) || isNumber(words[n + 1]))) continue;
    const isAttached = word.index === end && (isOne || wasNumber);
    shown += (shown === '' || isAttached ? '' : ' ') + word[0];
    end = word.index + word[0].length;
    wasNumber = isOne;
  }
  return shown;
}

/** Name of the service, in mails that are from it. */
export const SERVICE = 'Gatehouse';
const ACCENT_COLOR = '#0b6b6b';

/**
 * Names the sender of a mail. That of an organization says by whom it is sent, so that no mail can
 * pretend to be from the service or from another company itself.
 */
export function senderOf({ look }: MailContent): string {
  const sender = look?.sender ?? null;
  return sender === null ? SERVICE : `${sender} via ${SERVICE}`;
}

/** Renders a mail as plain text. */
export function renderText(mail: MailContent): string {
  const { paragraphs, action, alternative } = mail;
  const links = [action, alternative].flatMap((link) => (link ? [`${link.label}:\n${link.url}`] : []));
  return [...paragraphs, ...links, `-- \n${senderOf(mail)}`].join('\n\n') + '\n';
}

/** Renders a mail as HTML: one column, no images, no external resources. */
export function renderHtml(mail: MailContent): string {
  const { locale, subject, paragraphs, action, alternative, look } = mail;
  const accentColor = look?.accentColor ?? ACCENT_COLOR;
  const copyAddress = textIn(locale)('mail.copy-address');
  const text = paragraphs
    .map((paragraph) => `<p style="margin:0 0 16px">${escapeHtml(paragraph)}</p>`)
    .join('\n');
  const button = action
    ? `<p style="margin:24px 0"><a href="${escapeHtml(action.url)}" style="background:${escapeHtml(accentColor)};color:#fff;padding:12px 20px;border-radius:6px;text-decoration:none">${escapeHtml(action.label)}</a></p>
<p style="margin:0 0 16px;color:#555;font-size:13px">${escapeHtml(copyAddress)} ${escapeHtml(action.url)}</p>`
    : '';
  const second = alternative
    ? `<p style="margin:0 0 16px">${escapeHtml(alternative.label)}: <a href="${escapeHtml(alternative.url)}">${escapeHtml(alternative.url)}</a></p>`
    : '';
  return `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;background:#f4f5f4;font:16px/1.5 system-ui,sans-serif;color:#1a1a1a"><div style="max-width:520px;margin:32px auto;background:#fff;padding:32px;border-radius:8px">
<h1 style="font-size:20px;margin:0 0 20px">${escapeHtml(subject)}</h1>
${text}
${button}
${second}
<p style="margin:24px 0 0;color:#777;font-size:13px">${escapeHtml(senderOf(mail))}</p></div></body></html>
`;
}
