import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/overlays.css';
import './styles/content.css';
import './styles/layout.css';
import { App } from './app.tsx';
import { loadInitialLocale } from './messages/index.ts';
import { takeOverFirstPage } from './first-page.ts';
import { behaveLikeReact } from './preact/like-react.ts';
import { loadPagesOf } from './session/loaded-pages.ts';
import { moveMailedTokenToHistory, moveSetupTokenToHistory, removeFragment } from './session/mailed-token.ts';
import { show } from './session/shown-address.ts';
import { inBackground } from './session/in-background.ts';

behaveLikeReact();
moveMailedTokenToHistory();
moveSetupTokenToHistory();
removeFragment();
inBackground(start());

/** Not awaited by this file: what it loads may import from it, and would wait for it in turn. */
async function start(): Promise<void> {
  // A task of its own, so that a slow phone answers a touch between this file and the first page.
  await new Promise((resolve) => setTimeout(resolve));
  await Promise.all([loadInitialLocale(), loadPagesOf(location.pathname)]);
  show();
  const root = document.getElementById('root');
  if (!root) return;
  await takeOverFirstPage(root, () =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
  performance.mark('gatehouse-usable'); // read by `npm run bench -- portal`
}
