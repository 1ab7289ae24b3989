import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/overlays.css';
import './styles/content.css';
import './styles/layout.css';
import { App } from './app.tsx';
import { dropFragment, takeMailedToken } from './session/mailed-token.ts';

takeMailedToken();
dropFragment();
const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
