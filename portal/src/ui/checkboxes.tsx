import type { ReactNode } from 'react';
import {
  Checkbox as BaseCheckbox,
  CheckboxGroup as BaseCheckboxGroup,
  Label,
  type CheckboxGroupProps,
  type CheckboxProps,
} from 'react-aria-components';
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

interface GroupProps extends Omit<CheckboxGroupProps, 'children' | 'className'>, Labelled {
  readonly wide?: boolean;
  /** Text for a required group in which nothing is chosen. */
  readonly missing?: string;
  readonly children: ReactNode;
}

/** A group of checkboxes. */
export function CheckboxGroup({ label, hint, wide = false, missing, children, ...props }: GroupProps) {
  return (
    <BaseCheckboxGroup {...props} className={wide ? 'field wide' : 'field'}>
      <Label className="label">{label}</Label>
      {/* A long list would hide below it what is wrong. */}
      {wide && <FieldMessages hint={hint} missing={missing} />}
      <div className="choices">{children}</div>
      {!wide && <FieldMessages hint={hint} missing={missing} />}
    </BaseCheckboxGroup>
  );
}
