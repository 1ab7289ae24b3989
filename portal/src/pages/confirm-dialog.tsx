import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { ProblemError, type StepUpNeeded } from '@gatehouse/client';
import { text } from '../messages/index.ts';
import { usePendingConfirmation } from '../session/confirmation.ts';
import { gatehouse } from '../session/gatehouse.ts';
import { configuration } from '../session/configuration.ts';
import { PAGE_PATHS, signInTo } from '../session/paths.ts';
import { useMe } from '../session/queries.ts';
import { useSignIn } from '../session/sign-in-state.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { PasswordField } from '../ui/fields.tsx';
import { FormButtons } from '../ui/form-buttons.tsx';
import { Form } from '../ui/form.tsx';
import { Skeleton, useList } from '../ui/list.tsx';
import { Notice, ErrorNotice } from '../ui/notice.tsx';
import { ProviderButton } from '../ui/provider-button.tsx';
import { nameOfKind, useExternalSignIn } from './external-kinds.tsx';
import { MailedCodeForm } from './mailed-code-form.tsx';
import { MailboxHint } from './resend.tsx';
import { FactorForm, OtherMethods, usableOf, useMethod } from './factor-form.tsx';

/** Asks users to confirm who they are when a command requires it; the command then continues. */
export function ConfirmItIsYou() {
  const waiting = usePendingConfirmation();
  const { sessionId } = useSignIn();
  useEffect(() => {
    if (sessionId === null) waiting?.end(null); // signed out, here or in another tab
  }, [sessionId, waiting]);
  if (!waiting) return null;
  const { needed, end } = waiting;
  const cancel = () => end(null);
  return (
    <Dialog title={text('step-up.title')} isOpen onClose={cancel}>
      <Methods needed={needed} onDone={() => end('confirmed')} onCancel={cancel} />
    </Dialog>
  );
}

interface MethodProps {
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

function Methods({ needed, ...props }: MethodProps & { readonly needed: StepUpNeeded }) {
  const password = needed.methods.includes('password') ? (['password'] as const) : [];
  const methods = [...password, ...usableOf(needed.methods)];
  const [method, setMethod] = useMethod(methods);
  if (needed.methods.includes('email_code')) return <ByEmailCode {...props} />;
  if (method === undefined && needed.ownProof) return <SetPassword {...props} />;
  if (method === undefined) return needed.enrol ? <AddFirst {...props} /> : <BySigningInAgain {...props} />;
  return (
    <>
      {needed.ownProof && <p>{text('step-up.own-proof')}</p>}
      {method === 'password' ? (
        <ByPassword {...props} />
      ) : (
        <FactorForm
          key={method}
          factor={method}
          getOptions={getPasskeyOptions}
          send={(answer) => gatehouse.stepUp(answer)}
          {...props}
        />
      )}
      <OtherMethods methods={methods} chosen={method} onChoose={setMethod} />
    </>
  );
}

async function getPasskeyOptions() {
  const { ceremony, publicKey } = (await gatehouse.post('/api/v1/iam/auth/step-up/options', { body: {} }))
    .data;
  // Without options, the passkey has just been removed on another device.
  if (ceremony === undefined || publicKey === undefined) throw new DOMException('', 'NotAllowedError');
  return { ceremony, publicKey };
}

/** Sends users without a second factor to the page that adds one. */
function AddFirst({ onCancel }: MethodProps) {
  return (
    <>
      <p>{text('step-up.add-first')}</p>
      <div className="buttons">
        <Button onPress={onCancel}>{text('cancel')}</Button>
        <Link href={PAGE_PATHS.security} className="button primary" onClick={onCancel}>
          {text('enrol.add')}
        </Link>
      </div>
    </>
  );
}

/** Sends users who have nothing but their organization's provider to the mail for a password. */
function SetPassword({ onCancel }: MethodProps) {
  return (
    <>
      <p>{text('step-up.set-password')}</p>
      <div className="buttons">
        <Button onPress={onCancel}>{text('cancel')}</Button>
        <Link href={PAGE_PATHS.forgottenPassword} className="button primary" onClick={onCancel}>
          {text('step-up.set-password.go')}
        </Link>
      </div>
    </>
  );
}

function ByPassword({ onDone, onCancel }: MethodProps) {
  const { data: me } = useMe();
  const confirm = useMutation({
    mutationFn: (password: string) => gatehouse.stepUp({ method: 'password', password }),
    onSuccess: onDone,
  });
  const isWrong = confirm.error instanceof ProblemError && confirm.error.code === 'invalid-credentials';
  return (
    <>
      <p>{text('step-up.password')}</p>
      <Form
        error={confirm.error}
        onSubmit={(values) => confirm.mutate(String(values.get('password')))}
        trouble={
          isWrong && (
            <Notice kind="bad" title={text('step-up.wrong.title')}>
              {text('step-up.wrong.text')}
            </Notice>
          )
        }
      >
        <input
          className="hidden-label"
          type="text"
          name="username"
          autoComplete="username"
          defaultValue={me?.email ?? ''}
          tabIndex={-1}
          aria-hidden="true"
          readOnly
        />
        <PasswordField label={text('password')} name="password" autoComplete="current-password" autoFocus />
        <p>
          <Link href={PAGE_PATHS.forgottenPassword} onClick={onCancel}>
            {text('forgot-password')}
          </Link>
        </p>
        <FormButtons submit={text('confirm')} isPending={confirm.isPending} onCancel={onCancel} />
      </Form>
    </>
  );
}

/** Mails a code to people who have neither a password nor a second factor. */
function ByEmailCode({ onDone, onCancel }: MethodProps) {
  const ask = useMutation({
    mutationFn: () => gatehouse.post('/api/v1/iam/auth/step-up/options', { body: { method: 'email_code' } }),
  });
  const confirm = useMutation({
    mutationFn: (code: string) => gatehouse.stepUp({ method: 'email_code', code }),
    onSuccess: onDone,
  });
  if (!ask.isSuccess)
    return (
      <>
        <p>{text('step-up.email-code')}</p>
        {ask.error && <ErrorNotice error={ask.error} />}
        <div className="buttons">
          <Button onPress={onCancel}>{text('cancel')}</Button>
          <Button look="primary" isPending={ask.isPending} onPress={() => ask.mutate()}>
            {text('email-code.send')}
          </Button>
        </div>
      </>
    );
  return (
    <>
      <p>{text('step-up.email-code.sent')}</p>
      <MailboxHint />
      <MailedCodeForm error={confirm.error} onSubmit={confirm.mutate}>
        <FormButtons submit={text('confirm')} isPending={confirm.isPending} onCancel={onCancel} />
      </MailedCodeForm>
    </>
  );
}

/**
 * Starts a new external sign-in. It starts a new session, so that users repeat the command on the
 * same page.
 */
function BySigningInAgain({ onCancel }: MethodProps) {
  const [here, navigate] = useLocation();
  const identities = useList(
    ['identities'],
    async (cursor) =>
      (await gatehouse.get('/api/v1/iam/me/identities', { params: { query: { cursor } } })).data,
  );
  const external = useExternalSignIn(here);
  const leave = useMutation({
    mutationFn: () => gatehouse.logout(),
    onSuccess: () => {
      onCancel();
      navigate(signInTo(here));
    },
  });
  const linked = new Set(identities.data?.map(({ kind }) => kind));
  const providers = configuration.providers.filter(({ kind }) => linked.has(kind));
  const error = identities.error ?? external.error ?? leave.error;
  return (
    <>
      <p>{text('step-up.again')}</p>
      {error && <ErrorNotice error={error} />}
      {identities.isPending && <Skeleton label={text('step-up.ways')} rows={1} />}
      <div className="stack tight">
        {providers.map(({ kind }) => (
          <ProviderButton
            key={kind}
            kind={kind}
            wide
            isPending={external.isPending && external.variables.kind === kind}
            onPress={() => external.mutate({ kind })}
          >
            {text('provider.again', { provider: nameOfKind(kind) })}
          </ProviderButton>
        ))}
        {!identities.isPending && providers.length === 0 && (
          <Button wide isPending={leave.isPending} onPress={() => leave.mutate()}>
            {text('step-up.sign-in-again')}
          </Button>
        )}
      </div>
      <div className="buttons">
        <Button onPress={onCancel}>{text('cancel')}</Button>
      </div>
    </>
  );
}
