import { useState } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Check, Sun } from './icons.tsx';
import { text } from '../messages/index.ts';
import { type Theme, themeInUse, THEMES } from './theme.ts';

const KEY = 'gatehouse-theme'; // public/theme.js reads it before the first paint

/** Selects the light, the dark or the system's theme. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(themeInUse);
  const choose = (next: Theme) => {
    setTheme(next);
    if (next === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = next;
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // Without storage, the choice lasts until the page is left.
    }
  };
  return (
    <MenuTrigger>
      <Button
        className="button quiet icon"
        aria-label={text('frame.theme-of', { name: text(`frame.theme.${theme}`) })}
      >
        <Sun />
      </Button>
      <Popover className="popover">
        <Menu
          className="menu"
          aria-label={text('frame.theme')}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[theme]}
          onSelectionChange={(keys) => choose([...keys][0] as Theme)}
        >
          {THEMES.map((key) => (
            <MenuItem key={key} id={key} className="menu-item" textValue={text(`frame.theme.${key}`)}>
              {({ isSelected }) => (
                <>
                  {text(`frame.theme.${key}`)} {isSelected && <Check />}
                </>
              )}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
