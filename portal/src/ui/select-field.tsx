import {
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select,
  SelectValue,
  Text,
} from 'react-aria-components';
import { Check, Chevron } from './icons.tsx';

interface Props {
  readonly label: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string;
  /** Name in a form. */
  readonly name?: string;
}

/** Selects one of several values. */
export function SelectField({ label, options, value, onChange, hint, name }: Props) {
  return (
    <Select className="field" name={name} value={value} onChange={(key) => onChange(String(key))}>
      <Label className="label">{label}</Label>
      <Button className="control select">
        <SelectValue>{({ selectedText }) => selectedText}</SelectValue>
        <Chevron />
      </Button>
      {hint !== undefined && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <Popover className="popover">
        <ListBox className="menu">
          {options.map(([key, text]) => (
            <ListBoxItem key={key} id={key} className="menu-item" textValue={text}>
              {text}
              {key === value && <Check />}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  );
}
