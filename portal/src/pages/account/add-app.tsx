import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { encode } from 'uqr';
import type { components } from '@gatehouse/client';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

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
      <QrCode content={uri} />
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

/** Modules of the quiet zone around a QR code (ISO/IEC 18004, section 9.1). */
const QUIET = 4;

/** A QR code as elements of the page: the policy of the page allows no image and no markup. */
function QrCode({ content }: { readonly content: string }) {
  const { data, size } = encode(content, { border: QUIET });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={text('security.app.qr')}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
