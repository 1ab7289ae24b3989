import { ATTACKS, FAILURES } from '../saml-attacks.ts';
import { requestIn, SamlStandIn, type Twist } from '../saml-stand-in.ts';
import { TURNS_BACK, type Counter, type Fields } from './counter.ts';

const TWISTS: Readonly<Record<string, Twist | undefined>> = {
  [TURNS_BACK]: FAILURES['the person did not want to']?.[1],
  ...Object.fromEntries(
    Object.entries(ATTACKS).map(([what, [, twist]]) => [`the answer has ${what}`, twist]),
  ),
};

export function samlCounter(): Counter {
  const standIn = new SamlStandIn();
  return {
    kind: 'saml',
    title: 'SAML',
    person: { nameId: 'grace', email: 'grace@example.com', givenName: 'Grace' },
    mishaps: Object.keys(TWISTS),
    settings: (page) => ({
      ...standIn.settings,
      EXTERNAL_SAML_ENTRY_POINT: page,
      EXTERNAL_SAML_DOMAINS: 'example.com',
    }),
    send: (authorizationUrl, { nameId, ...attributes }, mishap) => {
      const twist = TWISTS[mishap];
      const words = { attributes: attributes as Fields, ...twist?.words };
      return {
        method: 'post',
        action: requestIn(authorizationUrl).consumer,
        fields: { ...standIn.answer(authorizationUrl, String(nameId), { ...twist, words }) },
      };
    },
    close: () => Promise.resolve(),
  };
}
