import { text } from '../../messages/index.ts';
import { Notice } from '../../ui/notice.tsx';

/** Shown to an operator who acts as the person, in place of a form that the service refuses. */
export const OnlyThePerson = () => (
  <Notice title={text('acting.own.title')}>
    <p>{text('acting.own.text')}</p>
  </Notice>
);
