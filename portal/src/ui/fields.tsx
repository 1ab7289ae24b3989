import { useState, type ReactNode } from 'react';
import {
  Button as BaseButton,
  FieldError,
  Input,
  Label,
  Text,
  TextArea as BaseTextArea,
  TextField as BaseTextField,
  type TextFieldProps,
  type ValidationResult,
} from 'react-aria-components';
import { Eye, EyeOff } from './icons.tsx';
import { text } from '../messages/index.ts';

export interface Labelled {
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
      <FieldMessages hint={hint} minLength={props.minLength} />
    </BaseTextField>
  );
}

/** A field for several lines. */
export function TextArea({ label, hint, ...props }: FieldProps) {
  return (
    <BaseTextField {...props} className="field">
      <Caption label={label} optional={!props.isRequired} />
      <BaseTextArea className="control" rows={4} {...VERBATIM} />
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
          aria-label={text(shown ? 'password.hide' : 'password.show')}
          onPress={() => setShown(!shown)}
        >
          {shown ? <EyeOff /> : <Eye />}
        </BaseButton>
      </div>
      <FieldMessages hint={hint} minLength={props.minLength} />
    </BaseTextField>
  );
}

function Caption({ label, optional }: { readonly label: string; readonly optional: boolean }) {
  return (
    <Label className="label">
      {label} {optional && <span className="hint">{text('optional')}</span>}
    </Label>
  );
}

interface MessagesProps {
  readonly hint: ReactNode;
  readonly minLength?: number | undefined;
  /** Text for a missing value. */
  readonly missing?: string | undefined;
}

/** Shows the hint, and the error: the service's, or ours in place of the browser's. */
export function FieldMessages({ hint, minLength = 0, missing = text('field.required') }: MessagesProps) {
  const explain = ({ validationDetails: wrong, validationErrors }: ValidationResult): string => {
    if (wrong.customError) return validationErrors.join(' ');
    if (wrong.valueMissing) return missing;
    if (wrong.typeMismatch) return text('field.email');
    if (wrong.tooShort) return text('field.too-short', { min: minLength });
    if (wrong.patternMismatch) return text('field.pattern');
    return validationErrors.join(' ');
  };
  return (
    <>
      {hint !== undefined && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldError className="error">{explain}</FieldError>
    </>
  );
}
