/** Menus at the foot of the pages before the sign-in. */
export { LanguageSwitch } from './language-switch.tsx';
export { ThemeSwitch } from './theme-switch.tsx';
