import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { chooseLocale, LOCALES, nameOfLocale, text, useLocale, type Locale } from '../messages/index.ts';
import { Check, Globe } from './icons.tsx';
import { inBackground } from '../session/in-background.ts';

/** Selects the language of the pages before the sign-in; afterwards it is in the profile. */
export function LanguageSwitch() {
  const locale = useLocale();
  return (
    <MenuTrigger>
      <Button
        className="button quiet icon"
        aria-label={text('frame.language-of', { name: nameOfLocale(locale) })}
      >
        <Globe />
      </Button>
      <Popover className="popover">
        <Menu
          className="menu"
          aria-label={text('frame.language')}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[locale]}
          onSelectionChange={(keys) => inBackground(chooseLocale([...keys][0] as Locale))}
        >
          {Object.entries(LOCALES).map(([tag, label]) => (
            <MenuItem key={tag} id={tag} className="menu-item" textValue={label}>
              {({ isSelected }) => (
                <>
                  <span lang={tag}>{label}</span> {isSelected && <Check />}
                </>
              )}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
