import { Link } from 'wouter';
import { PAGE_PATHS } from '../session/paths.ts';
import { Threshold } from '../ui/frames.tsx';
import { Sheet } from '../ui/page.tsx';

/** For an address that leads nowhere. */
export const NotHere = () => (
  <Threshold>
    <Sheet title="There is no such page" lead="The address may be mistyped, or the page has moved.">
      <Link href={PAGE_PATHS.home} className="button primary">
        Go to the start
      </Link>
    </Sheet>
  </Threshold>
);
