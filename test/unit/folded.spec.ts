import { folded } from '../../portal/src/ui/folded.js';

describe('A text that is compared without case and accents', () => {
  it.each([
    ['İzinleri görüntüleme', 'izinleri goruntuleme'],
    ['YAZILIM ışık', 'yazilim isik'],
    ['Główny Członek', 'glowny czlonek'],
    ['Größe, Émile', 'grosse, emile'],
    ['iam:role:read', 'iam:role:read'],
  ])('is of %j: %j', (text, plain) => {
    expect(folded(text)).toBe(plain);
  });
});
