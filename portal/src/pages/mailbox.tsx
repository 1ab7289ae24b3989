import { useQuery } from '@tanstack/react-query';
import PostalMime, { type Email } from 'postal-mime';
import { useState } from 'react';
import { text } from '../messages/index.ts';
import { configuration } from '../session/configuration.ts';
import { Button } from '../ui/button.tsx';
import { SignInFrame } from '../ui/sign-in-frame.tsx';
import { Empty } from '../ui/list.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Sheet } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { NotHere } from './not-here.tsx';
import { inBackground } from '../session/in-background.ts';

/** Label and address of the link in a mail. */
const LINK = /^(.+):\n(https?:\/\/\S+)$/m;
/** Lines between paragraphs, and where the link was. */
const GAP = /\n{3,}/g;

interface Mail {
  readonly id: string;
  readonly email: Email;
}

/** Shows developers the mails of a service without a mail server. */
export function Mailbox() {
  return configuration.mailbox ? <Mails /> : <NotHere />;
}

function Mails() {
  const mails = useQuery({ queryKey: ['mailbox'], queryFn: readMails, refetchInterval: 2_000 });
  return (
    <SignInFrame>
      <Sheet title={text('frame.mailbox')} lead={text('mailbox.lead')}>
        {mails.error && <ErrorNotice error={mails.error} onRetry={() => inBackground(mails.refetch())} />}
        {mails.data?.length === 0 && (
          <Empty title={text('mailbox.empty.title')} lead={text('mailbox.empty.text')} />
        )}
        <ul className="stack">
          {mails.data?.map(({ id, email }, n) => (
            <li key={id}>
              <Letter email={email} isOpen={n === 0} />
            </li>
          ))}
        </ul>
      </Sheet>
    </SignInFrame>
  );
}

async function readMails(): Promise<Mail[]> {
  const response = await fetch('/api/v1/iam/auth/portal/mailbox');
  if (!response.ok) throw new Error(`The mailbox answered ${response.status}.`);
  const { items } = (await response.json()) as { items: { id: string; source: string }[] };
  return Promise.all(items.map(async ({ id, source }) => ({ id, email: await PostalMime.parse(source) })));
}

function Letter({ email, isOpen }: { readonly email: Email; readonly isOpen: boolean }) {
  const [open, setOpen] = useState(isOpen);
  const body = (email.text ?? '').split('\n-- ')[0] ?? '';
  const [, label, link] = LINK.exec(body) ?? [];
  const withoutLink = body.replace(LINK, '').replace(GAP, '\n\n').trim();
  return (
    <article className="notice">
      <div className="row">
        <h2>{email.subject}</h2>
        <span className="soft small">{email.date && <Time value={email.date} />}</span>
      </div>
      <p className="soft small">
        {text('mailbox.to', { addresses: (email.to ?? []).map(({ address }) => address).join(', ') })}
      </p>
      {open ? (
        <>
          <p className="letter">{withoutLink}</p>
          {link !== undefined && (
            <a className="button primary" href={link}>
              {label}
            </a>
          )}
        </>
      ) : (
        <div>
          <Button small onPress={() => setOpen(true)}>
            {text('mailbox.read')}
          </Button>
        </div>
      )}
    </article>
  );
}
