import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';

const FILE = 'gatehouse-recovery-codes.txt';

interface NewProps {
  /** Number of codes that have not been used. */
  readonly left: number;
  readonly onCreated: (codes: readonly string[]) => void;
}

/** Says how many recovery codes are left, and creates new ones. */
export function NewRecoveryCodes({ left, onCreated }: NewProps) {
  const [isAsking, setAsking] = useState(false);
  const renew = useMutation({
    mutationFn: async () => (await gatehouse.post('/api/v1/iam/me/recovery-codes')).data,
    onSuccess: ({ recoveryCodes }) => {
      setAsking(false);
      onCreated(recoveryCodes);
    },
  });
  return (
    <section className="sheet section" aria-labelledby="recovery-codes">
      <h2 id="recovery-codes">{text('security.codes')}</h2>
      <p>{text('security.codes.left', { count: left })}</p>
      <div className="row">
        <Button onPress={() => setAsking(true)}>{text('security.codes.renew')}</Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={text('security.codes.renew.title')}
          confirm={text('security.codes.renew')}
          action={renew}
          isOpen
          onClose={() => setAsking(false)}
        >
          <p>{text('security.codes.renew.text')}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

interface Props {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** Shows new recovery codes, once. */
export function RecoveryCodes({ codes, onClose }: Props) {
  const say = useToast();
  const copy = useMutation({
    mutationFn: () => navigator.clipboard.writeText(codes.join('\n')),
    onSuccess: () => say(text('security.codes.copied')),
    onError: () => say(text('security.codes.not-copied')),
  });
  return (
    <Dialog title={text('security.codes.new')} isOpen onClose={onClose}>
      <p>{text('security.codes.new.text')}</p>
      <ul className="recovery-codes" aria-label={text('security.codes')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="row">
        <Button small onPress={() => copy.mutate()}>
          {text('security.codes.copy')}
        </Button>
        <Button small onPress={() => download(codes)}>
          {text('security.codes.download')}
        </Button>
        <Button small onPress={() => print()}>
          {text('security.codes.print')}
        </Button>
      </div>
      <div className="buttons">
        <Button look="primary" onPress={onClose}>
          {text('security.codes.saved')}
        </Button>
      </div>
    </Dialog>
  );
}

function download(codes: readonly string[]): void {
  const content = `${text('security.codes.file', { host: location.host })}\n\n${codes.join('\n')}\n`;
  const href = URL.createObjectURL(new Blob([content], { type: 'text/plain' }));
  Object.assign(document.createElement('a'), { href, download: FILE }).click();
  URL.revokeObjectURL(href);
}
