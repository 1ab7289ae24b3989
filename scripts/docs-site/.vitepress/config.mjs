import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { pageOf, SECTIONS } from '../pages.mjs';
import { readAsGitHub } from './markdown.mjs';

/** Copies of the documents, made by scripts/docs-site-steps.mjs: packages are found from here. */
const folder = join(import.meta.dirname, '../copies');

/** Ranks what a reader does before decisions and evidence. */
const boost = (page) => (/^\/(adr|asvs|requirements|acceptance|conformance)/.test(page) ? 0.3 : 1);

/** The site of the documentation. Links that lead nowhere fail the build. */
export default defineConfig({
  title: 'Gatehouse',
  description: 'Open identity, session and authorization service',
  head: [['link', { rel: 'icon', href: '/favicon.svg' }]],
  srcDir: folder,
  outDir: join(import.meta.dirname, '../dist'), // `nest build` empties the service's dist
  rewrites: pageOf,
  ignoreDeadLinks: 'localhostLinks', // of a service that the reader has started
  markdown: { config: (md) => readAsGitHub(md, folder) },
  themeConfig: {
    search: {
      provider: 'local',
      options: { miniSearch: { searchOptions: { boostDocument: boost } } },
    },
    outline: [2, 3],
    sidebar: SECTIONS.map(({ title, items }) => ({
      text: title,
      collapsed: title === 'Decisions',
      items: items.map(({ text, file }) => ({ text, link: `/${pageOf(file)}` })),
    })),
  },
  vite: { build: { chunkSizeWarningLimit: 4000 } }, // the index of the search
});
