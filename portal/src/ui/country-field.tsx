import { Button, ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import { intlLocale, text } from '../messages/index.ts';
import { Chevron } from './icons.tsx';

/** ISO 3166-1 alpha-2. */
const CODES =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
  'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR ' +
  'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP ' +
  'KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT ' +
  'MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW ' +
  'SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG ' +
  'UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW';

interface Props {
  readonly label: string;
  /** Name in a form, whose value is the code. */
  readonly name: string;
  /** A code, or the text that another client has stored. */
  readonly value: string | null;
}

/** Countries by their names in the language of the page, and a stored text that is no code. */
function countriesWith(value: string | null): readonly { readonly id: string; readonly name: string }[] {
  const locale = intlLocale();
  const names = new Intl.DisplayNames(locale, { type: 'region' });
  const known = CODES.split(' ').map((id) => ({ id, name: names.of(id) ?? id }));
  known.sort((a, b) => a.name.localeCompare(b.name, locale));
  const isKnown = value === null || known.some(({ id }) => id === value);
  return isKnown ? known : [{ id: value, name: value }, ...known];
}

/** Selects a country, by typing a part of its name. */
export function CountryField({ label, name, value }: Props) {
  return (
    <ComboBox
      className="field"
      name={name}
      formValue="key"
      defaultItems={countriesWith(value)}
      defaultSelectedKey={value}
      menuTrigger="focus"
    >
      <Label className="label">
        {label} <span className="hint">{text('optional')}</span>
      </Label>
      <div className="with-button">
        <Input className="control" autoComplete="off" />
        <Button className="button">
          <Chevron />
        </Button>
      </div>
      <Popover className="popover">
        <ListBox
          className="menu"
          renderEmptyState={() => <p className="menu-heading">{text('country.none')}</p>}
        >
          {(country: { readonly id: string; readonly name: string }) => (
            <ListBoxItem className="menu-item" textValue={country.name}>
              {country.name}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
