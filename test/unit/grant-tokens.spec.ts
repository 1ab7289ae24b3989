import { GrantTokens } from '../../src/openid/token/grant-tokens.js';

type Given = ConstructorParameters<typeof GrantTokens>;

describe('Tokens of a grant', () => {
  it('name the person to the client only when the API accepts the grant', async () => {
    const namesOf = jest.fn();
    const endGrant = jest.fn();
    const tokens = new GrantTokens(
      ...([
        { endGrant },
        {},
        { isConsented: () => Promise.resolve(true) },
        {},
        { issue: () => Promise.resolve(null) },
        { namesOf },
      ] as unknown as Given),
    );
    const [client, grant, choice] = [{}, { grantId: 'g' }, { target: {}, scopes: [] }] as never[];
    await expect(tokens.respond(client!, grant!, null, choice!)).rejects.toThrow();
    expect(endGrant).toHaveBeenCalledWith('g');
    expect(namesOf).not.toHaveBeenCalled();
  });
});
