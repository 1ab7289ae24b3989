import { Protected } from '@gatehouse/react';
import { Greeting } from './greeting';
import { SignIn } from './sign-in';

// On the server no user is known: the browser replaces "One moment".
export default function Page() {
  return (
    <Protected fallback={<SignIn />} loading={<p>One moment …</p>}>
      <Greeting />
    </Protected>
  );
}
