import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { gatehouse } from '../session/gatehouse.ts';
import { configuration } from '../session/configuration.ts';
import { PAGE_PATHS } from '../session/paths.ts';
import { Button } from '../ui/button.tsx';
import { explain } from '../ui/explain.ts';

/**
 * Sends the verification mail again. The service does not tell whether the address awaits
 * verification.
 */
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
        {isSuccess && 'We have sent the mail again.'}
        {error && `${explain(error).title}. ${explain(error).text}`}
      </span>
    </div>
  );
}

/** Link to the mailbox of local development. */
export const MailboxHint = () =>
  configuration.mailbox && (
    <p className="small soft">
      This is a development service: its mails are in the{' '}
      <Link href={PAGE_PATHS.mailbox}>development mailbox</Link>.
    </p>
  );
