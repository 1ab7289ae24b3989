import { useRef, useState } from 'react';
import { configuration } from '../session/configuration.ts';
import type { Strength } from '../session/password-strength.ts';
import { PasswordField } from './fields.tsx';
import { Notice } from './notice.tsx';
import { text } from '../messages/index.ts';
import { inBackground } from '../session/in-background.ts';

/** Highest strength of passwords that attackers try first. */
const WEAK = 1;

/** @returns null if the estimator cannot be loaded: the service decides, then */
async function estimate(password: string, own: readonly string[]): Promise<Strength | null> {
  try {
    return (await import('../session/password-strength.ts')).strengthOf(password, own);
  } catch {
    return null;
  }
}

/** Texts of the other fields of a form: a password that repeats them is weak. */
const otherTextsIn = (form: HTMLFormElement | null): string[] =>
  [...(form?.querySelectorAll('input') ?? [])]
    .filter(({ type, value }) => (type === 'text' || type === 'email') && value !== '')
    .map(({ value }) => value);

interface Props {
  readonly label?: string;
  readonly name: string;
  readonly autoFocus?: boolean;
  readonly question: WeakPasswordQuestion;
}

interface WeakPasswordQuestion {
  /** Password about which the user has been asked. */
  readonly asked: string | null;
  /** Submits a password, at once or when the user submits a weak one again. */
  readonly submit: (form: HTMLFormElement, name: string, send: () => void) => void;
}

/** Asks once more before a weak password is sent, where the service would accept it. */
export function useWeakPasswordQuestion(): WeakPasswordQuestion {
  const [asked, setAsked] = useState<string | null>(null);
  const submit: WeakPasswordQuestion['submit'] = (form, name, send) => {
    const password = String(new FormData(form).get(name));
    if (configuration.passwordBlocklist !== 'warn' || asked === password) return send();
    inBackground(
      estimate(password, otherTextsIn(form)).then((strength) =>
        strength !== null && strength <= WEAK ? setAsked(password) : send(),
      ),
    );
  };
  return { asked, submit };
}

/** A field for a new password, which shows its strength while it is typed. */
export function NewPasswordField({ label = text('password.new'), question, ...props }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState('');
  const [strength, setStrength] = useState<Strength | null>(null);
  const latest = useRef('');
  const judge = async (password: string) => {
    setTyped(password);
    latest.current = password;
    const estimated = await estimate(password, otherTextsIn(box.current?.closest('form') ?? null));
    if (latest.current === password) setStrength(password === '' ? null : estimated);
  };
  return (
    <div className="stack tight" ref={box}>
      <PasswordField
        {...props}
        label={label}
        autoComplete="new-password"
        minLength={8}
        maxLength={1024}
        hint={text('password.hint')}
        onChange={(password) => inBackground(judge(password))}
      />
      <div className="strength" data-strength={strength} role="status">
        {strength !== null && (
          <>
            <span className="strength-bar" aria-hidden="true" />
            <span className="hint">
              {text('password.strength', { score: strength })} {strength <= WEAK && text('password.weak')}
            </span>
          </>
        )}
      </div>
      {question.asked !== null && question.asked === typed && (
        <div role="alert">
          <Notice kind="care" title={text('password.ask.title')}>
            {text('password.ask.text')}
          </Notice>
        </div>
      )}
    </div>
  );
}
