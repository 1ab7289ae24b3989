import { useId, type ReactNode } from 'react';
import type { Labelled } from './fields.tsx';

interface Props extends Labelled {
  readonly name: string;
  /** Types and endings that the browser offers. */
  readonly accept: string;
  readonly isDisabled: boolean;
  readonly isRequired?: boolean;
  /** What is wrong with the file; null if nothing is. */
  readonly error?: string | null;
  readonly onChange?: (file: File | undefined) => void;
  /** Below the field. */
  readonly children?: ReactNode;
}

/** A field for a file of the person's device. */
export function FileField({ label, hint, name, accept, error = null, ...props }: Props) {
  const id = useId();
  const { isDisabled, isRequired = false, onChange, children } = props;
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <input
        className="control"
        id={id}
        type="file"
        name={name}
        accept={accept}
        disabled={isDisabled}
        required={isRequired}
        aria-invalid={error !== null || undefined}
        aria-describedby={`${id}-hint ${id}-error`}
        onChange={(event) => onChange?.(event.currentTarget.files?.[0])}
      />
      <p className="hint" id={`${id}-hint`}>
        {hint}
      </p>
      {error !== null && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {children}
    </div>
  );
}
