import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { gatehouse } from '../session/gatehouse.ts';
import { knowledge } from '../session/knowledge.ts';
import { PAGE_PATHS } from '../session/paths.ts';
import { Button } from '../ui/button.tsx';
import { explain } from '../ui/explain.ts';

/** Sends the verification mail once more. The service does not say whether the address waits for one. */
export function Resend({ email }: { readonly email: string }) {
  const resend = useMutation({
    mutationFn: () => gatehouse.post('/api/v1/iam/auth/resend-verification', { body: { email } }),
  });
  const { error, isSuccess } = resend;
  return (
    <div className="row">
      <Button small isPending={resend.isPending} onPress={() => resend.mutate()}>
        Send the mail again
      </Button>
      <span role="status">
        {isSuccess && 'It is on its way.'}
        {error && `${explain(error).title}. ${explain(error).text}`}
      </span>
    </div>
  );
}

/** Where mails can be read on a developer's machine. */
export const MailboxHint = () =>
  knowledge.mailbox && (
    <p className="small soft">
      This is a development service: its mails are in the{' '}
      <Link href={PAGE_PATHS.mailbox}>development mailbox</Link>.
    </p>
  );
