import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { canUsePasskeys } from '@gatehouse/client';
import { text } from '../messages/index.ts';
import { choosePasskey, isPasskeyDeclined, suggestPasskeys } from '../session/passkey-sign-in.ts';
import type { RunSignIn } from '../session/second-factor.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';

/** Signs in by a passkey: by a button, and by what the browser suggests for the address. */
export function PasskeySignIn({ run }: { readonly run: RunSignIn }) {
  const [attempts, setAttempts] = useState(0);
  const suggestions = useRef<AbortController>(null);
  const { mutate, error, isPending } = useMutation({
    mutationFn: (choose: typeof choosePasskey) => run(async () => (await choose()).signIn()),
    onError: () => setAttempts((count) => count + 1), // suggests again
  });
  useEffect(() => {
    const controller = new AbortController();
    suggestions.current = controller;
    suggestPasskeys(controller.signal)
      .then((passkey) => passkey && mutate(() => Promise.resolve(passkey)))
      .catch(() => undefined); // the button remains, and explains its errors
    return () => controller.abort();
  }, [attempts, mutate]);
  if (!canUsePasskeys()) return null;
  return (
    <div className="stack tight of-passkeys">
      {error && <Trouble error={error} />}
      <Button
        wide
        isPending={isPending}
        onPress={() => {
          suggestions.current?.abort(); // browsers run one request at a time
          mutate(choosePasskey);
        }}
      >
        {text('passkey.sign-in')}
      </Button>
    </div>
  );
}

function Trouble({ error }: { readonly error: unknown }) {
  if (!isPasskeyDeclined(error))
    return <ErrorNotice error={error} titles={{ 'invalid-credentials': 'passkey.unknown.title' }} />;
  return (
    <Notice kind="care" title={text('passkey.declined.title')}>
      {text('passkey.declined.text')}
    </Notice>
  );
}
