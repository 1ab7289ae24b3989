import type { SecondFactorNeeded } from '@gatehouse/client';
import { ProblemError } from '@gatehouse/client';
import { text } from '../messages/index.ts';
import { gatehouse } from '../session/gatehouse.ts';
import type { RunSignIn } from '../session/second-factor.ts';
import { deviceTokens } from '../session/trusted-device.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkboxes.tsx';
import { Notice } from '../ui/notice.tsx';
import { Sheet } from '../ui/page.tsx';
import { FactorForm, OtherMethods, usableOf, useMethod, type FactorAnswer } from './factor-form.tsx';

interface Props {
  readonly needed: SecondFactorNeeded;
  /** Name under which this browser keeps that it is trusted: the address, or the provider. */
  readonly trustName?: string;
  /** Told of a password that attackers try first, after the sign-in. */
  readonly onWeakPassword?: () => void;
  readonly run: RunSignIn;
  /** Returns to the first factor. */
  readonly onRestart: () => void;
}

/** Completes a sign-in by its second factor. */
export function SecondFactor({
  needed: { challenge, methods },
  trustName,
  onWeakPassword,
  run,
  onRestart,
}: Props) {
  const usable = usableOf(methods);
  const [factor, setFactor] = useMethod(usable);
  const send = (answer: FactorAnswer, values: FormData) =>
    run(async () => {
      const rememberDevice = values.get('rememberDevice') !== null;
      const body = { challenge, ...answer, rememberDevice };
      const { deviceToken, passwordShouldChange } = await gatehouse.submitSecondFactor(body);
      if (deviceToken !== null && trustName !== undefined) await deviceTokens.store(trustName, deviceToken);
      if (passwordShouldChange) onWeakPassword?.();
    });
  return (
    <Sheet title={text('second-factor.title')} lead={text('second-factor.lead')} focusTitle={false}>
      {factor === undefined ? (
        <Notice kind="care" title={text('second-factor.none.title')}>
          {text('second-factor.none.text')}
        </Notice>
      ) : (
        <FactorForm
          key={factor}
          factor={factor}
          getOptions={async () =>
            (await gatehouse.post('/api/v1/iam/auth/passkeys/options', { body: { challenge } })).data
          }
          send={send}
          explain={(error) => isExpired(error) && <Expired onRestart={onRestart} />}
        >
          {trustName !== undefined && (
            <Checkbox name="rememberDevice" value="yes">
              {text('second-factor.trust')}
            </Checkbox>
          )}
        </FactorForm>
      )}
      <OtherMethods methods={usable} chosen={factor} onChoose={setFactor} />
      <details>
        <summary>{text('second-factor.lost')}</summary>
        <p className="soft">{text('second-factor.lost.text')}</p>
      </details>
      <Button look="link" onPress={onRestart}>
        {text('back-to-sign-in')}
      </Button>
    </Sheet>
  );
}

/** Whether the challenge is void: after ten minutes, five wrong answers, or a new password. */
const isExpired = (error: unknown): boolean =>
  error instanceof ProblemError && error.violations.some(({ propertyPath }) => propertyPath === 'challenge');

function Expired({ onRestart }: Pick<Props, 'onRestart'>) {
  return (
    <Notice kind="care" title={text('second-factor.expired.title')}>
      <p>{text('second-factor.expired.text')}</p>
      <p>
        <Button small onPress={onRestart}>
          {text('step-up.sign-in-again')}
        </Button>
      </p>
    </Notice>
  );
}
