import { relative } from 'node:path';
import { targetOf } from '../pages.mjs';

/** Markup that the documents use on GitHub. Other angle brackets are text. */
const MARKUP = /^<(?:\/?(?:picture|source|img|br)\b|!--)/;

/** Makes markdown-it read the documents as GitHub does, without changes to them. */
export function readAsGitHub(md, folder) {
  for (const rule of ['html_inline', 'html_block'])
    md.renderer.rules[rule] = (tokens, index) => {
      const { content } = tokens[index];
      if (!MARKUP.test(content.trim())) return md.utils.escapeHtml(content);
      return content.replace(/(src|srcset)="(?=\w)/g, '$1="./'); // else a package, for Vite
    };
  const { fence } = md.renderer.rules;
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info, content } = tokens[index];
    return info === 'mermaid'
      ? `<Diagram source="${encodeURIComponent(content)}" />`
      : fence(tokens, index, ...rest);
  };
  md.renderer.rules.code_block = (tokens, index, ...rest) => {
    tokens[index].info = 'text'; // indented code
    return fence(tokens, index, ...rest);
  };
  md.core.ruler.push('links', ({ tokens, env }) => {
    const document = relative(folder, env.realPath ?? env.path);
    for (const { children } of tokens) if (children) resolveLinks(children, document);
  });
}

/** Leads links to pages. A file of the repository that is no page is only named. */
function resolveLinks(tokens, document) {
  for (const [index, link] of tokens.entries()) {
    if (link.type !== 'link_open') continue;
    const [path, anchor] = link.attrGet('href').split('#');
    if (path === '' || /^\w+:/.test(path)) continue;
    const target = targetOf(document, decodeURI(path));
    if (target?.page) link.attrSet('href', `/${target.page}${anchor ? `#${anchor}` : ''}`);
    else if (target?.file) {
      const end = tokens.find(({ type }, at) => at > index && type === 'link_close');
      Object.assign(link, {
        type: 'span_open',
        tag: 'span',
        attrs: [['title', `${target.file} in the repository`]],
      });
      Object.assign(end, { type: 'span_close', tag: 'span' });
    }
  }
}
