import { useMutation } from '@tanstack/react-query';
import { createPasskey } from '@gatehouse/client';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { isPasskeyDeclined } from '../../session/passkey-sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { deviceOf } from './device.ts';

interface Props {
  /** Gets the recovery codes, with the first authenticator. */
  readonly onAdded: (recoveryCodes: readonly string[] | null) => void;
}

/** Creates a passkey by this browser, and adds it to the account. */
export function AddPasskey({ onAdded }: Props) {
  const add = useMutation({
    mutationFn: async () => {
      const { data: options } = await gatehouse.post('/api/v1/iam/me/authenticators/passkeys/options');
      const body = { ...(await createPasskey(options)), name: deviceOf(navigator.userAgent).name };
      return (await gatehouse.post('/api/v1/iam/me/authenticators/passkeys', { body })).data;
    },
    onSuccess: ({ recoveryCodes }) => onAdded(recoveryCodes),
  });
  return (
    <>
      <Button isPending={add.isPending} onPress={() => add.mutate()}>
        {text('security.passkey.add')}
      </Button>
      {add.error && <Trouble error={add.error} />}
    </>
  );
}

function Trouble({ error }: { readonly error: unknown }) {
  if (error instanceof DOMException && error.name === 'InvalidStateError')
    return <Notice kind="care" title={text('security.passkey.exists')} />;
  if (!isPasskeyDeclined(error)) return <ErrorNotice error={error} />;
  return <Notice kind="care" title={text('security.passkey.declined')} />;
}
