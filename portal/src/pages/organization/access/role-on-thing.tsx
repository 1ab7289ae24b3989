import { useEffect, useState } from 'react';
import { Button, ComboBox, Input, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components';
import { text } from '../../../messages/index.ts';
import { FieldMessages } from '../../../ui/fields.tsx';
import { textOf } from '../../../ui/form.tsx';
import { Chevron } from '../../../ui/icons.tsx';
import { nameOfRole } from '../../../ui/role-name.ts';
import { SelectField } from '../../../ui/select-field.tsx';
import { useRoles } from '../organization-queries.ts';
import { type Thing, useThings } from './access-queries.ts';

/** Pause in typing after which things are searched for. */
const PAUSE_MS = 250;
/** Field with the URI: the other one has what is typed. */
const THING = 'thing';
/** What is typed instead of a name. */
const URI = /^[a-z]+:\/\//;

interface Props {
  readonly tenantId: string;
  /** Whether the user may read the registered things, to find one by its name. */
  readonly maySearch: boolean;
}

/** Selects a role, except the owner role, and the thing on which it holds: {@link readRole}. */
export function RoleOnThing(props: Props) {
  const { data: roles = [] } = useRoles(props.tenantId);
  const offered = roles.filter(({ key }) => key !== 'owner');
  const [chosen, setChosen] = useState('');
  return (
    <>
      <SelectField
        label={text('members.role')}
        name="role"
        options={offered.map((one): [string, string] => [one.key, nameOfRole(one)])}
        value={chosen || (offered.at(-1)?.key ?? '')} // not the admin, who is the first
        onChange={setChosen}
      />
      <ThingField {...props} />
    </>
  );
}

/** Returns what a form with {@link RoleOnThing} says; `on` without a thing is left out. */
export function readRole(values: FormData): { readonly role: string; readonly on?: string } {
  const on = textOf(values, THING);
  return { role: textOf(values, 'role') ?? '', ...(on !== undefined && { on }) };
}

/** Selects a thing by its name, as far as it is registered with one; any other by its URI. */
function ThingField({ tenantId, maySearch }: Props) {
  const [typed, setTyped] = useState('');
  const [uri, setUri] = useState('');
  const [query, setQuery] = useState('');
  const { data: things = [] } = useThings(tenantId, query, maySearch && !URI.test(query));
  useEffect(() => {
    const timer = setTimeout(() => setQuery(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const choose = (key: unknown) => {
    const thing = things.find((one) => one.thing === key);
    if (!thing) return;
    setTyped(labelOf(thing));
    setUri(thing.thing);
  };
  const type = (value: string) => {
    setTyped(value);
    setUri(things.find((one) => labelOf(one) === value)?.thing ?? value.trim());
  };
  return (
    <ComboBox
      className="field"
      name="on"
      items={URI.test(typed) ? [] : things}
      inputValue={typed}
      onInputChange={type}
      onSelectionChange={choose}
      menuTrigger="focus"
      allowsCustomValue
    >
      <Label className="label">
        {text('member.access.thing')} <span className="hint">{text('optional')}</span>
      </Label>
      <div className="with-button">
        <Input className="control" autoComplete="off" autoCapitalize="none" spellCheck="false" />
        {maySearch && (
          <Button className="button">
            <Chevron />
          </Button>
        )}
      </div>
      <FieldMessages hint={text(maySearch ? 'member.access.thing.hint' : 'member.access.thing.uri')} />
      <input type="hidden" name={THING} value={uri} />
      <Popover className="popover">
        <ListBox className="menu">
          {(thing: Thing) => (
            <ListBoxItem id={thing.thing} className="menu-item" textValue={labelOf(thing)}>
              <Text slot="label">{labelOf(thing)}</Text>
              {thing.name !== null && <Text slot="description">{thing.thing}</Text>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

const labelOf = ({ name, thing }: Thing): string => name ?? thing;
