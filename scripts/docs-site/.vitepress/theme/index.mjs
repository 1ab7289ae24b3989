import DefaultTheme from 'vitepress/theme';
import { Diagram } from './diagram.mjs';
import './style.css';

/** The theme of VitePress, with the diagrams of Mermaid. */
export default { extends: DefaultTheme, enhanceApp: ({ app }) => app.component('Diagram', Diagram) };
