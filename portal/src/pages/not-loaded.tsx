import { text } from '../messages/index.ts';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/page.tsx';
import { SignInFrame } from '../ui/sign-in-frame.tsx';

/** Page for another one that could not be loaded. */
export const NotLoaded = () => (
  <SignInFrame>
    <Sheet title={text('not-loaded.title')} lead={text('not-loaded.lead')}>
      <Button look="primary" onPress={() => location.reload()}>
        {text('try-again')}
      </Button>
    </Sheet>
  </SignInFrame>
);
