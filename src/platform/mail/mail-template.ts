/** What a mail says. Plain sentences of ours: text that a user chose has no place here. */
export interface MailContent {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly action?: { readonly label: string; readonly url: string };
}

const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

/** The mail as plain text. */
export function renderText({ paragraphs, action }: MailContent): string {
  return (
    [...paragraphs, ...(action ? [`${action.label}:\n${action.url}`] : []), '-- \nGatehouse'].join('\n\n') +
    '\n'
  );
}

/** The same mail as HTML: one column, no images, nothing fetched. */
export function renderHtml({ subject, paragraphs, action }: MailContent): string {
  const text = paragraphs
    .map((paragraph) => `<p style="margin:0 0 16px">${escape(paragraph)}</p>`)
    .join('\n');
  const button = action
    ? `<p style="margin:24px 0"><a href="${escape(action.url)}" style="background:#14532d;color:#fff;padding:12px 20px;border-radius:6px;text-decoration:none">${escape(action.label)}</a></p>
<p style="margin:0 0 16px;color:#555;font-size:13px">Or copy this address: ${escape(action.url)}</p>`
    : '';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escape(subject)}</title></head>
<body style="margin:0;background:#f4f5f4;font:16px/1.5 system-ui,sans-serif;color:#1a1a1a"><div style="max-width:520px;margin:32px auto;background:#fff;padding:32px;border-radius:8px">
<h1 style="font-size:20px;margin:0 0 20px">${escape(subject)}</h1>
${text}
${button}
<p style="margin:24px 0 0;color:#777;font-size:13px">Gatehouse</p></div></body></html>
`;
}
