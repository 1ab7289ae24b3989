import { useState, type ReactNode } from 'react';
import {
  Button as BaseButton,
  Checkbox as BaseCheckbox,
  CheckboxGroup as BaseCheckboxGroup,
  FieldError,
  Input,
  Label,
  Text,
  TextField as BaseTextField,
  type CheckboxGroupProps,
  type CheckboxProps,
  type TextFieldProps,
} from 'react-aria-components';
import { Check, Eye, EyeOff } from './icons.tsx';

interface Labelled {
  readonly label: string;
  readonly hint?: ReactNode;
}

interface FieldProps extends Omit<TextFieldProps, 'children' | 'className'>, Labelled {
  /** Turns off corrections while typing, for values that programs read. */
  readonly verbatim?: boolean;
}

const VERBATIM = { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: 'false' } as const;

/** A text field. Shows errors of the browser and the service below it. */
export function TextField({ label, hint, verbatim = false, ...props }: FieldProps) {
  return (
    <BaseTextField {...props} className="field">
      <Caption label={label} optional={!props.isRequired} />
      <Input className="control" {...(verbatim && VERBATIM)} />
      <FieldMessages hint={hint} />
    </BaseTextField>
  );
}

/** A password field whose text can be shown. */
export function PasswordField({ label, hint, ...props }: FieldProps) {
  const [shown, setShown] = useState(false);
  return (
    <BaseTextField isRequired {...props} type={shown ? 'text' : 'password'} className="field">
      <Caption label={label} optional={false} />
      <div className="with-button">
        <Input className="control" {...VERBATIM} />
        <BaseButton
          className="button"
          aria-label={shown ? 'Hide the password' : 'Show the password'}
          onPress={() => setShown(!shown)}
        >
          {shown ? <EyeOff /> : <Eye />}
        </BaseButton>
      </div>
      <FieldMessages hint={hint} />
    </BaseTextField>
  );
}

/** A field for a new password. */
export function NewPasswordField({ label = 'New password', ...props }: Partial<FieldProps>) {
  return (
    <PasswordField
      label={label}
      autoComplete="new-password"
      minLength={8}
      maxLength={1024}
      hint="At least 8 characters. A few words in a row are easy to remember and hard to guess."
      {...props}
    />
  );
}

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
      <FieldMessages hint={hint} />
    </BaseCheckboxGroup>
  );
}

function Caption({ label, optional }: { readonly label: string; readonly optional: boolean }) {
  return (
    <Label className="label">
      {label} {optional && <span className="hint">(optional)</span>}
    </Label>
  );
}

function FieldMessages({ hint }: { readonly hint: ReactNode }) {
  return (
    <>
      {hint !== undefined && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldError className="error" />
    </>
  );
}
