/** What a mail says: sentences of the service. Text that a user chose appears only through {@link quotedName}. */
export interface MailContent {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly action?: Link;
  /** A second link, shown below the action and not as a button. */
  readonly alternative?: Link;
}

interface Link {
  readonly label: string;
  readonly url: string;
}

const MAX_SHOWN_NAME = 40;

/**
 * Quotes a name that a stranger may have typed. Keeps letters, apostrophes and hyphens alone: mail programs make links of
 * addresses, domains and telephone numbers, and each of these needs a character that is removed here.
 * @returns null where nothing is left to show
 */
export function quotedName(name: string): string | null {
  const words = name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}'\u2019-]+/gu, ' ')
    .trim();
  const shown = [...words].slice(0, MAX_SHOWN_NAME).join('').trim();
  return shown === '' ? null : `\u201c${shown}\u201d`;
}

const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

/** The mail as plain text. */
export function renderText({ paragraphs, action, alternative }: MailContent): string {
  const links = [action, alternative].flatMap((link) => (link ? [`${link.label}:\n${link.url}`] : []));
  return [...paragraphs, ...links, '-- \nGatehouse'].join('\n\n') + '\n';
}

/** The same mail as HTML: one column, no images, nothing fetched. */
export function renderHtml({ subject, paragraphs, action, alternative }: MailContent): string {
  const text = paragraphs
    .map((paragraph) => `<p style="margin:0 0 16px">${escape(paragraph)}</p>`)
    .join('\n');
  const button = action
    ? `<p style="margin:24px 0"><a href="${escape(action.url)}" style="background:#14532d;color:#fff;padding:12px 20px;border-radius:6px;text-decoration:none">${escape(action.label)}</a></p>
<p style="margin:0 0 16px;color:#555;font-size:13px">Or copy this address: ${escape(action.url)}</p>`
    : '';
  const second = alternative
    ? `<p style="margin:0 0 16px">${escape(alternative.label)}: <a href="${escape(alternative.url)}">${escape(alternative.url)}</a></p>`
    : '';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escape(subject)}</title></head>
<body style="margin:0;background:#f4f5f4;font:16px/1.5 system-ui,sans-serif;color:#1a1a1a"><div style="max-width:520px;margin:32px auto;background:#fff;padding:32px;border-radius:8px">
<h1 style="font-size:20px;margin:0 0 20px">${escape(subject)}</h1>
${text}
${button}
${second}
<p style="margin:24px 0 0;color:#777;font-size:13px">Gatehouse</p></div></body></html>
`;
}
