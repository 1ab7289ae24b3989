import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { canUsePasskeys, getPasskey, ProblemError, type CeremonyOptions } from '@gatehouse/client';
import { text } from '../messages/index.ts';
import { isPasskeyDeclined } from '../session/passkey-sign-in.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';

const FACTORS = ['totp', 'passkey', 'recovery_code'] as const;
export type Factor = (typeof FACTORS)[number];

/** What the user has entered or confirmed. */
export type FactorAnswer =
  | { readonly method: 'totp' | 'recovery_code'; readonly code: string }
  | { readonly method: 'passkey'; readonly ceremony: string; readonly credential: Record<string, unknown> };

/** Restricts the methods of the service to those that this page and this browser know. */
export const usableOf = (methods: readonly string[]): Factor[] =>
  FACTORS.filter((factor) => methods.includes(factor) && (factor !== 'passkey' || canUsePasskeys()));

interface Props {
  readonly factor: Factor;
  /** Requests the options of a passkey. */
  readonly getOptions: () => Promise<Pick<CeremonyOptions, 'ceremony' | 'publicKey'>>;
  readonly send: (answer: FactorAnswer, values: FormData) => Promise<unknown>;
  readonly onDone?: () => void;
  /** Explains an error that this form does not know. */
  readonly explain?: (error: unknown) => ReactNode;
  /** Further fields. */
  readonly children?: ReactNode;
  readonly onCancel?: () => void;
}

/** Asks for one second factor. */
export function FactorForm({ factor, getOptions, send, onDone, explain, children, onCancel }: Props) {
  const attempt = useMutation({
    mutationFn: async (values: FormData) => {
      const answer: FactorAnswer =
        factor === 'passkey'
          ? { method: factor, ...(await getPasskey(await getOptions())) }
          : { method: factor, code: String(values.get('code')).trim() };
      return send(answer, values);
    },
    ...(onDone && { onSuccess: onDone }),
  });
  const submit = (
    <Button type="submit" isPending={attempt.isPending}>
      {text(factor === 'passkey' ? 'factor.passkey.submit' : 'confirm')}
    </Button>
  );
  return (
    <>
      <p>{text(`factor.lead.${factor}`)}</p>
      <Form
        error={attempt.error}
        onSubmit={(values) => attempt.mutate(values)}
        trouble={troubleOf(attempt.error, factor) ?? explain?.(attempt.error)}
      >
        {factor === 'totp' && (
          <TextField
            label={text('factor.code')}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={40}
            isRequired
            autoFocus
            verbatim
          />
        )}
        {factor === 'recovery_code' && (
          <TextField
            label={text('factor.recovery-code')}
            name="code"
            autoComplete="off"
            maxLength={40}
            isRequired
            autoFocus
            verbatim
          />
        )}
        {children}
        {onCancel ? (
          <div className="buttons">
            <Button onPress={onCancel}>{text('cancel')}</Button>
            {submit}
          </div>
        ) : (
          submit
        )}
      </Form>
    </>
  );
}

/** Explains the refusals that the user can resolve here. */
function troubleOf(error: unknown, factor: Factor): ReactNode {
  if (isPasskeyDeclined(error))
    return (
      <Notice kind="care" title={text('passkey.declined.title')}>
        {text('passkey.declined.text')}
      </Notice>
    );
  if (!(error instanceof ProblemError) || error.code !== 'invalid-second-factor') return undefined;
  return (
    <Notice kind="bad" title={text(`factor.wrong.${factor}.title`)}>
      {text(`factor.wrong.${factor}.text`)}
    </Notice>
  );
}

interface ChoiceProps<M extends string> {
  readonly methods: readonly M[];
  readonly chosen: M | undefined;
  readonly onChoose: (method: M) => void;
}

/** Links to the other methods. */
export function OtherMethods<M extends Factor | 'password'>({ methods, chosen, onChoose }: ChoiceProps<M>) {
  const others = methods.filter((method) => method !== chosen);
  if (others.length === 0) return null;
  return (
    <ul className="stack tight" aria-label={text('factor.others')}>
      {others.map((method) => (
        <li key={method}>
          <Button look="link" onPress={() => onChoose(method)}>
            {text(`factor.use.${method}`)}
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** The chosen method: the first one, until the user chooses. */
export function useMethod<M extends string>(methods: readonly M[]): [M | undefined, (method: M) => void] {
  const [method, setMethod] = useState<M>();
  return [method ?? methods[0], setMethod];
}
