import { text } from '../../../messages/index.ts';
import { SignInFrame } from '../../../ui/sign-in-frame.tsx';
import { Sheet } from '../../../ui/page.tsx';

/** Shown in the tab of a test sign-in, whose result the tab that started it shows. */
export function TestFinished() {
  return (
    <SignInFrame>
      <Sheet title={text('connections.test.finished')}>
        <p>{text('connections.test.finished.text')}</p>
      </Sheet>
    </SignInFrame>
  );
}
