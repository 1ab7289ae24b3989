import { useEffect, useRef, useState, type ReactNode } from 'react';
import { nameOfLocale, text, useLocale } from '../messages/index.ts';
import { whenIdle } from '../session/when-idle.ts';
import { Globe, Sun } from './icons.tsx';
import { themeInUse } from './theme.ts';
import { inBackground } from '../session/in-background.ts';

type Menus = typeof import('./page-menus.ts');

const load = () => import('./page-menus.ts');

/** Kept between pages. */
let loaded: Menus | null = null;

/**
 * Switches of language and theme. Until one is pressed they are plain buttons of the same look; the
 * press replaces them by the menus, and opens the one that was meant. Their file is read when the
 * page is idle.
 */
export function PageSwitches() {
  const [menus, setMenus] = useState(loaded);
  const pressed = useRef(-1);
  const box = useRef<HTMLDivElement>(null);
  const locale = useLocale();
  useEffect(
    () => (menus === null ? whenIdle(() => inBackground(load().catch(() => null))) : undefined),
    [menus],
  );
  useEffect(() => {
    const button = box.current?.children[pressed.current];
    if (menus === null || !(button instanceof HTMLElement)) return;
    pressed.current = -1;
    button.focus();
    button.click();
  }, [menus]);
  const open = async (which: number) => {
    pressed.current = which;
    loaded = await load().catch(() => null);
    setMenus(loaded);
  };
  const placeholder = (which: number, label: string, icon: ReactNode) => (
    <button
      type="button"
      className="button quiet icon"
      aria-label={label}
      aria-haspopup="menu"
      onClick={() => inBackground(open(which))}
    >
      {icon}
    </button>
  );
  return (
    <div className="switches" ref={box}>
      {menus ? (
        <>
          <menus.LanguageSwitch />
          <menus.ThemeSwitch />
        </>
      ) : (
        <>
          {placeholder(0, text('frame.language-of', { name: nameOfLocale(locale) }), <Globe />)}
          {placeholder(1, text('frame.theme-of', { name: text(`frame.theme.${themeInUse()}`) }), <Sun />)}
        </>
      )}
    </div>
  );
}
