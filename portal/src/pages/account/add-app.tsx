import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '@gatehouse/client';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { QrCode } from '../../ui/qr-code.tsx';

type NewApp = components['schemas']['NewTotpResponse'];

interface Props {
  /** Gets the recovery codes, with the first authenticator. */
  readonly onAdded: (recoveryCodes: readonly string[] | null) => void;
}

/** Adds an authenticator app: shows its secret, and confirms it by a code. */
export function AddApp({ onAdded }: Props) {
  const [app, setApp] = useState<NewApp | null>(null);
  const begin = useMutation({
    mutationFn: async () => (await gatehouse.post('/api/v1/iam/me/authenticators/totp')).data,
    onSuccess: setApp,
  });
  return (
    <>
      {begin.error && <ErrorNotice error={begin.error} />}
      <Button isPending={begin.isPending} onPress={() => begin.mutate()}>
        {text('security.app.add')}
      </Button>
      {app && (
        <ConfirmApp
          app={app}
          onClose={() => setApp(null)}
          onAdded={(recoveryCodes) => {
            setApp(null);
            onAdded(recoveryCodes);
          }}
        />
      )}
    </>
  );
}

interface ConfirmProps extends Props {
  readonly app: NewApp;
  readonly onClose: () => void;
}

function ConfirmApp({ app: { id, secret, uri }, onAdded, onClose }: ConfirmProps) {
  const confirm = useMutation({
    mutationFn: async (body: { code: string; name?: string }) =>
      (
        await gatehouse.post('/api/v1/iam/me/authenticators/totp/{id}/confirm', {
          params: { path: { id } },
          body,
        })
      ).data,
    onSuccess: ({ recoveryCodes }) => onAdded(recoveryCodes),
  });
  const submit = (values: FormData) => {
    const name = textOf(values, 'name');
    confirm.mutate({ code: String(values.get('code')).trim(), ...(name !== undefined && { name }) });
  };
  return (
    <Dialog title={text('security.app.add')} isOpen onClose={onClose}>
      <p>{text('security.app.scan')}</p>
      <QrCode content={uri} label={text('security.app.qr')} />
      <details>
        <summary>{text('security.app.by-hand')}</summary>
        <p className="code">
          <code>{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
        </p>
      </details>
      <Form error={confirm.error} onSubmit={submit}>
        <TextField
          label={text('security.app.code')}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={40}
          isRequired
          autoFocus
          verbatim
        />
        <TextField label={text('name')} name="name" maxLength={100} hint={text('security.app.name-hint')} />
        <FormButtons submit={text('confirm')} isPending={confirm.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
