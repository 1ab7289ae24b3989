import type { ReactNode } from 'react';
import {
  Checkbox as BaseCheckbox,
  CheckboxGroup as BaseCheckboxGroup,
  Label,
  type CheckboxGroupProps,
  type CheckboxProps,
} from 'react-aria-components';
import { text } from '../messages/index.ts';
import { FieldMessages, type Labelled } from './fields.tsx';
import { Check } from './icons.tsx';

/** A checkbox. */
export function Checkbox({
  children,
  ...props
}: Omit<CheckboxProps, 'children' | 'className'> & { children: ReactNode }) {
  return (
    <BaseCheckbox {...props} className="choice">
      <span className="box">
        <Check size={15} />
      </span>
      <span>{children}</span>
    </BaseCheckbox>
  );
}

/** A group of checkboxes. */
export function CheckboxGroup({
  label,
  hint,
  wide = false,
  children,
  ...props
}: Omit<CheckboxGroupProps, 'children' | 'className'> & Labelled & { wide?: boolean; children: ReactNode }) {
  return (
    <BaseCheckboxGroup {...props} className={wide ? 'field wide' : 'field'}>
      <Label className="label">{label}</Label>
      <div className="choices">{children}</div>
      <FieldMessages hint={hint} missing={text('field.choose')} />
    </BaseCheckboxGroup>
  );
}
