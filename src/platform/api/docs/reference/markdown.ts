import { escapeHtml } from '../../../messages/index.js';
import { Markup } from './markup.js';

/** Renders the descriptions of the document (CommonMark with tables). */
export interface Markdown {
  block(text: string): Markup;
  inline(text: string): Markup;
}

/**
 * Loads the parser. HTML in a description is shown as text: `Bearer <token>` is no tag. Wide tables
 * scroll in a box of their own.
 */
export async function loadMarkdown(): Promise<Markdown> {
  const { Marked, Renderer } = await import('marked');
  const library = new Renderer();
  const parser = new Marked({
    renderer: {
      html: ({ text }) => escapeHtml(text),
      heading({ tokens, depth, text }) {
        const id = text.toLowerCase().replace(/[^a-z]+/g, '-');
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      table(token) {
        library.parser = this.parser;
        return `<div class="scrolls" tabindex="0">${library.table(token)}</div>\n`;
      },
    },
  });
  return {
    block: (text) => new Markup(parser.parse(text, { async: false })),
    inline: (text) => new Markup(parser.parseInline(text, { async: false })),
  };
}
